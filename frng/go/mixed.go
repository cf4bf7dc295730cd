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

const (
	allDays, until9999 = 3652059, 2921940 // until9999: days from 2000-01-01 to 9999-12-31
	secondsOfDay       = 24 * 60 * 60
)

var firstDay = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Unix()

// dayOf returns the number of a day from 2000-01-01 on; 0001-01-01 follows 9999-12-31.
func dayOf(date time.Time) uint64 {
	year, month, day := date.Date()
	if year < 1 || year > 9999 {
		panic("frng: a day before the year 1 or after 9999")
	}
	days := (time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() - firstDay) / secondsOfDay
	return uint64(days+allDays) % allDays
}

// Date returns midnight (UTC) of a day of the years 1 to 9999, of which 2000-01-01 is the simplest,
// or of a range, of which the first is: f.Date(from, to), both ends included.
func (f *F) Date(bounds ...time.Time) time.Time {
	start, first, span := *f.used, uint64(0), uint64(allDays-1)
	if len(bounds) == 2 {
		first, span = dayOf(bounds[0]), (dayOf(bounds[1])+allDays-dayOf(bounds[0]))%allDays
	}
	if len(bounds) == 1 || len(bounds) > 2 || len(bounds) == 2 && bounds[1].Before(bounds[0]) {
		panic("frng: the bounds of a date are none, or the first day and the last")
	}
	f.ask(kindDate, 4, first, first+span, nil)
	number := first + f.bounded(start, 4, span)
	f.drawn(kindDate, 4, start, *f.used, first, first+span, number)
	year, day := 2000, int(number%allDays)
	if day >= until9999 {
		year, day = 1, day-until9999
	}
	date := time.Date(year, time.January, 1+day, 0, 0, 0, 0, time.UTC)
	f.tells(date)
	return date
}
