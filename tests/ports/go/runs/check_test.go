package runs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"frng.example/frng.git/frng/go"
)

// A ring of bytes, 8 deep, with the bug of frng's README, as a state machine.
type ring struct {
	items       [8]byte
	head, count int
	model       []byte
}

func (q *ring) Push(t *frng.F) {
	if q.count == 8 {
		t.Skip("full")
	}
	x := t.Note("x").U8(0, 9)
	q.items[(q.head+q.count)%8] = x
	q.count++
	q.model = append(q.model, x)
}

func (q *ring) Pop(t *frng.F) {
	if q.count == 0 {
		t.Skip("empty")
	}
	got, want := q.items[q.head%7], q.model[0]
	q.head++
	q.count--
	q.model = q.model[1:]
	equal(t, want, got)
}

func (q *ring) Check(t *frng.F) { t.Assert(q.count == len(q.model), "%d are left", q.count) }

// equal is as require.Equal.
func equal(t interface {
	Helper()
	Errorf(format string, arguments ...any)
	FailNow()
}, want, got any) {
	t.Helper()
	if want != got {
		t.Errorf("got %v, not %v", got, want)
		t.FailNow()
	}
}

var state int // from run to run

// A span is a value that its test makes of two draws.
type span struct{ From, To uint8 }

func spanOf(f *frng.F) span { return span{f.U8(0, 0), f.U8(3, 3)} }

type node struct {
	value uint8
	next  *node
}

// spins hangs.
func spins() {
	for {
		time.Sleep(0)
	}
}

// Machines with a method that no run would call.
type otherAction struct{}

func (*otherAction) Push(f *frng.F)   { f.U8() }
func (*otherAction) Pop(t *testing.T) {}

type withResult struct{}

func (*withResult) Push(f *frng.F)      { f.U8() }
func (*withResult) Pop(f *frng.F) error { return nil }

type otherCheck struct{}

func (otherCheck) Push(f *frng.F) { f.U8() }
func (otherCheck) Check()         {}

// promoted has methods of others, and one that returns a value.
type promoted struct {
	sync.Mutex
	*testing.T
}

func (*promoted) Draw(f *frng.F) { f.U8() }
func (*promoted) Len() int       { return 0 }

