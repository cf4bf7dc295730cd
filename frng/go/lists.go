package frng

import "fmt"

// next returns 0, the end of a list, or one of 1..letters, all as likely. A list has min..max
// elements in the end, and count now. It also returns how, the field min of the draw's record.
func (f *F) next(kind int, start uint64, letters, count, min, max int) (which uint64, how uint64) {
	if count < 0 || min < 0 || min > max {
		panic(fmt.Sprintf("frng: element %d of a list of %d..%d", count, min, max))
	}
	if letters < 1 || letters > 32768 {
		panic(fmt.Sprintf("frng: an alphabet of %d letters", letters))
	}
	mean, width, things := uint64(16), 1, uint64(letters)
	if max > min && (max-min)/2 < 16 {
		mean = uint64(max-min)/2 + 1
	}
	if letters > 128 {
		width = 2
	}
	share := 1 << (8 * width) * mean / (things * (mean + 1)) // numbers for each letter
	end := share * things / mean                             // numbers for the end
	how = end | share<<16
	if count >= max {
		how |= 1 << 32 // it must end
	} else if count < min {
		how |= 2 << 32 // it must go on: numbers that mean the end are rejected
	}
	f.ask(kind, width, how, things, nil)
	x := f.bounded(start, width, end+share*things-1)
	for count < min && x < end {
		x = f.bounded(start, width, end+share*things-1)
	}
	if count >= max || x < end {
		return 0, how
	}
	return 1 + (x-end)/share, how
}

// More tells whether a list of count elements has one more; it has min..max in the end.
func (f *F) More(count, min, max int) bool {
	start := *f.used
	more, how := f.next(kindMore, start, 1, count, min, max)
	f.drawn(kindMore, 1, start, *f.used, how, 1, more)
	f.tell(func(s *story) { s.more(count, more == 1) })
	return more == 1
}

// String returns a string of min..max characters of an alphabet, whose first one is the simplest.
func (f *F) String(alphabet string, min, max int) string {
	letters := []rune(alphabet)
	width := 1
	if len(letters) > 128 {
		width = 2
	}
	var text []rune
	for {
		start := *f.used
		which, how := f.next(kindLetter, start, len(letters), len(text), min, max)
		value := which
		if which > 0 {
			text = append(text, letters[which-1])
			value |= shown(letters[which-1]) << 32
		}
		f.drawn(kindLetter, width, start, *f.used, how, uint64(len(letters)), value)
		if which == 0 {
			f.tell(func(s *story) { s.add("string", part{text: fmt.Sprintf("%q", string(text))}) })
			return string(text)
		}
	}
}

// UTF8 returns a string of min..max code points: the 95 of ASCII that print, and 33 that break
// programs, such as zeros, ends of lines, accents, emoji, and marks of direction.
func (f *F) UTF8(min, max int) string { return f.String(codePoints, min, max) }

const codePoints = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" +
	"\x00\t\n\r\x1b\x7f\u0080\u00a0\u00ad²ßàÿİıŉſǅ\u0301Ωя\u05d0\u0661" +
	"\u200b\u200d\u202e\u2028ﬀ\ufeff\uffff😀𝒳\U0010ffff"

// Depth tells whether a tree goes a level deeper, with so many levels left: from 1 byte, or no.
func (f *F) Depth(left int) bool { return left > 0 && f.Bool() }

// Thing returns one of the things that a test has made. It counts back from the newest, the last of
// the list, so that a reduction can delete those before it.
func Thing[T any](f *F, things []T) T {
	thing := things[len(things)-1-f.pick(len(things))]
	f.tells(thing)
	return thing
}

// TakeThing returns one as Thing does, and takes it out of the list.
func TakeThing[T any](f *F, things *[]T) T {
	at := len(*things) - 1 - f.pick(len(*things))
	thing := (*things)[at]
	*things = append((*things)[:at:at], (*things)[at+1:]...)
	f.tells(thing)
	return thing
}

// shown is what a trace shows of a character: it has room for a byte.
func shown(letter rune) uint64 {
	if letter < 128 {
		return uint64(letter)
	}
	return '?'
}

// fit returns the fewest bytes of a number up to max.
func fit(max uint64) int {
	switch {
	case max < 1<<8:
		return 1
	case max < 1<<16:
		return 2
	case max < 1<<32:
		return 4
	}
	return 8
}

// pick is an index below count, from as few bytes as do.
func (f *F) pick(count int) int {
	if count < 1 {
		panic("frng: a pick of nothing")
	}
	max := uint64(count) - 1
	return int(f.of(kindIndex, fit(max), 0, max))
}

// Pick returns an element of a list that is not empty, from as few bytes as do.
func Pick[T any](f *F, list []T) T {
	element := list[f.pick(len(list))]
	f.tells(element)
	return element
}

// List returns a list of min..max elements, each made by a call: frng.List(f, 0, 20, f.Bool).
func List[T any](f *F, min, max int, element func() T) []T {
	return Draw(f, func() (list []T) {
		for f.More(len(list), min, max) {
			list = append(list, element())
		}
		return list
	})
}

// PickWeighted returns an index as Weighted does, from as few bytes as do.
func (f *F) PickWeighted(weights ...uint32) int {
	max := sum(weights) - 1
	return f.indexOf(weights, f.of(kindWeighted, fit(max), 0, max, weights...))
}

func sum(weights []uint32) (sum uint64) {
	for _, weight := range weights {
		sum += uint64(weight)
	}
	if sum == 0 {
		panic("frng: weights without a sum")
	}
	return sum
}

func (f *F) indexOf(weights []uint32, left uint64) (index int) {
	for ; left >= uint64(weights[index]); index++ {
		left -= uint64(weights[index])
	}
	f.tells(index)
	return index
}

// Swarm returns small weights, of which some are 0, but not all. Drawn once, they make each run
// leave out others.
func (f *F) Swarm(count int) []uint32 {
	return tellsNew(f, "swarm", func() []uint32 {
		weights, total := make([]uint32, count), uint32(0)
		for i := range weights {
			weights[i] = [...]uint32{1, 0, 0, 0, 1, 2, 4, 8}[f.U8(0, 7)]
			total += weights[i]
		}
		for i := range weights {
			if total == 0 {
				weights[i] = 1
			}
		}
		return weights
	})
}

// Shuffle puts a list in any order. Out of entropy leaves a permutation.
func Shuffle[T any](f *F, list []T) {
	tellsNew(f, "shuffle", func() []T {
		for i := 0; i+1 < len(list); i++ {
			j := i + f.Index(len(list)-i)
			list[i], list[j] = list[j], list[i]
		}
		return list
	})
}

// Permutation returns the numbers below count in any order, from as few bytes as do.
func (f *F) Permutation(count int) []int {
	return tellsNew(f, "permutation", func() []int {
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		for i := 0; i+1 < count; i++ {
			at := i + f.pick(count-i)
			taken := order[at]
			copy(order[i+1:at+1], order[i:at]) // the rest stays in its order
			order[i] = taken
		}
		return order
	})
}

// Subset returns a mask of count bits, at most 64, of which any can be set.
func (f *F) Subset(count int) uint64 {
	if count < 1 || count > 64 {
		panic("frng: a subset is one of 1 to 64 things")
	}
	start, all := *f.used, ^uint64(0)>>(64-count)
	f.ask(kindSubset, fit(all), 0, all, nil)
	mask := f.number(start, fit(all)) & all
	f.drawn(kindSubset, fit(all), start, *f.used, 0, all, mask)
	return mask
}
