// What test_ports.py asks of the Go port; see tests/ports/c/suite.c.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"frng.example/frng.git/frng/go"
)

// ---- Answers ----

type call struct {
	name      string
	arguments []string
}

func callOf(line string) call {
	words := strings.Split(line, " ")
	return call{words[0], words[1:]}
}

func toNumber(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// number returns an argument, a negative one in two's complement.
func (c call) number(i int) uint64 {
	if x, err := strconv.ParseUint(c.arguments[i], 10, 64); err == nil {
		return x
	}
	x, _ := strconv.ParseInt(c.arguments[i], 10, 64)
	return uint64(x)
}

func (c call) day(i int) time.Time {
	day, _ := time.Parse("2006-01-02", c.arguments[i])
	return day
}

func (c call) double(i int) float64 {
	bits, _ := strconv.ParseUint(c.arguments[i], 16, 64)
	return math.Float64frombits(bits)
}

func (c call) weights() (weights []uint32) {
	for _, word := range strings.Split(c.arguments[0], ",") {
		weight, _ := strconv.ParseUint(word, 10, 32)
		weights = append(weights, uint32(weight))
	}
	return weights
}

func joined[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

func upTo(count uint64) []int {
	list := make([]int, count)
	for j := range list {
		list[j] = j
	}
	return list
}

var draws = map[string]func(f *frng.F, c call) any{
	"bytes":         func(f *frng.F, c call) any { return hex.EncodeToString(f.Bytes(int(c.number(0)))) },
	"bool":          func(f *frng.F, c call) any { return toNumber(f.Bool()) },
	"index":         func(f *frng.F, c call) any { return f.Index(int(c.number(0))) },
	"weighted":      func(f *frng.F, c call) any { return f.Weighted(c.weights()...) },
	"pick_weighted": func(f *frng.F, c call) any { return f.PickWeighted(c.weights()...) },
	"swarm_weights": func(f *frng.F, c call) any { return joined(f.SwarmWeights(int(c.number(0)))) },
	"swarm":         func(f *frng.F, c call) any { return joined(f.Swarm(int(c.number(0)))) },
	"shuffle": func(f *frng.F, c call) any {
		list := upTo(c.number(0))
		frng.Shuffle(f, list)
		return joined(list)
	},
	"permutation": func(f *frng.F, c call) any { return joined(f.Permutation(int(c.number(0)))) },
	"subset":      func(f *frng.F, c call) any { return f.Subset(int(c.number(0))) },
	"f64":         func(f *frng.F, c call) any { return fmt.Sprintf("%016x", math.Float64bits(f.F64())) },
	"chance": func(f *frng.F, c call) any {
		return toNumber(f.Chance(uint32(c.number(0)), uint32(c.number(1))))
	},
	"pick": func(f *frng.F, c call) any { return frng.Pick(f, upTo(c.number(0))) },
	"more": func(f *frng.F, c call) any {
		return toNumber(f.More(int(c.number(0)), int(c.number(1)), int(c.number(2))))
	},
	"depth": func(f *frng.F, c call) any { return toNumber(f.Depth(int(c.number(0)))) },
	"utf8": func(f *frng.F, c call) any {
		return fmt.Sprintf("%x", f.UTF8(int(c.number(0)), int(c.number(1))))
	},
	"regex": func(f *frng.F, c call) any { return fmt.Sprintf("%x", f.Regex(c.arguments[0])) },
	"pool": func(f *frng.F, c call) any {
		things, taken := upTo(c.number(0)), []int{}
		for i := 0; i < int(c.number(1)); i++ {
			taken = append(taken, int(frng.TakeThing(f, &things)))
		}
		return joined(taken)
	},
	"string": func(f *frng.F, c call) any {
		return f.String(c.arguments[0], int(c.number(1)), int(c.number(2)))
	},
	"date": func(f *frng.F, c call) any { return f.Date().Format("2006-01-02") },
	"date_range": func(f *frng.F, c call) any {
		return f.Date(c.day(0), c.day(1)).Format("2006-01-02")
	},
	"f64_any": func(f *frng.F, c call) any { return fmt.Sprintf("%016x", math.Float64bits(f.F64Any())) },
	"f64_range": func(f *frng.F, c call) any {
		return fmt.Sprintf("%016x", math.Float64bits(f.F64Range(c.double(0), c.double(1))))
	},
}

type integer interface {
	uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64
}

func addNumber[T integer](name string, draw func(f *frng.F, bounds ...T) T) {
	draws[name] = func(f *frng.F, c call) any { return draw(f) }
	draws[name+"_range"] = func(f *frng.F, c call) any { return draw(f, T(c.number(0)), T(c.number(1))) }
	draws[name+"_mixed"] = func(f *frng.F, c call) any {
		return frng.Mixed(f, T(c.number(0)), T(c.number(1)))
	}
}

func init() {
	addNumber("u8", (*frng.F).U8)
	addNumber("u16", (*frng.F).U16)
	addNumber("u32", (*frng.F).U32)
	addNumber("u64", (*frng.F).U64)
	addNumber("i8", (*frng.F).I8)
	addNumber("i16", (*frng.F).I16)
	addNumber("i32", (*frng.F).I32)
	addNumber("i64", (*frng.F).I64)
}

// draw makes the draw that a call names; "?" stands for one that this port lacks.
func draw(f *frng.F, c call) string {
	if draws[c.name] == nil {
		return "?"
	}
	return fmt.Sprint(draws[c.name](f, c))
}

// value makes a draw; "-" if entropy is out, "misuse" if it panics for another reason.
func value(f *frng.F, c call) (text string) {
	text = "-"
	defer func() {
		if reason := recover(); reason != nil && !f.Exhausted() {
			text = "misuse"
		}
	}()
	return draw(f, c)
}

func answer() {
	var f *frng.F
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		c := callOf(lines.Text())
		switch c.name {
		case "entropy":
			entropy, _ := hex.DecodeString(c.arguments[0])
			f = frng.New(entropy)
		case "expand":
			bytes, err := frng.Expand(c.arguments[0], int(c.number(1)))
			if err != nil {
				panic(err)
			}
			fmt.Println(hex.EncodeToString(bytes))
		default:
			if text := value(f, c); text == "?" {
				fmt.Println(text)
			} else {
				fmt.Println(text, f.Used(), toNumber(f.Exhausted()))
			}
		}
	}
}

// ---- Targets ----

var (
	argument string // the second one of the program
	runs     int
)

func testCalls(f *frng.F) {
	text, err := os.ReadFile(argument)
	if err != nil {
		panic(err)
	}
	for {
		f.Step("all kinds")
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			c := callOf(line)
			f.Note(c.name)
			value := draw(f, c)
			f.Assert(c.name != "u8" || value != "77", "77")
		}
	}
}

