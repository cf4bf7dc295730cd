package frng

// More tells whether a list of count elements has one more; it has min..max in the end.
func (f *F) More(count, min, max int) bool {
	if min > max {
		panic("frng: min is above max")
	}
	start, mean := *f.used, uint64(16)
	if max > min && (max-min)/2 < 16 {
		mean = uint64((max-min)/2) + 1
	}
	share := 256 * mean / (mean + 1)
	end := share / mean
	how := end | share<<16
	if count >= max {
		how |= 1 << 32 // it must end
	} else if count < min {
		how |= 2 << 32 // it must go on: numbers that mean the end are rejected
	}
	var pick, more uint64
	for again := true; again; again = count < min && pick < end {
		pick = f.bounded(start, 1, end+share-1)
	}
	if count < max && pick >= end {
		more = 1
	}
	f.drawn(kindMore, 1, start, *f.used, how, 1, more)
	return more == 1
}

// Pick returns an element of a list that is not empty, from as few bytes as do.
func Pick[T any](f *F, list []T) T {
	if len(list) == 0 {
		panic("frng: a pick of nothing")
	}
	width, max := 8, uint64(len(list)-1)
	for _, w := range []int{4, 2, 1} {
		if max>>(8*w) == 0 {
			width = w
		}
	}
	return list[f.of(kindIndex, width, 0, max)]
}

// Shuffle puts a list in any order. Out of entropy leaves a permutation.
func Shuffle[T any](f *F, list []T) {
	for i := 0; i+1 < len(list); i++ {
		j := i + f.Index(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
}
