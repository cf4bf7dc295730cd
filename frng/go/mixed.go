package frng

import (
	"math/bits"
	"time"
	"unsafe"
)

// ofBits returns a number of exactly so many bits, at most max.
func (f *F) ofBits(start uint64, count int, max uint64) uint64 {
	if count == 0 {
		return 0
	}
	low := uint64(1) << (count - 1)
	span := low - 1
	if max-low < span {
		span = max - low
	}
	if span == 0 {
		return low
	}
	return low + f.bounded(start, fit(span), span)
}

// Mixed returns one of min..max of every magnitude: each count of bits is as likely. So there are
// as many small ones as large ones: frng.Mixed(f, int32(-5), 1000), frng.Mixed[uint16](f, 0, 60000).
func Mixed[T integer](f *F, min, max T) T {
	if min > max {
		panic("frng: min is above max")
	}
	start, span, kind := *f.used, uint64(max)-uint64(min), kindMixedUint
	if T(0)-1 < 0 {
		kind = kindMixedInt
	}
	f.ask(kind, int(unsafe.Sizeof(max)), uint64(min), uint64(max), nil)
	rank := f.ofBits(start, int(f.bounded(start, 1, uint64(bits.Len64(span)))), span)
	value := uint64(min) + rank
	if kind == kindMixedInt {
		value = uint64(zigzag(int64(min), int64(max), rank))
	}
	f.drawn(kind, int(unsafe.Sizeof(max)), start, *f.used, uint64(min), uint64(max), value)
	return T(value)
}

// zigzag returns number rank of 0, 1, -1, 2, -2 ... as far as they are in min..max.
func zigzag(min, max int64, rank uint64) int64 {
	if min > 0 {
		return min + int64(rank)
	}
	if max < 0 {
		return max - int64(rank)
	}
	both := uint64(max) // so many values are on both sides of 0
	if -uint64(min) < both {
		both = -uint64(min)
	}
	switch {
	case rank > 2*both && uint64(max) > -uint64(min):
		return int64(rank - both)
	case rank > 2*both:
		return int64(both - rank)
	case rank%2 == 1:
		return int64(rank/2) + 1
	}
	return -int64(rank / 2)
}

// Date returns midnight (UTC) of a day of the years 1 to 9999. 2000-01-01 is the simplest one.
func (f *F) Date() time.Time {
	const last, until9999 = 3652058, 2921940
	start, year := *f.used, 2000
	f.ask(kindDate, 4, 0, last, nil)
	day := f.bounded(start, 4, last)
	f.drawn(kindDate, 4, start, *f.used, 0, last, day)
	if day >= until9999 {
		year, day = 1, day-until9999
	}
	date := time.Date(year, time.January, 1+int(day), 0, 0, 0, 0, time.UTC)
	f.tells(date)
	return date
}
