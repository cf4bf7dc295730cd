package frng

import (
	"math/bits"
	"unsafe"
)

// The table of labels that a driver may want: a head, and a row for each label, measure and goal. See
// PROTOCOL.md.
const (
	atLabels, atLabelCount, atMarked               = 56, 64, 176
	inRuns, inRanOut, inUsed, inLost, inFew        = 0, 8, 16, 24, 32
	inDrawn, labelHeadSize                         = 64, 4208
	inKind, inValue, inValues, rowSize, labelsMost = 56, 64, 72, 2144, 64
	label, measure                                 = 2, 3
)

// Label says that this run has a property. A search shows the shares, and Check does with -v.
func (f *F) Label(name string) { f.mark(label, name, 1) }

// Measure says that the number of this name is value in this run.
func (f *F) Measure(name string, value uint64) { f.mark(measure, name, value) }

func (f *F) mark(kind uint64, name string, value uint64) {
	if f.marks != nil && kind == label {
		f.marks[name] = true
	}
	if f.goals > 0 && kind == goal {
		f.climb(f, name, value)
	}
	if f.labels == 0 {
		return
	}
	if i := f.rowOf(kind, name); i < f.labelCount {
		if at := f.word(f.row(i) + inValue); kind != goal || *f.word(atMarked)>>i&1 == 0 || value > *at {
			*at = value
		}
		*f.word(atMarked) |= 1 << i
	}
}

// wantLabels takes the wish of the driver for its next runs.
func (r *report) wantLabels() {
	at, count, size := *r.word(atLabels), *r.word(atLabelCount), uint64(len(r.memory))
	r.labels, r.labelCount = 0, 0
	if count > 0 && count <= labelsMost && at%8 == 0 && at > atSite && at < size &&
		labelHeadSize+count*rowSize <= size-at {
		r.labels, r.labelCount = at, count
	}
}

func (r *report) row(i uint64) uint64 { return r.labels + labelHeadSize + i*rowSize }

// rowOf returns the index of the row of a name, which is added if it is new.
func (r *report) rowOf(kind uint64, name string) uint64 {
	var text [inKind]byte
	copy(text[:inKind-1], name)
	used := r.word(r.labels + inUsed)
	for i := uint64(0); i < *used && i < r.labelCount; i++ {
		at := r.row(i)
		if *r.word(at + inKind) == kind && string(r.memory[at:at+inKind]) == string(text[:]) {
			return i
		}
	}
	if *used >= r.labelCount {
		*r.word(r.labels + inLost)++
		return r.labelCount
	}
	at := r.row(*used)
	for i := at; i < at+rowSize; i++ {
		r.memory[i] = 0
	}
	copy(r.memory[at:], text[:])
	*r.word(at + inKind) = kind
	*used++
	return *used - 1
}

// countRun counts a run that has passed.
func (r *report) countRun(f *F) {
	*r.word(r.labels + inRuns)++
	r.count(r.labels+inDrawn, *f.used)
	if f.discarded {
		*r.word(atMarked) = 0 // labels are shares of the others
	} else if f.out {
		*r.word(r.labels + inRanOut)++
	} else if f.draws < 4 {
		*r.word(r.labels + inFew + 8*f.draws)++
	}
	marked := r.word(atMarked)
	for ; *marked != 0; *marked &= *marked - 1 {
		at := r.row(uint64(bits.TrailingZeros64(*marked)))
		value := *f.used
		if *r.word(at + inKind) != label {
			value = *r.word(at + inValue)
		}
		if *r.word(at + inKind) == goal && (*r.word(at + inValues) == 0 || value > *r.word(at + inValues + 16)) {
			*r.short(at + inValues + 24 + 4*goalRun) = uint32(*r.word(atRun))
			*r.short(at + inValues + 28 + 4*goalRun) = uint32(*f.used)
		}
		r.count(at+inValues, value)
	}
}

// count adds a value to a histogram: the count, the least, the largest, and 512 counts of 32 bits.
func (r *report) count(at, value uint64) {
	count, min, max := r.word(at), r.word(at+8), r.word(at+16)
	if *count == 0 || value < *min {
		*min = value
	}
	if *count == 0 || value > *max {
		*max = value
	}
	*count++
	bucket := value
	if value >= 16 {
		e := uint64(bits.Len64(value)) - 1
		bucket = 16 + 8*(e-4) + value>>(e-3)&7
	}
	*(*uint32)(unsafe.Pointer(&r.memory[at+24+4*bucket]))++
}
