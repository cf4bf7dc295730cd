package frng

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A tester is a *testing.T: what links no testing package into programs.
type tester[T any] interface {
	Run(name string, f func(T)) bool
	Errorf(format string, arguments ...any)
	Skipf(format string, arguments ...any)
}

// Replay makes the run of each finding in a folder, each as a subtest that its file names, and the
// options that replay it if they are short, as in "0000000016-2bb3d5: --size 16 --seed 31491504".
// One that still fails fails the test. Check replays the folder findings/NAME by itself.
//
//	func TestFindings(t *testing.T) { frng.Replay(t, "found", test) }
//
// The test is skipped if there is no such folder.
func Replay[T tester[T]](t T, folder string, test func(f *F)) {
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no findings: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*-*.json"))
	for _, file := range files {
		name, entropy, err := read(file)
		t.Run(name, func(t T) {
			if err == nil {
				err = Try(test, entropy)
			}
			if err != nil {
				t.Errorf("%s fails: %v", file, err)
			}
		})
	}
}

// read returns the name of a finding, and its entropy: its bytes, or those of its seeds.
func read(file string) (name string, entropy []byte, err error) {
	var finding struct {
		Expand, Size int
		Seed         string
		Hex          *string
	}
	addOptions := func(options string) {
		if len(options) <= 140 {
			name += ": " + options
		}
	}
	name = strings.TrimSuffix(filepath.Base(file), ".json")
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &finding)
	}
	switch {
	case err != nil:
		return name, nil, err
	case finding.Hex != nil:
		addOptions("--hex " + *finding.Hex)
		entropy, err = hex.DecodeString(*finding.Hex)
		return name, entropy, err
	case finding.Expand != 1 || finding.Size < 0:
		return name, nil, errors.New("no finding, or one of a later version of frng")
	}
	addOptions(fmt.Sprintf("--size %d --seed %s", finding.Size, finding.Seed))
	entropy, err = Expand(finding.Seed, finding.Size)
	return name, entropy, err
}

// Expand returns the first size bytes of a seed: "17", or a styled one, "17s".
func Expand(seed string, size int) ([]byte, error) {
	number, isStyled := strings.TrimSuffix(seed, "s"), strings.HasSuffix(seed, "s")
	start, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no seed", seed)
	}
	return expand(start, isStyled, size), nil
}

// outputs is xoshiro256++, whose state SplitMix64 makes from a seed.
type outputs [4]uint64

func newOutputs(seed uint64) (s outputs) {
	for i := range s {
		seed += 0x9e3779b97f4a7c15
		z := (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		s[i] = z ^ z>>31
	}
	return s
}

func (s *outputs) next() uint64 {
	result := bits.RotateLeft64(s[0]+s[3], 23) + s[0]
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = bits.RotateLeft64(s[3], 45)
	return result
}

func expand(seed uint64, isStyled bool, size int) []byte {
	s, bytes := newOutputs(seed), make([]byte, 0, size+16)
	next := func(bytes []byte) []byte { return little(bytes, s.next(), 8) }
	if isStyled {
		if style := newStyle(s.next()); style.near > 0 {
			bytes = little(bytes, style.pick>>32, style.lead)
			next = func(bytes []byte) []byte { return style.group(bytes, s.next(), s.next()) }
		}
	}
	for len(bytes) < size {
		bytes = next(bytes)
	}
	return bytes[:size]
}

// little appends the lowest bytes of a number.
func little(bytes []byte, x uint64, width int) []byte {
	for ; width > 0; width-- {
		bytes, x = append(bytes, byte(x)), x>>8
	}
	return bytes
}

// A style says how uneven the bytes of a styled seed are. Its chances are sums, in 64ths.
type style struct {
	pick                       uint64
	width, lead                int
	repeat, window, edge, near uint64
	words                      []uint64
	distance                   int      // of the window that is open; 0: none is
	rest                       []uint64 // words of an extreme that are still to come
}

func newStyle(pick uint64) *style {
	at := func(shift int) int { return int(pick >> shift & 7) }
	rare := [8]uint64{4: 2, 4, 8, 16}
	t := &style{pick: pick, width: [8]int{1, 1, 2, 4, 4, 4, 8, 8}[at(0)]}
	t.lead = [8]int{5: 1, 1, 2}[at(15)] % t.width
	t.repeat = [8]uint64{3: 8, 32, 56, 62, 63}[at(6)]
	if at(3) >= 5 && pick>>18&1 == 1 {
		t.repeat = 0
	}
	t.window = t.repeat + rare[at(12)]
	t.edge = t.window + [8]uint64{3: 8, 24, 48, 60, 63}[at(3)]
	t.near = t.edge + rare[at(9)]
	return t
}

// group appends the words of eight bytes.
func (t *style) group(bytes []byte, fresh, picks uint64) []byte {
	for at := 0; at < 64; at += 8 * t.width {
		word := t.word(bits.RotateLeft64(fresh, -at), picks>>at&255)
		t.words = append(t.words, word)
		bytes = little(bytes, word, t.width)
	}
	return bytes
}

func (t *style) word(random, how uint64) uint64 {
	top := ^uint64(0) >> (64 - 8*t.width)
	number, chance, made := random&top, how>>2, len(t.words)
	switch {
	case len(t.rest) > 0:
		number, t.rest = t.rest[0], t.rest[1:]
		return number
	case t.distance > 0 && chance >= 8:
		return t.words[made-t.distance]
	case t.distance > 0:
		t.distance = 0
		return number
	case chance >= t.near:
		return number
	case chance >= t.window && chance < t.edge:
		return t.extreme(random, how)
	case made == 0:
		return number
	}
	have := made
	if have > 64 {
		have = 64
	}
	distance := 1 + int(number&255)*have>>8
	word := t.words[made-distance]
	if chance >= t.edge {
		return (word + how&1*2 - 1) & top
	}
	if chance >= t.repeat {
		t.distance = distance
	}
	return word
}

// extreme returns the first word of an extreme, and keeps the others. It can be wider than a word.
func (t *style) extreme(random, how uint64) uint64 {
	wide := t.width
	if w := [4]int{1, 4, 4, 8}[how&3]; t.width <= 2 && w > wide {
		wide = w
	}
	top, small := ^uint64(0)>>(64-8*wide), random>>4&15
	half := top >> 1
	power := uint64(1) << ((random >> 4) % uint64(8*wide))
	x := [16]uint64{0, 0, top, top, top, top, half, half, half + 1, half + 1, half + 1, half + 1,
		small, power, power, top - small}[random&15]
	for at := t.width; at < wide; at += t.width {
		t.rest = append(t.rest, x>>(8*at)&(^uint64(0)>>(64-8*t.width)))
	}
	return x & (^uint64(0) >> (64 - 8*t.width))
}
