package code

import (
	"strings"
	"testing"

	"frng.example/frng.git/frng/go"
)

func TestSum(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		sum := 0
		for _, x := range frng.List(t.Note("xs"), 0, 50, func() int { return t.Int(0, 99) }) {
			sum += x
		}
		t.Assert(sum < 500)
	})
}

func TestDistinct(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		seen := map[uint8]bool{}
		for _, x := range frng.List(t.Note("xs"), 0, 50, func() uint8 { return t.U8() }) {
			t.Assert(!seen[x])
			seen[x] = true
		}
	})
}

func TestQuote(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		s := t.Note("s").String("ab'", 0, 9)
		t.Assert(strings.Split(s+"'", "'")[0] == s)
	})
}

func TestDates(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		y, m, d := t.Note("y").Int(1800, 2200), t.Note("m").Int(1, 12), t.Note("d").Int(1, 31)
		n := t.Note("n").Int(0, 60)
		t.Assert(AddMonths(y, m, d, n, false) == AddMonths(y, m, d, n, true))
	})
}

func TestQueue(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		var ring Ring
		var model []int
		t.Repeat(map[string]func(*frng.F){
			"push": func(t *frng.F) {
				t.Assume(len(model) < 8)
				x := t.Note("x").Int(0, 255)
				ring.Push(x)
				model = append(model, x)
			},
			"pop": func(t *frng.F) {
				t.Assume(len(model) > 0)
				t.Assert(ring.Pop() == model[0])
				model = model[1:]
			},
		})
	})
}

func TestCache(t *testing.T) {
	frng.Check(t, func(t *frng.F) {
		cache, model := Cache{}, Cache{IsRight: true}
		t.Repeat(map[string]func(*frng.F){
			"put": func(t *frng.F) {
				k, v := t.Note("k").Int(0, 5), t.Note("v").Int(0, 255)
				cache.Put(k, v)
				model.Put(k, v)
			},
			"get": func(t *frng.F) {
				k := t.Note("k").Int(0, 5)
				t.Assert(cache.Get(k) == model.Get(k))
			},
		})
	})
}
