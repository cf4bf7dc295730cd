package frng

import (
	"math"
	"math/bits"
)

// A driver that reduces can give a run a list of choices in place of entropy, one for each draw that
// it expects. The draw takes the next choice of its kind and width, and the smallest bytes with its
// value, under the bounds of that moment, are written as the entropy; see PROTOCOL.md.
type choices struct {
	list     []byte
	at, seen int    // of the list
	first    uint64 // where the bytes go, in the report
	room     uint64
	size     int // bytes that the list takes as it stands
	hasEnded bool
}

type choice struct {
	kind, width int
	isDrawn     bool // of a weighted draw: the number is the one drawn
	number      uint64
}

const drawnMax = 9 // bytes of the longest draw but Bytes

// load returns the choice at a place of the list, and its size; 0 if there is none.
func (c *choices) load(at int) (next choice, size int) {
	if at >= len(c.list) {
		return next, 0
	}
	head := c.list[at]
	next = choice{kind: int(head & 15), width: int(head>>4&7) + 1, isDrawn: head&128 != 0}
	for i := 1; at+i < len(c.list) && i < 11; i++ {
		next.number |= uint64(c.list[at+i]&127) << (7 * (i - 1))
		if c.list[at+i] < 128 {
			return next, i + 1
		}
	}
	return next, 0
}

// isEnd tells of the choice that ends the entropy: a bool of 8 bytes.
func (c choice) isEnd() bool { return c.kind == kindBool && c.width == 8 }

// beginChoices prepares a run that gets choices.
func (f *F) beginChoices(list []byte) {
	c := &choices{list: list, first: *f.word(atChosen), room: *f.word(atChosenSize)}
	if size := uint64(len(f.memory)); c.first <= atSite || c.first > size || c.room > size-c.first {
		c.room = 0
	}
	f.choices, f.data = c, nil
	for at := 0; ; {
		next, size := c.load(at)
		if size == 0 || next.isEnd() {
			return
		}
		some := next.width
		if next.kind == kindMixedUint || next.kind == kindMixedInt || next.kind == kindReal {
			some = len(encode(request{next.kind, next.width, 0, math.MaxUint64, nil}, next.number))
		}
		at, c.size = at+size, c.size+some
	}
}

// left returns the bytes that the list takes beyond those used.
func (c *choices) left(used int) int {
	if used < c.size {
		return c.size - used
	}
	return 0
}

// next takes the choice for a draw. Without one of its kind and width it has its simplest value.
func (c *choices) next(kind, width int) choice {
	next, size := c.load(c.at)
	if size == 0 {
		c.hasEnded = true
	}
	if c.at+size > c.seen {
		c.seen = c.at + size
	}
	isFree := kind == kindIndex || kind == kindWeighted // their widths follow their bounds
	if size == 0 || next.kind != kind || next.width != width && !isFree {
		return choice{}
	}
	c.at += size
	return next
}

// A request is what a draw asks for.
type request struct {
	kind, width int
	min, max    uint64
	weights     []uint32
}

// ask writes the bytes of the draw that begins now, if the run gets choices.
func (f *F) ask(kind, width int, min, max uint64, weights []uint32) {
	if f.choices == nil {
		return
	}
	c, r := f.choices, request{kind, width, min, max, weights}
	f.weights = weights
	var bytes []byte
	if next, size := c.load(c.at); size > 0 && next.isEnd() {
		c.hasEnded, c.seen, bytes = true, c.at+size, nil
	} else if kind == kindBytes {
		for uint64(len(bytes)) < max && max <= c.room {
			bytes = append(bytes, byte(c.next(kind, width).number))
		}
	} else {
		next := c.next(kind, width)
		if next.isDrawn {
			r.weights = nil
		}
		bytes = encode(r, next.number)
	}
	isNothing := len(bytes) == 0 && !(kind == kindBytes && max == 0)
	if isNothing || uint64(len(bytes)) > c.room-*f.used {
		*f.word(atRanOut) = 1
		f.end(*f.used)
	}
	end := c.first + *f.used
	copy(f.memory[end:], bytes)
	end += uint64(len(bytes))
	f.data = f.memory[c.first:end:end]
}

// indexWord returns what the record of a weighted draw says of its index.
func indexWord(weights []uint32, value uint64) uint64 {
	if weights == nil {
		return 0
	}
	before, index := uint64(0), 0
	for k, weight := range weights {
		before += uint64(weight)
		if before <= value {
			index = k + 1
		}
	}
	return uint64(index+1) | uint64(len(weights))<<32
}

// ---- The smallest bytes for which a draw has the value of a number; see frng_encode.h ----

// unbounded returns the smallest number of `width` bytes that `bounded` takes for a value.
func unbounded(width int, max, value uint64) uint64 {
	n := max + 1
	if max == math.MaxUint64>>(64-8*width) {
		return value
	}
	high, low := value, uint64(0)
	threshold := -n % n
	if width < 8 {
		high, low = value>>(64-8*width), value<<(8*width)
		threshold = uint64(1) << (8 * width) % n
	}
	whole, rest := bits.Div64(high, low, n)
	switch {
	case rest > n-threshold:
		return whole + 2
	case rest+threshold > 0:
		return whole + 1
	}
	return whole
}

func encodeBounded(width int, max, value uint64) []byte {
	return little(nil, unbounded(width, max, value), width)
}

