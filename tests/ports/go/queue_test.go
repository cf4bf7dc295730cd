package main

import (
	"os"
	"testing"

	"frng.example/frng.git/frng/go"
)

// A queue of bytes in a ring, with the bug of frng's README.
func testQueue(f *frng.F) {
	var items [8]byte
	var head, count int
	var first, last byte
	for {
		wantPush := f.Bool()
		if wantPush && count < 8 {
			items[(head+count)%8] = last
			count, last = count+1, last+1
		} else if !wantPush && count > 0 {
			got := items[head%7]
			head, count = head+1, count-1
			f.Assert(got == first, "got %d, not %d", got, first)
			first++
		}
	}
}

func TestFindings(t *testing.T) { frng.Replay(t, os.Getenv("FRNG_FOUND"), testQueue) }

func TestPasses(t *testing.T) {
	frng.Check(t, func(f *frng.F) {
		for os.Getenv("NOTHING") == "" {
			f.U8()
		}
	})
	frng.Check(t, func(f *frng.F) { f.U8() }) // is no target
}

// TestFails fails as those of the checks of vectors.json (DRAWS.md), if it is asked for. It
// discards where DISCARDS is set.
func TestFails(t *testing.T) {
	frng.Check(t, func(f *frng.F) {
		f.Assert(os.Getenv("AT_ONCE") == "", "at once")
		first, high := f.U8(), 0
		f.Assume(first%8 == 0 || os.Getenv("DISCARDS") == "")
		for x := first; x != 77; x = f.U8() {
			if x >= 240 {
				high++
			}
			f.Assert(high < 4 || first/4 != 24, "four")
		}
	})
}
