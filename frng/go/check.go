package frng

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Check searches in go test. Findings are replayed first. Then fresh runs are made as DRAWS.md
// describes, and the report is the smallest that fails, its draws, and lines to go on.
//
// A run that hangs fails at once, by its time limit, and stays in its goroutine.
//
// The test program is a target, too: with FRNG_DRIVER in its environment the first Check of a test
// serves the driver. So frng-reduce, where it is on PATH, reduces what was found, and with FRNG_SEARCH
// frng-search goes on where all runs have passed.

// A TB is a *testing.T, B or F: what links no testing package into programs.
type TB interface {
	Helper()
	Name() string
	Failed() bool
	Logf(format string, arguments ...any)
	Fatalf(format string, arguments ...any)
}

// An Option changes what Check does.
type Option func(c *check)

// Runs sets the count of fresh runs: 1000 without it. FRNG_RUNS overrides it.
func Runs(count int) Option { return func(c *check) { c.runs = count } }

// SizeMax sets the most bytes of a run: 4096 without it.
func SizeMax(bytes int) Option { return func(c *check) { c.sizeMax = bytes } }

// Timeout sets how long a run may take: 10 s without it. FRNG_TIMEOUT, in seconds, overrides it.
func Timeout(limit time.Duration) Option { return func(c *check) { c.limit = limit } }

// Findings names the folder of findings to replay. Without it, it is findings/NAME beside the test,
// if that is there; FRNG_FINDINGS names another one.
func Findings(folder string) Option { return func(c *check) { c.kept = folder } }

type check struct {
	TB
	test          func(f *F)
	runs, sizeMax int
	kept          string // the folder of what the tools find
	limit         time.Duration
	base          uint64 // of the seeds
	seed          uint64 // of the next fresh run
	made          int    // fresh runs
	most          int    // bytes that one of them drew
	discarded     int    // of the fresh runs
	marks         map[string]int
	site          string // of the failure to make smaller
	canServe      bool
}

// An example is the bytes of a run, as the options of the tools name them.
type example struct {
	size    int
	seed    string // or hex, if it is ""
	hex     string
	entropy []byte
	kept    *kept // or nil: the draws of its finding
	why     *failure
	flaky   bool // it failed, and then passed
	alone   bool // it passes in a new process, alone
	isOther bool // its finding is of another program, whose test has the same name
}

func (i example) generator() *F {
	f := New(i.entropy)
	f.listens, f.report.kept = i.kept != nil, i.kept
	return f
}

func (i example) hangs() bool { return i.why != nil && i.why.hangs }

func (i example) options() string {
	if i.seed == "" {
		return "--hex " + quote(i.hex)
	}
	return fmt.Sprintf("--size %d --seed %s", i.size, i.seed)
}

func (i example) result() string {
	if i.seed == "" {
		return fmt.Sprintf("size=%d hex=%s", i.size, i.hex)
	}
	return fmt.Sprintf("size=%d seed=%s", i.size, i.seed)
}

var checked sync.Map // names of tests that called Check, side by side

// Check runs a test on fresh random inputs, and fails t with the smallest that fails:
//
//	func TestSort(t *testing.T) {
//		frng.Check(t, func(t *frng.F) {
//			list := frng.List(t.Note("list"), 0, 20, func() int { return t.Int(-9, 9) })
//			...
//		})
//	}
//
// FRNG_RUNS is the count of runs. FRNG_SEED fixes the seeds, and so does FRNG_PROFILE=ci, with ten
// times the runs. FRNG_REPLAY="size=16 seed=7" makes this run alone, without a time limit. FRNG_REDUCE=0
// reduces nothing. FRNG_SEARCH=10m lets frng-search go on for so long, with all processors.
func Check(t TB, test func(f *F), options ...Option) {
	t.Helper()
	c := &check{TB: t, test: test, runs: checkRuns, sizeMax: checkSizeMax, limit: checkTimeoutS * time.Second,
		marks: map[string]int{}}
	_, isSecond := checked.LoadOrStore(t.Name(), true)
	if ends, can := t.(interface{ Cleanup(func()) }); can && !isSecond { // -count makes it again
		ends.Cleanup(func() { checked.Delete(t.Name()) })
	}
	c.canServe = !isSecond
	if hasDriver() && c.canServe {
		Run(func(f *F) {
			c.prepare(f)
			test(f)
		})
		os.Exit(0)
	}
	for _, option := range options {
		option(c)
	}
	c.readEnvironment()
	if replayed := os.Getenv("FRNG_REPLAY"); replayed != "" {
		if os.Getenv("FRNG_TIMEOUT") == "" {
			c.limit = 0 // for a debugger
		}
		c.replay("FRNG_REPLAY", replayed)
		return
	}
	known := c.replayFindings()
	if found := c.grow(); found != nil {
		c.report(found)
	}
	line := fmt.Sprintf("%d of %d runs of %s %s", c.discarded, c.made, c.Name(), saysDiscarded)
	if 10*c.discarded > 9*c.made {
		c.Fatalf("%s", line)
	} else if 2*c.discarded > c.made {
		c.Logf("frng: %s", line)
	}
	if c.isUnread(1) {
		c.Fatalf("none of %d runs of %s %s", c.made, c.Name(), saysNoDraw)
	}
	if span := os.Getenv("FRNG_SEARCH"); span != "" && c.canServe {
		c.searchOn(span)
	} else if c.made == 0 && known == 0 {
		c.Fatalf("%s", saysNoRuns)
	} else if span != "" {
		c.Logf("frng: FRNG_SEARCH=%s: only the first Check of a test is a target", span)
	}
	findings := ""
	if known > 0 {
		findings = fmt.Sprintf(", and %d of findings", known)
	}
	c.Logf("frng: %d runs passed, of up to %d bytes%s%s", c.made-c.discarded, c.most, findings, c.shares())
}

