package frng

import "math"

// F64Any returns any double: a whole number, one with a fraction of up to 16 bits, one near a power
// of two or special, or any bits, each in a quarter of cases.
func (f *F) F64Any() float64 {
	start := *f.used
	f.ask(kindReal, 8, 0, 0, nil)
	head := f.number(start, 1)
	var value float64
	switch {
	case head < 64:
		value = whole(f.ofBits(start, int(head%55), 1<<54-1))
	case head < 128:
		rank := f.ofBits(start, int(head%32+1), math.MaxUint32)
		value = math.Ldexp(whole(rank), -int(f.number(start, 1)%16+1))
	case head < 192:
		value = math.Float64frombits(near(f.number(start, 8)))
	default:
		value = math.Float64frombits(f.number(start, 8))
	}
	f.drawn(kindReal, 8, start, *f.used, 0, 0, math.Float64bits(value))
	return value
}

func whole(rank uint64) float64 { return float64(zigzag(-1<<53, 1<<53, rank)) }

// near returns bits at most 31 steps from a power of two, or special.
func near(drawn uint64) uint64 {
	power := [8]uint64{0, 1, 1022, 1023, 1024, 1076, 2046, 2047}[drawn>>2&7]
	if drawn&3 == 0 {
		power = drawn >> 5 & 2047
	}
	bits, steps := power<<52, drawn>>16&31
	switch how := drawn >> 21 & 7; {
	case how&3 == 1:
		bits++
	case how&3 == 2 && bits > 0:
		bits--
	case how == 3:
		bits += steps
	case how == 7 && bits < steps:
		bits = 0
	case how == 7:
		bits -= steps
	}
	if bits > 2047<<52 {
		bits = 4095 << 51
	}
	return bits | drawn&(1<<63)
}

// F64Range returns a double of min..max, which are finite: uniform, in ulps of the larger bound.
func (f *F) F64Range(min, max float64) float64 {
	if !(min <= max) || math.IsInf(min, 0) || math.IsInf(max, 0) {
		panic("frng: min is above max, or not finite")
	}
	start := *f.used
	f.ask(kindRealRange, 8, math.Float64bits(min), math.Float64bits(max), nil)
	exponent, low, high := grid(min, max)
	value := math.Ldexp(float64(zigzag(low, high, f.bounded(start, 8, uint64(high-low)))), exponent)
	if value < min {
		value = min
	} else if value > max {
		value = max
	}
	f.drawn(kindRealRange, 8, start, *f.used, math.Float64bits(min), math.Float64bits(max),
		math.Float64bits(value))
	return value
}

// grid returns the exponent of the last place of the larger bound, and the bounds in such units.
func grid(min, max float64) (exponent int, low, high int64) {
	exponent = int(math.Float64bits(math.Max(math.Abs(min), math.Abs(max))) >> 52)
	if exponent == 0 {
		exponent = 1
	}
	exponent -= 1075
	return exponent, units(min, exponent, false), units(max, exponent, true)
}

// units returns floor(value / 2^exponent), or ceil. The result has 53 bits at most.
func units(value float64, exponent int, up bool) int64 {
	bits := math.Float64bits(value)
	field, digits := int(bits>>52&2047), bits&(1<<52-1)
	if field > 0 {
		digits |= 1 << 52
	} else {
		field = 1
	}
	shift := exponent + 1075 - field
	rest, part := digits, uint64(0)
	if shift < 64 {
		part = digits >> shift
		rest = digits - part<<shift
	}
	isNegative := bits>>63 == 1
	if rest > 0 && up != isNegative {
		part++
	}
	if isNegative {
		return -int64(part)
	}
	return int64(part)
}
