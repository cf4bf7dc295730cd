package frng

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
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
	files, err := filesOf(folder)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no findings: %v", err)
	} else if err != nil {
		t.Errorf("no findings: %v", err)
	}
	for _, file := range files {
		i, err := read(file)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if options := i.options(); err == nil && len(options) <= 140 {
			name += ": " + options
		}
		t.Run(name, func(t T) {
			if err == nil {
				f := i.generator()
				if why := f.alone(test); why != nil {
					t.Errorf("%s fails: %v", file, why)
					return
				}
				err = i.passes(file)
			}
			if err != nil {
				t.Errorf("%v", err)
			}
		})
	}
}

// filesOf returns the findings of a folder.
func filesOf(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if _, isLink := os.Readlink(folder); isLink == nil && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is a link to nothing", folder)
	}
	var files []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".json") {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	return files, err
}

// kept is the draws that a finding keeps. It hears of those of a run.
type kept struct {
	draws       string // "": of before findings told them
	count       int    // of these
	made        int
	digest      uint64
	hasNarrowed bool
}

func (k *kept) add(kind, width int, min, max uint64) {
	if k.made == k.count {
		return
	}
	k.made++
	for _, byte := range little(little([]byte{byte(kind), byte(width)}, min, 8), max, 8) {
		k.digest = (k.digest ^ uint64(byte)) * 0x100000001b3
	}
}

// passes returns an error if the run of a finding, which has passed, made other draws.
func (i example) passes(file string) error {
	if i.kept == nil || i.kept.draws == "" && !i.kept.hasNarrowed || i.kept.draws == fmt.Sprintf("%d-%016x", i.kept.made, i.kept.digest) {
		return nil
	}
	return fmt.Errorf("%s %s", file, saysOtherDraws)
}

// keep sets the draws of an input: "16-479e4b600cd16ce5".
func (i *example) keep(draws string) error {
	count, _, _ := strings.Cut(draws, "-")
	n, err := strconv.Atoi(count)
	if !regexp.MustCompile("^[1-9][0-9]{0,3}-[0-9a-f]{16}$").MatchString(draws) || err != nil {
		return errors.New("its draws make no sense")
	}
	i.kept = &kept{draws: draws, count: n, digest: 0xcbf29ce484222325}
	return nil
}

// read returns the input of a finding.
func read(file string) (i example, err error) {
	var finding struct {
		Format, Expand   int
		Size             *int
		Seed, Hex, Draws *string
		Sut              string
	}
	status, err := os.Stat(file)
	if err == nil && !status.Mode().IsRegular() { // a pipe would make us wait
		err = errors.New("it is no regular file")
	} else if err == nil && status.Size() > 4*checkInputMax {
		err = errors.New("the file is too large")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err == nil {
		err = json.Unmarshal(text, &finding)
	}
	if err == nil && (finding.Format < 1 || finding.Format > 2 || finding.Seed != nil && finding.Expand != 1) {
		err = errors.New("it is of a later version of frng")
	}
	if err == nil {
		i, err = inputOf(finding.Size, finding.Seed, finding.Hex)
	}
	i.kept = &kept{}
	if err == nil && finding.Draws != nil {
		err = i.keep(*finding.Draws)
	}
	i.isOther = finding.Sut != "" && filepath.Base(finding.Sut) != filepath.Base(os.Args[0])
	if err != nil {
		err = fmt.Errorf("%s is no finding: %v", file, err)
	}
	return i, err
}

// inputOf returns the input of the fields of a result line, or of a finding.
func inputOf(size *int, seed, hexes *string) (i example, err error) {
	switch {
	case hexes != nil:
		i.hex = *hexes
		i.entropy, err = hex.DecodeString(i.hex)
		i.size = len(i.entropy)
		if err == nil && size != nil && *size != i.size {
			err = errors.New("its size is not that of its bytes")
		}
	case size == nil || seed == nil || *size < 0 || *size > checkInputMax:
		err = errors.New("it has neither hex nor a size and a seed")
	default:
		i.size, i.seed = *size, *seed
		i.entropy, err = Expand(i.seed, i.size)
	}
	return i, err
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
	t := &style{pick: pick, width: int(styleWidths[at(0)])}
	t.lead = int(styleLeads[at(15)]) % t.width
	t.repeat = styleRepeats[at(6)]
	if at(3) >= 5 && pick>>18&1 == 1 {
		t.repeat = 0
	}
	t.window = t.repeat + styleRare[at(12)]
	t.edge = t.window + styleEdges[at(3)]
	t.near = t.edge + styleRare[at(9)]
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
