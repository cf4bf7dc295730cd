// The queue of frng's README: a ring, 8 deep, with a bug.
package main

import "frng.example/frng.git/frng/go"

type queue struct {
	items       [8]byte
	head, count int
}

func (q *queue) push(x byte) {
	q.items[(q.head+q.count)%8] = x
	q.count++
}

func (q *queue) pop() byte {
	x := q.items[q.head%7]
	q.head++
	q.count--
	return x
}

func test(f *frng.F) {
	var q queue
	var first, last byte
	for { // until the entropy runs out: passed
		wantPush := f.Bool()
		if wantPush && q.count < 8 {
			q.push(last)
			last++
		} else if !wantPush && q.count > 0 {
			got := q.pop()
			f.Assert(got == first, "got %d, not %d", got, first)
			first++
		}
	}
}

func main() { frng.Main(test) }