func (c *check) readEnvironment() {
	c.Helper()
	profile, scale := os.Getenv("FRNG_PROFILE"), 1
	if line := misspelt(); line != "" {
		c.Fatalf("%s", line)
	}
	c.base = uint64(time.Now().UnixNano())
	if profile == "ci" {
		c.base, scale = 1, 10
	} else if profile != "" {
		c.Fatalf("FRNG_PROFILE=%s %s", profile, saysNoProfile)
	}
	for name, set := range map[string]func(n uint64){
		"FRNG_RUNS":    func(n uint64) { c.runs = int(n) },
		"FRNG_SEED":    func(n uint64) { c.base = n },
		"FRNG_TIMEOUT": func(n uint64) { c.limit = time.Duration(n) * time.Second },
	} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil || name != "FRNG_SEED" && n > math.MaxInt32 {
				c.Fatalf("%s=%s %s", name, text, saysNoNumber)
			}
			set(n)
		}
	}
	c.runs *= scale
	seeds := newOutputs(c.base)
	c.seed = seeds.next()
	if c.kept == "" {
		c.kept = filepath.Join("findings", filepath.FromSlash(c.Name()))
	}
	if all := os.Getenv("FRNG_FINDINGS"); all != "" {
		c.kept = filepath.Join(all, filepath.FromSlash(c.Name()))
	}
}

// ---- Runs ----

func (c *check) prepare(f *F) { f.outer, f.outerHasFailed, f.limit = c.TB, c.Failed(), c.limit }

// run makes the run of an input, and keeps why it failed.
func (c *check) run(i *example) *F {
	f := i.generator()
	f.marks = map[string]bool{}
	c.prepare(f)
	i.why = f.alone(c.test)
	return f
}

// fresh makes the next run. It returns its input if it fails: as many bytes as it drew, or all.
func (c *check) fresh(size int) *example {
	isStyled := c.seed%2 == 1
	whole := &example{size: size, seed: strconv.FormatUint(c.seed, 10), entropy: expand(c.seed, isStyled, size)}
	if isStyled {
		whole.seed += "s"
	}
	c.seed++
	c.made++
	f := c.run(whole)
	if whole.hangs() {
		return whole // its run goes on
	}
	if f.discarded && whole.why == nil {
		c.discarded++
		f.marks = nil
	}
	for name := range f.marks {
		c.marks[name]++
	}
	if whole.why == nil {
		drawn := f.Used()
		if f.out {
			drawn = size // it wanted more
		}
		if drawn > c.most {
			c.most = drawn
		}
		return nil
	}
	why := whole.why
	cut := &example{size: f.Used(), seed: whole.seed, entropy: whole.entropy[:f.Used()], why: why}
	if why.what == outerFailed { // it stays so
		return cut
	}
	if c.run(cut); cut.why != nil {
		return cut
	}
	if c.run(whole); whole.why == nil {
		whole.why, whole.flaky = why, true
	}
	return whole
}

// counted returns the runs that count: of ten that were discarded one does, so that there is an end.
func (c *check) counted() int { return c.made - c.discarded + c.discarded/10 }

// grow makes rows of runs, at the size that has cost least so far, until one fails.
func (c *check) grow() *example {
	var levels []int
	for size := checkSizeMin; size < c.sizeMax; size *= 2 {
		levels = append(levels, size)
	}
	levels = append(levels, c.sizeMax)
	counts := make([]int, len(levels))
	for c.counted() < c.runs && !c.isUnread(checkUnread) {
		at, least := 0, math.MaxInt
		for i, size := range levels {
			isOpen := i == 0 || size <= 2*c.most // larger ones would be the same runs
			if cost := (counts[i] + 1) * (checkRunCost + size); isOpen && cost < least {
				at, least = i, cost
			}
		}
		row := 1 + counts[at]/4
		if row > c.runs-c.counted() {
			row = c.runs - c.counted()
		}
		counts[at] += row
		for ; row > 0; row-- {
			if found := c.fresh(levels[at]); found != nil {
				return found
			}
		}
	}
	return nil
}