// Tests that this program makes when it is started again, and what each prints.
var checks = map[string]struct {
	test func(t *testing.T, f *frng.F)
	says []string
}{
	"machine": {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(&ring{})) },
		[]string{`check_test.go:\d+: got \d, not \d`, `(?m)^ +Push\(x = \d\)\n +Pop\(\)\n`, `fails in run \d+, smallest after`}},
	"names": {func(t *testing.T, f *frng.F) {
		xs := frng.List(f.Note("xs"), 0, 5, func() [2]int8 { return [2]int8{f.I8(0, 1), f.I8(-1, 1)} })
		word, fruit := f.Note("word").String("ab", 2, 2), frng.Pick(f.Note("fruit"), []string{"fig"})
		f.Note("id").Regex("[ab](-[01]{2})+")
		day, size := f.Note("day").Date(), f.Note("size").F64Range(0, 8)
		rest := frng.List(f.Note("lists"), 2, 2, func() []bool { return frng.List(f, 1, 1, f.Bool) })
		f.Say("a %s of %d", fruit, len(xs))
		f.Fatal(word, day.Year() > 0, size >= 0, len(rest), f.Bytes(2)) // ends: names
	}, []string{`xs = \[(\(\d, -?\d\)(, )?)*\]\n`, `word = "[ab]{2}"\n`, `id = "[ab](-[01]{2})+"\n`, `fruit = "fig"\n`, `day = \d{4}-\d\d-\d\d\n`,
		`size = \d`, `lists = \[\[(true|false)\], \[(true|false)\]\]\n`, ` a fig of \d\n`, `bytes = \w\w \w\w\n`,
		`check_test.go:\d+: [ab]{2} true true 2 \[\d+ \d+\]`}},
	"values": {func(t *testing.T, f *frng.F) {
		ranges := frng.List(f.Note("ranges"), 2, 2, func() span { return spanOf(f.Note("inner")) })
		one := frng.Draw(f.Note("one"), func() *span { made := spanOf(f); return &made })
		chain := frng.Draw(f.Note("chain"), func() *node { return &node{f.U8(0, 0), &node{f.U8(0, 0), nil}} })
		loop := frng.Draw(f.Note("loop"), func() *node { made := &node{value: f.U8(0, 0)}; made.next = made; return made })
		names := frng.Draw(f.Note("names"), func() map[string][]any { return map[string][]any{"b": {f.U8(0, 0), "c"}, "": nil} })
		pair, order := spanOf(f.Note("pair")), f.Note("order").Permutation(1)
		words := []string{"a b"}
		frng.Shuffle(f.Note("words"), words)
		for n := 0; f.More(n, 1, 1); n++ {
			f.Note("key").U8(0, 0)
		}
		frng.List(f.Note("lost"), 1, 1, func() span {
			spanOf(f)
			f.Fatal(ranges, one, chain, loop.value, names, pair, order)
			return span{}
		})
	}, []string{`(?m)^ +ranges = \[{From:0 To:3}, {From:0 To:3}\]\n +one = &{From:0 To:3}\n +chain = &{value:0 next:&{value:0 next:<nil>}}\n` +
		` +draws of loop = 0\n +names = map\["":\[\] "b":\[0, "c"\]\]\n` +
		` +draws from pair on = \(0, 3\)\n +order = \[0\]\n +words = \["a b"\]\n +key = 0\n +draws of lost = \[\(0, 3\) \.\.\.\]\n +\S+:`}},
	"chosen": {func(t *testing.T, f *frng.F) {
		for sum := uint8(0); ; f.Assert(sum < 9, "too much") {
			if which := f.U8(0, 1); which == 0 {
				f.Step("add")
				sum += f.Note("by").U8(3, 3)
			} else {
				f.Step("rest")
				f.U8(5, 5)
			}
		}
	}, []string{`(?m)(^ +(add\(by = 3\)|rest\(uint = 5\))\n){3,} +check_test.go.*too much`}},
	"in order": {func(t *testing.T, f *frng.F) {
		f.Step("open")
		f.U8(1, 1)
		f.Step("close")
		f.Assert(f.Index(1) > 0, "closed")
	}, []string{` open\(uint = 1\)\n +close\(index = 0\)\n`}},
	"narrow": {func(t *testing.T, f *frng.F) { f.Assert(f.Int(0, 50) < 40, "too much") }, []string{`size=1 `, `uint = [45]\d`}},
	"wide":   {func(t *testing.T, f *frng.F) { f.Assert(f.I64(0, 50) < 40, "too much") }, []string{`size=8 `, `int = [45]\d`}},
	"errors": {func(t *testing.T, f *frng.F) {
		for f.U8() < 250 {
		}
		f.Errorf("first") // ends: errors
		f.Error("second")
	}, []string{`size=1 hex=fa|size=1 seed=`, `check_test.go:\d+: first\n +second\n`, `uint = 25\d`}},
	"outside": {func(t *testing.T, f *frng.F) {
		if f.U8() > 200 {
			t.Fatal("by t")
		}
	}, []string{`by t`, `size=1 `, `name the argument of the function t`}},
	"only told": {func(t *testing.T, f *frng.F) {
		if f.U8() > 200 {
			t.Error("by t")
		}
	}, []string{`by t`, `is not made smaller: size=`, `name the argument of the function t`}},
	"hangs": {func(t *testing.T, f *frng.F) {
		if f.Note("x").U8() >= 200 && os.Getenv("FRNG_TIMEOUT") != "" {
			spins()
		}
	}, []string{`frng: 300 runs passed`}},
	"flaky": {func(t *testing.T, f *frng.F) {
		if f.U8(); len(os.Args) < 100 {
			os.Args = append(os.Args, make([]string, 100)...)
			f.Fatal("once")
		}
	}, []string{`flaky: size=\d+ seed=\d+s? failed, and then passed`}},
	"keeps state": {func(t *testing.T, f *frng.F) {
		state += int(f.Note("x").U8(0, 3))
		f.Assert(state < 60, "%d are kept", state)
	}, []string{`fails only after \d+ other runs; in a new process it passes: the test or a fixture keeps state: size=1 `,
		`(?m)^ +to go on:\n +FRNG_SEED=`}},
	"cleans up": {func(t *testing.T, f *frng.F) {
		n := f.U8()
		f.Cleanup(func() {
			if n > 200 {
				f.Fatal("unclean")
			}
		})
		f.Cleanup(func() { f.U64() })
	}, []string{`size=1 `, `check_test.go:\d+: unclean`}},
	"keeps the end": {func(t *testing.T, f *frng.F) {
		for {
			kept(func() { f.U64() })
		}
	}, []string{`frng: 300 runs passed`}},
	"rare": {func(t *testing.T, f *frng.F) {
		f.Step("hit")
		if f.U8() == 7 && os.Getenv("FRNG_RUNS") == "1" {
			f.Say("of seven")
			f.Fatal("seven")
		}
	}, []string{`frng: 300 runs passed`}},
	"passes": {func(t *testing.T, f *frng.F) {
		f.Cleanup(func() { f.Label("done") })
		if f.U8() < 128 {
			f.Label("low")
		}
	}, []string{`frng: 300 runs passed, of up to 1 bytes; labels: done 100.0%, low [3-6]\d\.\d%`}},
	"discards most": {func(t *testing.T, f *frng.F) {
		f.Label("made")
		f.Assume(f.U8() >= 160)
	}, []string{`--- PASS`, `frng: \d+ of \d+ runs of TestChecked/discards_most were discarded: draw only what the test accepts\n`,
		`frng: [12]\d\d runs passed, of up to 1 bytes; labels: made 100.0%\n`}},
	"discards nearly all": {func(t *testing.T, f *frng.F) { f.Assume(f.U8() == 250) },
		[]string{`--- FAIL`, ` \d{4} of \d{4} runs of TestChecked/discards_nearly_all were discarded: draw only`}},
	"discards all": {func(t *testing.T, f *frng.F) { f.Assume(false) }, []string{`--- FAIL`, ` 11 of 11 runs of \S+ were discarded: draw`}},
	"skips all":    {func(t *testing.T, f *frng.F) { f.U8(); f.Skip("all") }, []string{`--- FAIL`, ` 3000 of 3000 runs of \S+ were discarded: draw`}},
	"no actions":   {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(&span{})) }, []string{`panic: frng: Repeat without an action`}},
	"other action": {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(&otherAction{})) }, []string{`check_test.go:\d+: panic: frng: Pop of \*runs.otherAction is no action`}},
	"with result":  {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(&withResult{})) }, []string{`panic: frng: Pop of \*runs.withResult is no action`}},
	"skips behind": {func(t *testing.T, f *frng.F) { f.Cleanup(func() { f.Skip() }); f.U8() }, []string{`--- PASS`}},
	"other check":  {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(otherCheck{})) }, []string{`panic: frng: Check of runs.otherCheck is no action`}},
	"no pointer":   {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(ring{})) }, []string{`panic: frng: Actions\(runs.ring\): pass a pointer`}},
	"promoted":     {func(t *testing.T, f *frng.F) { f.Repeat(frng.Actions(&promoted{})) }, []string{`--- PASS`}},
	"fails late": {func(t *testing.T, f *frng.F) {
		end := make(chan bool)
		f.Cleanup(func() { close(end) })
		go func() {
			<-end
			time.Sleep(time.Millisecond)
			f.Errorf("late")
		}()
		f.U8()
	}, []string{`panic: frng: a goroutine fails a run that has ended: late`}},
	"discards actions": {func(t *testing.T, f *frng.F) {
		f.Repeat(map[string]func(*frng.F){"all": func(f *frng.F) { f.Assume(false) }})
	}, []string{`frng: 300 runs passed`}},
	"panics behind Skip": {func(t *testing.T, f *frng.F) {
		f.Repeat(map[string]func(*frng.F){"all": func(f *frng.F) {
			defer func() { panic("left open") }()
			f.Skip()
		}})
	}, []string{`--- FAIL`, `left open`}},
}

