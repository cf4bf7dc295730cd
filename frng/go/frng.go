// SPDX-License-Identifier: MIT

// Package frng finds the smallest random input that breaks a program: a finite random number
// generator. A test draws its decisions from bytes that exist before it starts and can run out:
//
//	func test(f *frng.F) {
//		n := f.U32(0, 10)
//		f.Assert(n != 7, "n is %d", n)
//	}
//
//	func main() { frng.Main(test) }
//
// A test that returns, or runs out of entropy, has passed. One that panics has failed. A draw that
// finds no bytes panics, too, with a value that Main recovers: deferred calls of the test run. So does
// Assume, whose run counts for nothing. The draws are those of frng.h, described in DRAWS.md; the
// protocol is PROTOCOL.md's (FRNG_DRIVER).
package frng

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// F draws from the entropy of one run.
type F struct {
	data    []byte
	used    *uint64         // bytes drawn; in the report of a driver, which reads it at any instant
	out     bool            // a draw has failed
	*report                 // hears of each draw
	draws   uint64          // so far
	told    *story          // nil, or collects the draws by their names
	marks   map[string]bool // nil, or the labels of the run

	choices *choices // nil, or what replaces the entropy
	weights []uint32 // of the weighted draw in progress

	broken         *failure // what Errorf and its like said
	skips          bool     // Skip ends the run, or an action
	discarded      bool     // by Skip: the run has neither passed nor failed
	cleanups       []func()
	helpers        map[string]bool // functions that called Helper
	outer          TB              // of Check
	outerHasFailed bool            // before this run
	limit          time.Duration   // of the run; 0: none
	hasEnded       atomic.Bool     // the run of a check
	ends           int             // draws that found too few bytes
	isOver         bool            // but for what Cleanup calls
}

// New returns a generator over bytes, which it does not change.
func New(entropy []byte) *F { return &F{data: entropy, used: new(uint64), report: &report{}} }

// Used returns the bytes drawn so far: they alone give the same run.
func (f *F) Used() int { return int(*f.used) }

// Left returns the bytes not yet drawn.
func (f *F) Left() int {
	if f.choices != nil && !f.out {
		return f.choices.left(f.Used())
	}
	return len(f.data) - f.Used()
}

// Exhausted tells whether a draw has failed, or the run is discarded.
func (f *F) Exhausted() bool { return f.out || f.discarded }

// The kinds of draws, and of other records.
const (
	kindBytes = iota
	kindBool
	kindUint
	kindInt
	kindIndex
	kindWeighted
	kindF64
	kindChance
	kindMore
	kindLetter
	kindMixedUint
	kindMixedInt
	kindReal
	kindRealRange
	kindSubset
	kindDate
	kindState = 252
	kindSay   = 253
	kindStep  = 254
	kindNote  = 255
)

const endsMost = 100

// end ends the run at the start of a draw that finds too few bytes. Who recovers and goes on drawing
// would do so forever.
func (f *F) end(start uint64) {
	*f.used, f.data, f.out = start, f.data[:start], true
	if f.ends++; f.ends > endsMost {
		runtime.Goexit()
	}
	panic(outOfEntropy{})
}

// number returns the next bytes as a little-endian number, for a draw that began at start.
func (f *F) number(start uint64, width int) uint64 {
	at := *f.used
	if uint64(len(f.data))-at < uint64(width) {
		f.end(start)
	}
	var x uint64
	for i := width - 1; i >= 0; i-- {
		x = x<<8 | uint64(f.data[at+uint64(i)])
	}
	*f.used = at + uint64(width)
	return x
}

// bounded returns 0..max without bias: the high half of number * (max + 1), by Lemire.
func (f *F) bounded(start uint64, width int, max uint64) uint64 {
	top := uint64(math.MaxUint64) >> (64 - 8*width)
	if max == top {
		return f.number(start, width)
	}
	for n := max + 1; ; {
		high, low := bits.Mul64(f.number(start, width), n)
		if width < 8 {
			high, low = low>>(8*width), low&top
		}
		if low >= n || low >= (top-max)%n {
			return high
		}
	}
}