// isUnread tells if so many fresh runs, or more, have drawn nothing.
func (c *check) isUnread(least int) bool { return c.made >= least && c.most == 0 && c.sizeMax > 0 }

// lower returns the smallest failure that it finds of the same site: by halving the size, then one
// byte below the best, until enough fresh runs have passed there.
func (c *check) lower(best *example) *example {
	limit, low := c.counted()+2*c.runs, 0
	for best.size > 0 && c.counted() < limit {
		size, tries, isEnd := (low+best.size)/2, checkLower, low >= best.size
		if isEnd {
			size, tries = best.size-1, checkEnd
		}
		hasFound := false
		for until := c.counted() + tries; c.counted() < until && !hasFound; {
			found := c.fresh(size)
			if hasFound = found != nil && !found.flaky && found.why.site == best.why.site; hasFound {
				best = found
			}
		}
		if !hasFound && isEnd {
			break
		} else if !hasFound {
			low = size + 1
		}
	}
	return best
}

// ---- Replays ----

// parse reads "size=16 seed=7", or "hex=0100", with more words around them.
func parse(text string) (i example, err error) {
	var size *int
	var seed, hexes *string
	for _, word := range strings.Fields(text) {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "size":
			var n int
			if n, err = strconv.Atoi(value); err != nil {
				return i, err
			}
			size = &n
		case "seed":
			seed = &value
		case "hex":
			hexes = &value
		}
	}
	return inputOf(size, seed, hexes)
}

func (c *check) replay(name, text string) {
	c.Helper()
	i, err := parse(text)
	if err != nil {
		c.Fatalf("%s=%s %s", name, text, saysNoInput)
	}
	if c.run(&i); i.why != nil {
		c.fail(&i, name+" fails")
	}
	c.Logf("frng: %s", saysPasses)
}

