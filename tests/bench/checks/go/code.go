// Package code has what the six properties test: three ways to be wrong.
package code

// AddMonths gives April 31 days, unless it is right.
func AddMonths(y, m, d, n int, isRight bool) [3]int {
	at := 12*y + m - 1 + n
	y, m = at/12, at%12+1
	days := 31
	if m == 2 {
		days = 28
	} else if isRight && (m == 4 || m == 6 || m == 9 || m == 11) {
		days = 30
	}
	if d > days {
		d = days
	}
	return [3]int{y, m, d}
}

type Ring struct {
	items       [8]int
	head, count int
}

func (r *Ring) Push(x int) {
	r.items[(r.head+r.count)%8] = x
	r.count++
}

func (r *Ring) Pop() int {
	x := r.items[r.head%7]
	r.head++
	r.count--
	return x
}

type Cache struct {
	IsRight bool
	items   map[int]int
	order   []int
}

func (c *Cache) Put(k, v int) {
	_, isKnown := c.items[k]
	if len(c.items) == 3 && !(c.IsRight && isKnown) {
		delete(c.items, c.order[0])
		c.order = c.order[1:]
	}
	if c.items == nil {
		c.items = map[int]int{}
	}
	if _, isKnown = c.items[k]; !isKnown {
		c.order = append(c.order, k)
	}
	c.items[k] = v
}

func (c *Cache) Get(k int) int {
	if v, ok := c.items[k]; ok {
		return v
	}
	return -1
}