// of returns min..max, in two's complement. A range that is all of the type takes the bytes as
// they are, so that zeros mean 0.
func (f *F) of(kind, width int, min, max uint64, weights ...uint32) uint64 {
	start := *f.used
	f.ask(kind, width, min, max, weights)
	top := uint64(math.MaxUint64) >> (64 - 8*width)
	offset := f.bounded(start, width, max-min)
	if max-min == top {
		offset = (offset - min) & top
	}
	f.drawn(kind, width, start, *f.used, min, max, min+offset)
	return min + offset
}

type integer interface {
	uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | int | uint
}

func in[T integer](f *F, kind, width int, bounds []T, min, max T) T {
	if len(bounds) == 2 {
		min, max = bounds[0], bounds[1]
	}
	if len(bounds) == 1 || len(bounds) > 2 {
		panic("frng: the bounds of a draw are none, or its min and its max")
	}
	if min > max {
		panic(fmt.Sprintf("frng: no number is in %d..%d", min, max))
	}
	return T(f.of(kind, width, uint64(min), uint64(max)))
}

// U8 returns any value, or one of min..max: f.U8(), f.U8(0, 9). So do the others, up to I64.
func (f *F) U8(bounds ...uint8) uint8 { return in(f, kindUint, 1, bounds, 0, math.MaxUint8) }

// U16 returns any value, or one of min..max.
func (f *F) U16(bounds ...uint16) uint16 { return in(f, kindUint, 2, bounds, 0, math.MaxUint16) }

// U32 returns any value, or one of min..max.
func (f *F) U32(bounds ...uint32) uint32 { return in(f, kindUint, 4, bounds, 0, math.MaxUint32) }

// U64 returns any value, or one of min..max.
func (f *F) U64(bounds ...uint64) uint64 { return in(f, kindUint, 8, bounds, 0, math.MaxUint64) }

// I8 returns any value, or one of min..max.
func (f *F) I8(bounds ...int8) int8 { return in(f, kindInt, 1, bounds, math.MinInt8, math.MaxInt8) }

// I16 returns any value, or one of min..max.
func (f *F) I16(bounds ...int16) int16 {
	return in(f, kindInt, 2, bounds, math.MinInt16, math.MaxInt16)
}

// I32 returns any value, or one of min..max.
func (f *F) I32(bounds ...int32) int32 {
	return in(f, kindInt, 4, bounds, math.MinInt32, math.MaxInt32)
}

// I64 returns any value, or one of min..max.
func (f *F) I64(bounds ...int64) int64 {
	return in(f, kindInt, 8, bounds, math.MinInt64, math.MaxInt64)
}

// Bool returns the lowest bit of a byte.
func (f *F) Bool() bool {
	start := *f.used
	f.ask(kindBool, 1, 0, 1, nil)
	x := f.number(start, 1) & 1
	f.drawn(kindBool, 1, start, *f.used, 0, 1, x)
	return x == 1
}

// Bytes returns the next count bytes, which the test must not change.
func (f *F) Bytes(count int) []byte {
	start := *f.used
	if count < 0 {
		panic("frng: a negative count of bytes")
	}
	f.ask(kindBytes, 1, 0, uint64(count), nil)
	if count > len(f.data)-int(start) {
		f.end(start)
	}
	*f.used = start + uint64(count)
	f.drawn(kindBytes, 1, start, *f.used, 0, uint64(count), 0)
	bytes := f.data[start:*f.used:*f.used]
	f.tells(bytes)
	return bytes
}