// replayFindings makes the runs of its own findings, or of all in FRNG_FINDINGS if it has no folder
// there, and returns how many these are.
func (c *check) replayFindings() int {
	c.Helper()
	files, err := filesOf(c.kept)
	if all := os.Getenv("FRNG_FINDINGS"); all != "" && errors.Is(err, fs.ErrNotExist) {
		if files, err = filesOf(all); errors.Is(err, fs.ErrNotExist) {
			c.Logf("frng: FRNG_FINDINGS=%s is not there: no finding is replayed", all)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Fatalf("cannot read findings: %v", err)
	}
	for _, file := range files {
		i, err := read(file)
		if err != nil {
			c.Fatalf("%v", err)
		}
		if c.run(&i); i.why != nil {
			c.fail(&i, file+" still fails")
		} else if err := i.passes(file); err != nil && !i.isOther {
			c.Fatalf("%v", err)
		}
	}
	return len(files)
}

// ---- Reports ----

// report makes a failure small, and fails the test with it.
func (c *check) report(found *example) {
	c.Helper()
	first := c.made
	if found.why.what == outerFailed || found.hangs() {
		c.fail(found, fmt.Sprintf("fails in run %d, and is not made smaller", first))
	}
	if found.flaky {
		c.Fatalf("flaky: %s %s\n%s", found.result(), saysFlaky, c.goOn(found))
	}
	best := c.lower(found)
	how := fmt.Sprintf("fails in run %d, smallest after %d more", first, c.made-first)
	if reduced, said := c.reduce(best); reduced != nil {
		best, how = reduced, how+": "+best.result()+"\n"+said
	} else if found.alone = first > 1 && c.passesAlone(found); found.alone {
		best, how = found, fmt.Sprintf("fails only after %d other runs; %s", first-1, saysState)
	}
	c.fail(best, how)
}

// passesAlone tells if an input passes in a new process, which has made no run before it.
func (c *check) passesAlone(i *example) bool {
	command := exec.Command(os.Args[0], "-test.v", "-test.run", c.pattern())
	limit := strconv.Itoa(int((c.limit + time.Second - 1) / time.Second))
	command.Env = append(os.Environ(), "FRNG_REPLAY="+i.result(), "FRNG_TIMEOUT="+limit)
	said, err := command.Output()
	return err == nil && c.canServe && bytes.Contains(said, []byte(saysPasses))
}

// fail fails the test with an input that fails, told once more.
func (c *check) fail(i *example, how string) {
	c.Helper()
	f := New(i.entropy)
	f.told = &story{}
	c.prepare(f)
	f.outerHasFailed = false
	why := f.alone(c.test)
	if why == nil {
		why = i.why
	}
	message := fmt.Sprintf("%s: %s\n", how, i.result())
	f.tell(func(s *story) {
		s.flush()
		for _, line := range s.lines {
			message += "  " + line + "\n"
		}
	})
	c.Fatalf("%s%s\n%s", message, strings.TrimRight(why.Error(), "\n"), c.goOn(i))
}

// goOn returns the commands that go on from an input.
func (c *check) goOn(i *example) string {
	program, pattern := filepath.Base(os.Args[0]), quote(c.pattern())
	lines := saysGoOn + "\n"
	if !i.alone {
		lines += fmt.Sprintf("  FRNG_REPLAY='%s' go test -run %s\n", i.result(), pattern)
	}
	if c.canServe && !i.alone {
		lines += "  go test -c -o " + quote(program) + "\n"
		for _, tool := range []string{"replay", "reduce"} {
			more := map[string]string{"replay": " --trace", "reduce": " --findings " + quote(c.kept)}[tool]
			if i.hangs() {
				more += " " + strings.Join(c.timeout(), " ")
			}
			lines += fmt.Sprintf("  frng-%s %s %s%s -- -test.run %s\n", tool, quote("./"+program), i.options(),
				more, pattern)
		}
		if _, err := exec.LookPath("frng-reduce"); err != nil {
			lines += "  (" + saysNoTools + ")\n"
		}
	}
	if c.made > 0 {
		lines += fmt.Sprintf("  FRNG_SEED=%d %s", c.base, saysRepeats)
	}
	return lines
}

// pattern returns what go test -run takes for this test alone.
func (c *check) pattern() string {
	var parts []string
	for _, part := range strings.Split(c.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}

// timeout returns the time limit of a run as an option of the tools.
func (c *check) timeout() []string {
	if c.limit == 0 {
		return nil
	}
	return []string{"--timeout", fmt.Sprintf("%dms", c.limit.Milliseconds())}
}

// searchOn lets frng-search search for a while, and fails the test with what it finds.
func (c *check) searchOn(span string) {
	c.Helper()
	words := append([]string{os.Args[0], "--time", span, "--quiet", "--findings", c.kept}, c.timeout()...)
	command := exec.Command("frng-search", append(words, "--", "-test.run", c.pattern())...)
	output, err := command.CombinedOutput()
	found, no := parse(string(output))
	if err == nil {
		return
	}
	if no != nil || found.seed == "" {
		c.Fatalf("FRNG_SEARCH=%s: frng-search: %v\n%s", span, err, output)
	}
	if c.run(&found); found.why == nil {
		c.Fatalf("%s, and passes here: %s\n%s", saysFound, found.result(), c.goOn(&found))
	}
	how := saysFound
	if reduced, said := c.reduce(&found); reduced != nil {
		found, how = *reduced, how+": "+found.result()+"\n"+said
	}
	c.fail(&found, how)
}

var reductionDone = regexp.MustCompile(`"event":"done".*?"complete":(true|false),.*?"hex":"([0-9a-f]*)"(?:.*?"calls":(\d+))?`)

// reduce lets frng-reduce, if it is on PATH, reduce an input, for some seconds. It returns also what is said of it.
func (c *check) reduce(i *example) (*example, string) {
	tool, err := exec.LookPath("frng-reduce")
	if err != nil || !c.canServe || i.hangs() || os.Getenv("FRNG_REDUCE") == "0" {
		return nil, ""
	}
	limit, cancel := context.WithTimeout(context.Background(), 2*checkReduceS*time.Second)
	defer cancel()
	command := exec.CommandContext(limit, tool, os.Args[0], "--size", strconv.Itoa(i.size), "--seed", i.seed,
		"--calls", strconv.Itoa(checkReduceCalls), "--time", fmt.Sprintf("%ds", checkReduceS), "--explain", "no", "--quiet", "--json", "-",
		"--unconfirmed", "--mode", "persistent", "--jobs", "1", "--", "-test.run", c.pattern())
	output, _ := command.Output()
	done := reductionDone.FindStringSubmatch(string(output))
	if done == nil {
		return nil, ""
	}
	reduced, err := parse("hex=" + done[2])
	if err != nil {
		return nil, ""
	}
	if c.run(&reduced); reduced.why == nil || reduced.why.site != i.why.site {
		return nil, ""
	}
	if done[1] == "false" {
		return &reduced, saysReduced + ", " + strings.Replace(saysUnfinished, "{}", done[3], 1)
	}
	return &reduced, saysReduced
}

// shares returns what parts of the runs had each label.
func (c *check) shares() string {
	var shares []string
	for name, count := range c.marks {
		shares = append(shares, fmt.Sprintf("%s %.1f%%", name, 100*float64(count)/float64(c.made-c.discarded)))
	}
	sort.Strings(shares)
	if len(shares) == 0 {
		return ""
	}
	return "; labels: " + strings.Join(shares, ", ")
}