func testDraws(f *frng.F) {
	wanted, _ := strconv.Atoi(argument)
	for i := 0; i < wanted; i++ {
		f.U8()
	}
}

func testBugs(f *frng.F) {
	previous, high := byte(255), 0
	for {
		x := f.U8()
		if argument == "exits" && x < 64 {
			os.Exit(0)
		}
		for argument == "hangs" && x == 200 {
			time.Sleep(time.Second)
		}
		f.Assert(x != 0 || previous != 0, "few")
		if x >= 128 {
			high++
		}
		f.Assert(high < 4, "many")
		previous = x
	}
}

var hasFailed bool // a run of this process

// testLeaves fails, and leaves what changes later runs of its process.
func testLeaves(f *frng.F) {
	for hasFailed && argument == "hangs" {
		time.Sleep(time.Second)
	}
	f.Assert(!hasFailed || argument != "fails", "left")
	if hasFailed && argument == "exits" {
		os.Exit(0)
	}
	for high := 0; !hasFailed || argument != "passes"; {
		if f.U8() >= 128 {
			high++
		}
		if high == 4 {
			hasFailed = true
			if argument == "thread" {
				go time.Sleep(time.Hour)
			}
			f.Fatal("four")
		}
	}
}

func testStateful(f *frng.F) {
	f.U8()
	runs++
	f.Assert(runs <= 50, "too many runs")
}

func testMarks(f *frng.F) {
	for count := uint64(0); ; count++ {
		f.Measure("count", count)
		x := f.U8()
		if x%2 == 1 {
			f.Label("odd")
		}
		f.Say("byte %d is %d, in a line that takes two records of a trace", count, x)
	}
}

func testAssumes(f *frng.F) {
	x := f.U8()
	if x%2 == 1 {
		f.Label("odd")
	}
	f.Assume(x >= 160)
	f.U8()
}

func testClimbs(f *frng.F) {
	for high, count := 0, 0; count < 20; count++ {
		if high++; int(f.U8())%32 != high*11%32 {
			high = 0
		}
		f.Maximize("high", uint64(high))
		f.Assert(high < 4, "too high")
	}
}

func drawTree(f *frng.F) {
	if f.Bool() {
		drawTree(f)
		drawTree(f)
	} else {
		f.U8(0, 9)
	}
}

func testPlaces(f *frng.F) {
	for bound := uint8(0); bound < 2; bound++ {
		f.U8(0, bound)
		f.String("ab", 2, 2)
	}
	f.U8(0, 1)
	f.Permutation(3)
	frng.List(f, 1, 1, func() uint8 { return f.U8(0, 1) })
	drawTree(f)
}

func main() {
	targets := map[string]func(f *frng.F){"calls": testCalls, "draws": testDraws,
		"bugs": testBugs, "leaves": testLeaves, "stateful": testStateful, "marks": testMarks, "climbs": testClimbs,
		"assumes": testAssumes, "places": testPlaces}
	name := append(os.Args, "")[1]
	if len(os.Args) > 2 {
		argument = os.Args[2]
	}
	switch {
	case name == "answers":
		answer()
	case targets[name] != nil:
		frng.Run(targets[name])
	case name == "ends":
		frng.Run(func(f *frng.F) { f.U8() })
		os.Exit(3)
	default:
		fmt.Fprintln(os.Stderr, "suite: no such sub-command:", name)
		os.Exit(2)
	}
}