// Int returns any value, from 8 bytes on every machine, or one of min..max, from as few bytes as hold
// them: 1 for 0..255 and for -128..127.
func (f *F) Int(bounds ...int) int {
	kind, width := kindInt, 8
	if len(bounds) == 2 && bounds[0] >= 0 {
		kind, width = kindUint, fit(uint64(bounds[1]))
	} else if len(bounds) == 2 {
		width = fit(2 * uint64(most(^bounds[0], bounds[1])))
	}
	if width < 8 {
		f.narrowed()
	}
	return in(f, kind, width, bounds, math.MinInt, math.MaxInt)
}

func most(a, b int) int {
	if a < b {
		return b
	}
	return a
}

// Index returns 0..count-1, from 8 bytes.
func (f *F) Index(count int) int {
	if count <= 0 {
		panic("frng: an index of nothing")
	}
	return int(f.of(kindIndex, 8, 0, uint64(count)-1))
}

// Weighted returns an index, in proportion to its weight; never one with weight 0.
func (f *F) Weighted(weights ...uint32) int {
	return f.indexOf(weights, f.of(kindWeighted, 8, 0, sum(weights)-1, weights...))
}

// SwarmWeights returns weights of 1..100. Drawn once, they make each run favour others.
func (f *F) SwarmWeights(count int) []uint32 {
	return tellsNew(f, "swarm", func() []uint32 {
		weights := make([]uint32, count)
		for i := range weights {
			weights[i] = f.U32(1, 100)
		}
		return weights
	})
}

// F64 returns a multiple of 2^-53 in [0, 1).
func (f *F) F64() float64 {
	start := *f.used
	f.ask(kindF64, 8, 0, math.MaxUint64, nil)
	x := f.number(start, 8)
	f.drawn(kindF64, 8, start, *f.used, 0, math.MaxUint64, x)
	return float64(x>>11) / (1 << 53)
}

// Chance returns true with probability numerator / denominator.
func (f *F) Chance(numerator, denominator uint32) bool {
	if denominator == 0 || numerator > denominator {
		panic("frng: a chance above 1")
	}
	start := *f.used
	f.ask(kindChance, 4, uint64(numerator), uint64(denominator), nil)
	isTrue := f.bounded(start, 4, uint64(denominator)-1) < uint64(numerator)
	var x uint64
	if isTrue {
		x = 1
	}
	f.drawn(kindChance, 4, start, *f.used, uint64(numerator), uint64(denominator), x)
	return isTrue
}

// Note names the draws that follow, in a trace and where Check prints a failure. It returns f:
// key := f.Note("key").U8().
func (f *F) Note(name string) *F {
	f.named(kindNote, *f.used, name)
	f.tell(func(s *story) { s.note(name) })
	return f
}

// Step begins an operation: the draws up to the next step belong together.
func (f *F) Step(name string) {
	f.named(kindStep, *f.used, name)
	f.tell(func(s *story) { s.step(name) })
}

// Say adds a line to a trace, and to the failure that Check prints. Elsewhere it costs a call.
func (f *F) Say(format string, arguments ...any) {
	if !f.says && f.told == nil {
		return
	}
	line := fmt.Sprintf(format, arguments...)
	if f.says {
		f.said(*f.used, line)
	}
	f.tell(func(s *story) { s.say(line) })
}

// Assert fails the run unless the condition holds. A message is a format and what it formats.
func (f *F) Assert(condition bool, message ...any) {
	if condition {
		return
	}
	text := "the assertion does not hold"
	if len(message) > 0 {
		text = fmt.Sprintf(fmt.Sprint(message[0]), message[1:]...)
	}
	f.fails(text) // also where the code that is tested recovers
	panic(text)
}

// drawn tells of a draw.
func (f *F) drawn(kind, width int, start, end, min, max, value uint64) {
	f.draws++
	if f.listens {
		index := uint64(0)
		if f.choices != nil && kind == kindWeighted {
			index = indexWord(f.weights, value)
		}
		f.record(kind, width, start, end, min, max, value, index)
		if f.goals > 0 {
			f.goalDraw(kind, width, f.draws-1, start, end, min, max, value)
		}
	}
	if f.told != nil {
		f.told.draw(kind, value, width, min, max)
	}
}
