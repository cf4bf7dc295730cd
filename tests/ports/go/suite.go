// The targets and comparisons of each port, in Go; see tests/ports/c/suite.c.
package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"frng"
)

// ---- Digests, as DIGESTS.md describes them ----

type digest uint64

func (d *digest) byte(x byte) { *d = (*d ^ digest(x)) * 0x100000001b3 }

func (d *digest) fold(x uint64) {
	for i := 0; i < 8; i++ {
		d.byte(byte(x >> (8 * i)))
	}
}

const begin digest = 0xcbf29ce484222325

func expanded(seed string, size int) []byte {
	bytes, err := frng.Expand(seed, size)
	if err != nil {
		panic(err)
	}
	return bytes
}

// bounds returns the range of a type of w bits; those of signed types in two's complement.
func bounds(a, b uint64, w int, isSigned bool) (min, max uint64) {
	top := uint64(math.MaxUint64) >> (64 - w)
	power := uint64(1)<<((a>>8)%uint64(w)) - 1 + a>>16&1
	span := [4]uint64{a >> 8 & 15, a >> 8 & top, top, power}[a%4]
	low := b & top
	if low > top-span {
		low = top - span
	}
	if isSigned {
		low -= 1 << (w - 1)
	}
	return low, low + span
}

var names = strings.Fields("bytes bool u8 u16 u32 u64 i8 i16 i32 i64 u8_range u16_range u32_range " +
	"u64_range i8_range i16_range i32_range i64_range index weighted swarm_weights shuffle f64 chance")

func number(f *frng.F, name string, a, b uint64) uint64 {
	kind, _, isRange := strings.Cut(name, "_")
	w, _ := strconv.Atoi(kind[1:])
	min, max := bounds(a, b, w, kind[0] == 'i')
	switch {
	case name == "u8":
		return uint64(f.U8())
	case name == "u16":
		return uint64(f.U16())
	case name == "u32":
		return uint64(f.U32())
	case name == "u64":
		return f.U64()
	case name == "i8":
		return uint64(f.I8())
	case name == "i16":
		return uint64(f.I16())
	case name == "i32":
		return uint64(f.I32())
	case name == "i64":
		return uint64(f.I64())
	case kind == "u8" && isRange:
		return uint64(f.U8(uint8(min), uint8(max)))
	case kind == "u16":
		return uint64(f.U16(uint16(min), uint16(max)))
	case kind == "u32":
		return uint64(f.U32(uint32(min), uint32(max)))
	case kind == "u64":
		return f.U64(min, max)
	case kind == "i8":
		return uint64(f.I8(int8(min), int8(max)))
	case kind == "i16":
		return uint64(f.I16(int16(min), int16(max)))
	case kind == "i32":
		return uint64(f.I32(int32(min), int32(max)))
	}
	return uint64(f.I64(int64(min), int64(max)))
}