// The ranges of Int, the bytes that they take, and a run of such bytes.
func TestIntTakesAsFewBytesAsItsRangeHas(t *testing.T) {
	for _, row := range []struct{ min, max, width int }{{0, 50, 1}, {0, 255, 1}, {0, 256, 2}, {-128, 127, 1}, {-129, 0, 2},
		{-9, 128, 2}, {0, 1 << 16, 4}, {-1 << 30, 0, 4}, {0, 1 << 32, 8}, {-1 << 63, 1<<63 - 1, 8}, {-7, -7, 1}} {
		f := frng.New(bytes.Repeat([]byte{0x81}, 16)) // none of these is rejected
		if x := f.Int(row.min, row.max); f.Used() != row.width || x < row.min || x > row.max {
			t.Errorf("%v: %d, of %d bytes", row, x, f.Used())
		}
	}
	if f := frng.New(make([]byte, 9)); f.Int() != 0 || f.Used() != 8 {
		t.Error("an Int of any value has 8 bytes")
	}
	defer func() {
		if recover() == nil {
			t.Error("a range of nothing is drawn")
		}
	}()
	frng.New(make([]byte, 9)).Int(9, 3)
}

// A finding of when Int took 8 bytes is no verdict, and says so in a line; I64 draws as Int did.
func TestFindingsOfWiderIntsAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "0000000008-0000000000000001.json")
	findings := "FRNG_FINDINGS=" + filepath.Dir(file)
	for _, draws := range []string{"", `, "draws": "1-90ff88f35d09a5dc"`} {
		text := `{"format": 2, "expand": 1, "size": 8, "hex": "01000000000000e0"` + draws + "}"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if said := checkAgain(t, "narrow", findings); !strings.Contains(said, ".json passes, but was found with other draws: ") {
			t.Error(said)
		}
		if said := checkAgain(t, "wide", findings); !strings.Contains(said, ".json still fails: size=8 hex=01000000000000e0") {
			t.Error(said)
		}
	}
}