func encodeOfBits(number, max uint64) []byte {
	if number == 0 {
		return nil
	}
	low := uint64(1) << (bits.Len64(number) - 1)
	span := least(low-1, max-low)
	if span == 0 {
		return nil
	}
	return encodeBounded(fit(span), span, number-low)
}

func least(a, b uint64) uint64 {
	if a < b {
		return a
	}
	return b
}

// unzigzag is the way back of zigzag.
func unzigzag(min, max, value int64) uint64 {
	size, isNegative := uint64(value), value < 0
	if isNegative {
		size = -size
	}
	switch {
	case min > 0:
		return uint64(value) - uint64(min)
	case max < 0:
		return uint64(max) - uint64(value)
	case value == 0:
		return 0
	}
	rank := 1 + least(size-1, uint64(max)) + least(size-1, -uint64(min))
	if isNegative && size <= uint64(max) {
		rank++
	}
	return rank
}

// encode returns the bytes of a draw; none for a kind that has no numbers.
func encode(r request, number uint64) []byte {
	span := r.max - r.min
	switch r.kind {
	case kindBool:
		return []byte{byte(least(number, 1))}
	case kindF64:
		return little(nil, number, r.width)
	case kindSubset:
		return little(nil, number&r.max, r.width)
	case kindChance:
		value := uint64(0)
		if number == 0 && r.min < r.max {
			value = r.min
		}
		return encodeBounded(r.width, r.max-1, value)
	case kindWeighted:
		if r.weights != nil {
			number = firstOf(r.weights, r.max+1, number)
		}
		return encodeInteger(r, number)
	case kindUint, kindInt, kindIndex, kindDate:
		return encodeInteger(r, number)
	case kindMixedUint, kindMixedInt:
		rank := least(number, span)
		head := encodeBounded(1, uint64(bits.Len64(span)), uint64(bits.Len64(rank)))
		return append(head, encodeOfBits(rank, span)...)
	case kindMore, kindLetter:
		return encodePick(r, number)
	case kindReal:
		return encodeReal(number)
	case kindRealRange:
		return encodeRealRange(math.Float64frombits(r.min), math.Float64frombits(r.max), number)
	}
	return nil
}

func encodeInteger(r request, rank uint64) []byte {
	span := r.max - r.min
	offset := least(rank, span)
	if r.kind == kindInt {
		offset = uint64(zigzag(int64(r.min), int64(r.max), offset)) - r.min
	}
	if top := uint64(math.MaxUint64) >> (64 - 8*r.width); span == top {
		return little(nil, (r.min+offset)&top, r.width)
	}
	return encodeBounded(r.width, span, offset)
}

// firstOf returns the first number drawn that means an index, or the nearest one that has a weight.
func firstOf(weights []uint32, sum, index uint64) (last uint64) {
	before := uint64(0)
	for k := uint64(0); before < sum && (k <= index || before == 0); k++ {
		if weights[k] > 0 {
			last = before
		}
		before += uint64(weights[k])
	}
	return last
}

func encodePick(r request, pick uint64) []byte {
	end, share := r.min&0xffff, r.min>>16&0xffff
	if r.min>>32&2 != 0 && pick == 0 {
		pick = 1
	}
	pick = least(pick, r.max)
	if r.min>>32&1 != 0 {
		pick = 0
	}
	value := uint64(0)
	if pick > 0 {
		value = end + (pick-1)*share
	}
	return encodeBounded(r.width, end+share*r.max-1, value)
}

const wholeMost = 1 << 53

func isWhole(value float64) bool {
	return math.Abs(value) <= wholeMost && value == math.Trunc(value)
}

func rankOfWhole(value float64) uint64 { return unzigzag(-wholeMost, wholeMost, int64(value)) }

func encodeReal(of uint64) []byte {
	const span = 2*wholeMost - 1
	value := math.Float64frombits(of)
	if of != 1<<63 && isWhole(value) && rankOfWhole(value) <= span {
		rank := rankOfWhole(value)
		return append([]byte{byte(bits.Len64(rank))}, encodeOfBits(rank, span)...)
	}
	for k := 1; k <= 16 && value != 0; k++ {
		if value *= 2; !isWhole(value) {
			continue
		}
		if rank := rankOfWhole(value); rank <= math.MaxUint32 {
			head := []byte{byte(64 + bits.Len64(rank) - 1)}
			return append(append(head, encodeOfBits(rank, math.MaxUint32)...), byte(k-1))
		}
		break
	}
	return little([]byte{192}, of, 8)
}

// encodeRealRange takes the nearest double of a range; 0 stands for its simplest, a whole number.
func encodeRealRange(min, max float64, of uint64) []byte {
	value := math.Float64frombits(of)
	const most = 1 << 52
	if of == 0 && (min > 0 && max < most || max < 0 && min > -most) {
		if low, high := units(min, 0, true), units(max, 0, false); low <= high {
			value = float64(high)
			if min > 0 {
				value = float64(low)
			}
		}
	}
	if !(value > min) {
		value = min
	} else if value >= max {
		value = max
	}
	exponent, low, high := grid(min, max)
	unit := units(value, exponent, false)
	if value <= min {
		unit = low
	} else if value >= max {
		unit = high
	}
	return encodeBounded(8, uint64(high-low), unzigzag(low, high, unit))
}