func toNumber(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func foldDraw(f *frng.F, name string, a, b uint64, d *digest) {
	switch name {
	case "bytes":
		for _, x := range f.Bytes(int(a & 15)) {
			d.fold(uint64(x))
		}
	case "bool":
		d.fold(toNumber(f.Bool()))
	case "index":
		d.fold(uint64(f.Index(int(1 + a>>(33+b%31)))))
	case "weighted":
		weights := make([]uint32, 1+a&7)
		for j := range weights {
			weights[j] = uint32(b >> (8 * j) & 255)
		}
		weights[0]++
		d.fold(uint64(f.Weighted(weights...)))
	case "swarm_weights":
		for _, weight := range f.SwarmWeights(int(1 + a&7)) {
			d.fold(uint64(weight))
		}
	case "shuffle":
		for _, x := range shuffled(f, int(a&7)) {
			d.fold(uint64(x))
		}
	case "f64":
		d.fold(math.Float64bits(f.F64()))
	case "chance":
		denominator := 1 + a&65535
		d.fold(toNumber(f.Chance(uint32(b%(denominator+1)), uint32(denominator))))
	default:
		d.fold(number(f, name, a, b))
	}
}

func shuffled(f *frng.F, count int) []int {
	list := make([]int, count)
	for j := range list {
		list[j] = j
	}
	frng.Shuffle(f, list)
	return list
}

func printDigests() {
	for k, name := range names {
		f := frng.New(expanded(strconv.Itoa(100+k), 400000))
		arguments, d := expanded(strconv.Itoa(200+k), 160000), begin
		for ; len(arguments) > 0; arguments = arguments[16:] {
			a, b := binary.LittleEndian.Uint64(arguments), binary.LittleEndian.Uint64(arguments[8:])
			foldDraw(f, name, a, b, &d)
		}
		d.fold(uint64(f.Used()))
		fmt.Printf("%s %016x\n", name, uint64(d))
	}
	for _, style := range []string{"", "s"} {
		d := begin
		for seed := 0; seed < 300; seed++ {
			for _, x := range expanded(strconv.Itoa(seed)+style, 1003) {
				d.byte(x)
			}
		}
		fmt.Printf("%s %016x\n", map[string]string{"": "expand", "s": "expand_styled"}[style], uint64(d))
	}
}

// ---- Vectors ----

type call struct {
	Draw, Value string
	Arguments   []string
	Used        int
	Exhausted   bool
}

type vectors struct {
	Draws []struct {
		Entropy string
		Calls   []call
	}
	Expansions []struct {
		Seed, Bytes string
		Size        int
	}
}

func (c call) integer(i int) int64 { x, _ := strconv.ParseInt(c.Arguments[i], 10, 64); return x }

func (c call) whole(i int) uint64 { x, _ := strconv.ParseUint(c.Arguments[i], 10, 64); return x }

func joined[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

func (c call) weights() (weights []uint32) {
	for _, word := range strings.Split(c.Arguments[0], ",") {
		weight, _ := strconv.ParseUint(word, 10, 32)
		weights = append(weights, uint32(weight))
	}
	return weights
}

// draw makes the draw that a call names; "?" stands for one that this port lacks.
func draw(f *frng.F, c call) string {
	switch c.Draw {
	case "bytes":
		return hex.EncodeToString(f.Bytes(int(c.integer(0))))
	case "bool":
		return fmt.Sprint(toNumber(f.Bool()))
	case "u8":
		return fmt.Sprint(f.U8())
	case "u16":
		return fmt.Sprint(f.U16())
	case "u32":
		return fmt.Sprint(f.U32())
	case "u64":
		return fmt.Sprint(f.U64())
	case "i8":
		return fmt.Sprint(f.I8())
	case "i16":
		return fmt.Sprint(f.I16())
	case "i32":
		return fmt.Sprint(f.I32())
	case "i64":
		return fmt.Sprint(f.I64())
	case "u8_range":
		return fmt.Sprint(f.U8(uint8(c.whole(0)), uint8(c.whole(1))))
	case "u16_range":
		return fmt.Sprint(f.U16(uint16(c.whole(0)), uint16(c.whole(1))))
	case "u32_range":
		return fmt.Sprint(f.U32(uint32(c.whole(0)), uint32(c.whole(1))))
	case "u64_range":
		return fmt.Sprint(f.U64(c.whole(0), c.whole(1)))
	case "i8_range":
		return fmt.Sprint(f.I8(int8(c.integer(0)), int8(c.integer(1))))
	case "i16_range":
		return fmt.Sprint(f.I16(int16(c.integer(0)), int16(c.integer(1))))
	case "i32_range":
		return fmt.Sprint(f.I32(int32(c.integer(0)), int32(c.integer(1))))
	case "i64_range":
		return fmt.Sprint(f.I64(c.integer(0), c.integer(1)))
	case "index":
		return fmt.Sprint(f.Index(int(c.integer(0))))
	case "weighted":
		return fmt.Sprint(f.Weighted(c.weights()...))
	case "swarm_weights":
		return joined(f.SwarmWeights(int(c.integer(0))))
	case "shuffle":
		return joined(shuffled(f, int(c.integer(0))))
	case "f64":
		return fmt.Sprintf("%016x", math.Float64bits(f.F64()))
	case "chance":
		return fmt.Sprint(toNumber(f.Chance(uint32(c.whole(0)), uint32(c.whole(1)))))
	case "pick":
		list := make([]int, c.integer(0))
		for i := range list {
			list[i] = i
		}
		return fmt.Sprint(frng.Pick(f, list))
	case "more":
		more := f.More(int(c.integer(0)), int(c.integer(1)), int(c.integer(2)))
		return fmt.Sprint(toNumber(more))
	case "pick_weighted":
		return fmt.Sprint(f.PickWeighted(c.weights()...))
	case "swarm":
		return joined(f.Swarm(int(c.integer(0))))
	case "string":
		return f.String(c.Arguments[0], int(c.integer(1)), int(c.integer(2)))
	case "subset":
		return fmt.Sprint(f.Subset(int(c.integer(0))))
	case "permutation":
		return joined(f.Permutation(int(c.integer(0))))
	case "date":
		return f.Date().Format("2006-01-02")
	}
	return drawMixed(f, c)
}

func drawMixed(f *frng.F, c call) string {
	switch c.Draw {
	case "u8_mixed":
		return fmt.Sprint(frng.Mixed(f, uint8(c.whole(0)), uint8(c.whole(1))))
	case "u16_mixed":
		return fmt.Sprint(frng.Mixed(f, uint16(c.whole(0)), uint16(c.whole(1))))
	case "u32_mixed":
		return fmt.Sprint(frng.Mixed(f, uint32(c.whole(0)), uint32(c.whole(1))))
	case "u64_mixed":
		return fmt.Sprint(frng.Mixed(f, c.whole(0), c.whole(1)))
	case "i8_mixed":
		return fmt.Sprint(frng.Mixed(f, int8(c.integer(0)), int8(c.integer(1))))
	case "i16_mixed":
		return fmt.Sprint(frng.Mixed(f, int16(c.integer(0)), int16(c.integer(1))))
	case "i32_mixed":
		return fmt.Sprint(frng.Mixed(f, int32(c.integer(0)), int32(c.integer(1))))
	case "i64_mixed":
		return fmt.Sprint(frng.Mixed(f, c.integer(0), c.integer(1)))
	}
	return "?"
}

// value makes a draw; "" if entropy is out.
func value(f *frng.F, c call) (text string) {
	defer func() {
		if reason := recover(); reason != nil && !f.Exhausted() {
			panic(reason)
		}
	}()
	return draw(f, c)
}

func compareVectors(name string) int {
	var all vectors
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		fmt.Println(err)
		return 2
	}
	count := 0
	for i, vector := range all.Draws {
		entropy, _ := hex.DecodeString(vector.Entropy)
		f, counts := frng.New(entropy), 1
		for _, c := range vector.Calls {
			got := value(f, c)
			if got == "?" {
				counts = 0
				break
			}
			isSame := got == c.Value || c.Exhausted
			if !isSame || f.Used() != c.Used || f.Exhausted() != c.Exhausted {
				fmt.Printf("vector %d differs: %v, but %s %d\n", i, c, got, f.Used())
				return 1
			}
		}
		count += counts
	}
	for _, e := range all.Expansions {
		if bytes, err := frng.Expand(e.Seed, e.Size); err != nil || hex.EncodeToString(bytes) != e.Bytes {
			fmt.Printf("expansion differs: %v\n", e)
			return 1
		}
		count++
	}
	fmt.Println(count, "vectors")
	return 0
}

// ---- Targets ----

var wanted, runs int

func testDraws(f *frng.F) {
	for i := 0; i < wanted; i++ {
		f.U8()
	}
}

func testFails(f *frng.F) {
	f.Bool()
	f.Assert(false, "always")
}

func testTwoBugs(f *frng.F) {
	previous, high := byte(255), 0
	for {
		x := f.U8()
		f.Assert(x != 0 || previous != 0, "few")
		if x >= 128 {
			high++
		}
		f.Assert(high < 4, "many")
		previous = x
	}
}

func testLiar(f *frng.F) {
	for {
		f.Step("step")
		value := byte(0)
		if f.Bool() {
			value = f.Lie()
		}
		f.Assert(value != 7, "seven")
	}
}

func testStateful(f *frng.F) {
	f.U8()
	runs++
	f.Assert(runs <= 50, "too many runs")
}

func testExits(f *frng.F) {
	for previous := byte(0); ; {
		x := f.U8()
		if x < 64 {
			os.Exit(0)
		}
		f.Assert(x <= 250 || previous <= 250, "two large ones")
		previous = x
	}
}

func testHangs(f *frng.F) {
	for {
		for x := f.U8(); x == 200; {
		}
	}
}

func testKinds(f *frng.F) {
	for {
		f.Step("all kinds")
		f.Note("bytes")
		f.Bytes(3)
		f.Note("bool")
		f.Bool()
		f.Note("u8")
		f.Assert(f.U8() != 77, "77")
		f.Note("u16")
		f.U16()
		f.Note("u32")
		f.U32()
		f.Note("u64")
		f.U64()
		f.Note("i8")
		f.I8()
		f.Note("i16")
		f.I16()
		f.Note("i32")
		f.I32()
		f.Note("i64")
		f.I64()
		f.Note("u8_range")
		f.U8(3, 12)
		f.Note("u16_range")
		f.U16(3, 1002)
		f.Note("u32_range")
		f.U32(3, 100002)
		f.Note("u64_range")
		f.U64(3, 10000000002)
		f.Note("i8_range")
		f.I8(-5, 5)
		f.Note("i16_range")
		f.I16(-500, 500)
		f.Note("i32_range")
		f.I32(-50000, 50000)
		f.Note("i64_range")
		f.I64(-5000000000, 5000000000)
		f.Note("index")
		f.Index(10)
		f.Note("weighted")
		f.Weighted(3, 0, 1)
		f.Note("swarm_weights")
		f.SwarmWeights(2)
		f.Note("shuffle")
		shuffled(f, 3)
		f.Note("f64")
		f.F64()
		f.Note("chance")
		f.Chance(1, 8)
		f.Note("pick")
		frng.Pick(f, []int{2, 3, 5, 7})
		f.Note("more")
		f.More(1, 0, 3)
	}
}

func main() {
	targets := map[string]func(f *frng.F){"empty": func(*frng.F) {}, "draws": testDraws,
		"fails": testFails, "two-bugs": testTwoBugs, "stateful": testStateful, "exits": testExits,
		"hangs": testHangs, "kinds": testKinds, "liar": testLiar}
	name := append(os.Args, "")[1]
	if len(os.Args) > 2 {
		wanted, _ = strconv.Atoi(os.Args[2])
	}
	switch {
	case name == "digests":
		printDigests()
	case name == "vectors" && len(os.Args) > 2:
		os.Exit(compareVectors(os.Args[2]))
	case targets[name] != nil:
		frng.Main(targets[name])
	default:
		fmt.Fprintln(os.Stderr, "suite: no such sub-command:", name)
		os.Exit(2)
	}
}