// TestParallel has checks side by side, when this program is started again for it.
func TestParallel(t *testing.T) {
	for i := 0; i < 300 && os.Getenv("FRNG_TEST_CHECKS") != ""; i++ {
		t.Run("x", func(t *testing.T) {
			t.Parallel()
			frng.Check(t, func(f *frng.F) { f.Bool() }, frng.Runs(1))
		})
	}
}

func TestChecksRunSideBySide(t *testing.T) {
	for i := 0; i < 5; i++ {
		command := exec.Command(os.Args[0], "-test.parallel", "64", "-test.cpu", "8", "-test.run", "^TestParallel$")
		command.Env = append(os.Environ(), "FRNG_TEST_CHECKS=1")
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
}

// TestChecked is one of these tests, when this program is started again for it.
func TestChecked(t *testing.T) {
	if os.Getenv("FRNG_TEST_CHECKS") == "" {
		t.Skip("it is started by others")
	}
	for name := range checks {
		t.Run(name, func(t *testing.T) {
			frng.Check(t, func(f *frng.F) { checks[name].test(t, f) }, frng.Runs(300))
		})
	}
}

// checkAgain makes a test of the table in a new process, and returns what it prints.
func checkAgain(t *testing.T, name string, environment ...string) string {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestChecked$/^"+strings.ReplaceAll(name, " ", "_")+"$")
	command.Env = append(append(os.Environ(), "FRNG_TEST_CHECKS=1", "FRNG_REDUCE=0"), environment...)
	output, err := command.CombinedOutput()
	if _, isPass := err, strings.Contains(string(output), "--- PASS: TestChecked/"); isPass != (err == nil) {
		t.Errorf("%s: %v\n%s", name, err, output)
	}
	return string(output)
}

func TestChecksSayWhatFails(t *testing.T) {
	for name, check := range checks {
		said := checkAgain(t, name, "FRNG_SEED=5")
		for _, pattern := range check.says {
			if !regexp.MustCompile(pattern).MatchString(said) {
				t.Errorf("%s: no %q in\n%s", name, pattern, said)
			}
		}
		times := regexp.MustCompile(`\(\d+\.\d+s\)|goroutine \d+|0x\w+`)
		again := checkAgain(t, name, "FRNG_SEED=5")
		if times.ReplaceAllString(again, "") != times.ReplaceAllString(said, "") {
			t.Errorf("%s: with the same seed\n%s\nand then\n%s", name, said, again)
		}
	}
}

func TestTheSmallestIsReplayedByTwoNumbersAndFromFindings(t *testing.T) {
	said := checkAgain(t, "machine", "FRNG_SEED=5")
	found := regexp.MustCompile(`FRNG_REPLAY='(size=(\d+) seed=(\d+s?))'`).FindStringSubmatch(said)
	if found == nil {
		t.Fatal(said)
	}
	for _, way := range []struct{ variable, text string }{
		{"FRNG_REPLAY=" + found[1], "FRNG_REPLAY fails: " + found[1]},
		{"FRNG_FINDINGS=" + t.TempDir(), ".json still fails: " + found[1]},
	} {
		if _, folder, isFolder := strings.Cut(way.variable, "FINDINGS="); isFolder {
			text := `{"format": 1, "expand": 1, "size": ` + found[2] + `, "seed": "` + found[3] + `"}`
			file := filepath.Join(folder, "0000000020-0000000000000001.json")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if said := checkAgain(t, "machine", way.variable); !strings.Contains(said, way.text) {
			t.Errorf("%s: no %q in\n%s", way.variable, way.text, said)
		}
	}
}

func TestTheProfileOfCIIsRepeatableAndTenTimesAsLong(t *testing.T) {
	for _, count := range [][2]string{{"FRNG_PROFILE=ci", "3000"}, {"FRNG_RUNS=17", "17"}} {
		first := checkAgain(t, "passes", count[0])
		if !strings.Contains(first, "frng: "+count[1]+" runs passed") {
			t.Errorf("%s: %s", count[0], first)
		}
	}
	if said := checkAgain(t, "passes", "FRNG_RUNS=many"); !strings.Contains(said, "FRNG_RUNS=many is no number") {
		t.Error(said)
	}
}

func TestAHangIsNamedWithItsDrawsAndItsPlace(t *testing.T) {
	said := checkAgain(t, "hangs", "FRNG_TIMEOUT=1", "FRNG_SEED=5", "FRNG_REDUCE=1")
	for _, pattern := range []string{`fails in run \d+, and is not made smaller: size=\d+ seed=\d+`, `(?m)^ +x = 2\d\d$`,
		`the run has not ended after 1s\n`, `check_test\.go:\d+`, `runs\.spins\(`,
		`frng-reduce ./runs.test --size \d+ --seed \d+s? --findings \S+ --timeout 1000ms -- -test.run`} {
		if !regexp.MustCompile(pattern).MatchString(said) {
			t.Errorf("no %q in\n%s", pattern, said)
		}
	}
}

func TestFrngSearchGoesOnWhereRunsPass(t *testing.T) {
	if _, err := exec.LookPath("frng-search"); err != nil {
		t.Skip(err)
	}
	findings := "FRNG_FINDINGS=" + t.TempDir()
	said := checkAgain(t, "rare", "FRNG_SEED=5", "FRNG_RUNS=1", "FRNG_SEARCH=20s", "FRNG_REDUCE=1", findings)
	line := `found by frng-search: size=1 (?:seed=\d+s?|hex=07)\n +reduced by frng-reduce: size=1 hex=07\n +hit\(uint = 7\)\n +of seven\n`
	if !regexp.MustCompile(line).MatchString(said) {
		t.Error(said)
	}
	if said := checkAgain(t, "rare", "FRNG_RUNS=1", findings); !regexp.MustCompile(`\.json still fails: size=1 (?:seed=\d+s?|hex=07)\n`).MatchString(said) {
		t.Error(said)
	}
	if said := checkAgain(t, "rare", "FRNG_SEARCH=much", "FRNG_RUNS=2"); !strings.Contains(said, "FRNG_SEARCH=much: frng-search: exit status 2") {
		t.Error(said)
	}
}

func TestFrngReduceReducesWhatIsFoundAtOnce(t *testing.T) {
	if _, err := exec.LookPath("frng-reduce"); err != nil {
		t.Skip(err)
	}
	said := checkAgain(t, "machine", "FRNG_SEED=5", "FRNG_REDUCE=1")
	line := `reduced by frng-reduce: size=\d+ hex=((00)*)(\w\w)`
	if !regexp.MustCompile(line).MatchString(said) || strings.Count(said, "    Pop()\n") != 8 {
		t.Error(said)
	}
	command := exec.Command(os.Args[0], "-test.count=2", "-test.run", "^TestChecked$/^narrow$")
	command.Env = append(os.Environ(), "FRNG_TEST_CHECKS=1", "FRNG_SEED=5")
	if output, err := command.Output(); err == nil || bytes.Count(output, []byte("frng-reduce: size=1 hex=c9\n")) != 2 {
		t.Errorf("%v: %s", err, output)
	}
}
