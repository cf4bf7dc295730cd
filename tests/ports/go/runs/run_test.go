package runs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"testing"

	"frng.example/frng.git/frng/go"
)

// TestMain makes this program a target, if the environment names one: its runs end their process.
func TestMain(m *testing.M) {
	if name := os.Getenv("FRNG_TEST_TARGET"); name != "" {
		frng.Run(runs[name])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func outside(list []int, at int) int { return list[at] } // ends: index

func cleanUp(f *frng.F) {
	f.Assert(!f.Exhausted(), "cannot clean up") // ends: cleanup
}

// Runs that fail, each in the line that says so. All get 4 bytes.
var failing = map[string]func(f *frng.F){
	"assert":   func(f *frng.F) { f.Assert(f.U8() == 9, "it is not %d", 9) }, // ends: assert
	"bare":     func(f *frng.F) { f.Assert(f.U8() == 9) },                    // ends: bare
	"error":    func(f *frng.F) { panic(errors.New("an error")) },            // ends: error
	"nil":      func(f *frng.F) { panic(nil) },                               // ends: nil
	"goexit":   func(f *frng.F) { runtime.Goexit() },                         // ends: goexit
	"index":    func(f *frng.F) { outside([]int{1, 2}, int(f.U8(3, 4))) },
	"library":  func(f *frng.F) { _ = strings.Repeat("x", -1) },                               // ends: library
	"callback": func(f *frng.F) { sort.Slice([]int{2, 1}, func(i, j int) bool { panic(i) }) }, // ends: callback
	"again": func(f *frng.F) {
		defer func() {
			reason := recover()
			panic(fmt.Sprint("again: ", reason))
		}()
		panic("first") // ends: again
	},
	"cleanup": func(f *frng.F) {
		defer cleanUp(f)
		for {
			f.U8()
		}
	},
	"discarded": func(f *frng.F) {
		defer func() { panic("while it is discarded") }() // ends: discarded
		f.Assume(false)
	},
	"deep": func(f *frng.F) {
		var down func(int)
		down = func(depth int) {
			if depth == 0 {
				panic("deep") // ends: deep
			}
			down(depth - 1)
		}
		down(100000)
	},
	"no range":      func(f *frng.F) { f.U8(3, 1) },              // ends: no range
	"one bound":     func(f *frng.F) { f.I64(3) },                // ends: one bound
	"no element":    func(f *frng.F) { frng.Pick(f, []int{}) },   // ends: no element
	"misuse at end": func(f *frng.F) { f.Bytes(4); f.Index(-1) }, // ends: misuse at end
}

// Runs that end the process in another way, with a text that stderr has.
var dying = map[string]struct {
	test   func(f *frng.F)
	status int
	text   string
}{
	"exit": {func(f *frng.F) { os.Exit(3) }, 3, "^$"},
	"goroutine": {func(f *frng.F) {
		go panic("elsewhere")
		select {}
	}, 2, `panic: elsewhere`},
	"draws elsewhere": {func(f *frng.F) {
		go f.Bytes(5)
		select {}
	}, 2, `panic: .*out of entropy, in a goroutine other than that of the test`},
	"deadlock": {func(f *frng.F) { <-make(chan int) }, 2, `all goroutines are asleep`},
	"kept, after an error": {func(f *frng.F) {
		f.Error("it is bad")
		for {
			kept(func() { f.U64() })
		}
	}, 2, `it is bad`},
	"recursion": {func(f *frng.F) {
		debug.SetMaxStack(1 << 20)
		recurse(f)
	}, 2, `goroutine stack exceeds`},
	"kept assert": {func(f *frng.F) { kept(func() { f.Assert(false, "is kept") }) }, 2, `^run_test.go:\d+: is kept`},
}

func recurse(f *frng.F) int { return recurse(f) + f.Left() }

// Runs that pass.
var passing = map[string]func(f *frng.F){
	"returns": func(f *frng.F) {},
	"drawn": func(f *frng.F) {
		defer fmt.Println("cleaned up")
		for {
			f.U8()
		}
	},
	"recovered": func(f *frng.F) {
		defer func() { f.Assert(recover() != nil && f.Exhausted(), "entropy is left") }()
		f.U64()
	},
	"discarded": func(f *frng.F) {
		defer func() { f.Assert(recover() != nil && f.Exhausted(), "the run goes on") }()
		f.Assume(true)
		f.Assume(f.U8() != 1)
		f.Assert(false, "it is not reached")
	},
	"exit":        func(f *frng.F) { os.Exit(0) },
	"kept, fatal": func(f *frng.F) { f.Fatal(kept(func() { f.U64() })) },
	"kept, panic": func(f *frng.F) { panic(kept(func() { f.Assume(false) })) },
	"kept, again": func(f *frng.F) {
		for {
			kept(func() { f.U64() })
		}
	},
}

// kept recovers, as a server does around a call.
func kept(call func()) (reason any) {
	defer func() { reason = recover() }()
	call()
	return nil
}

var runs = map[string]func(f *frng.F){}

func init() {
	for name, test := range failing {
		runs["failing "+name] = test
	}
	for name, way := range dying {
		runs["dying "+name] = way.test
	}
	for name, test := range passing {
		runs["passing "+name] = test
	}
}

// start makes a run in a process of its own, and returns its exit status and its stderr.
func start(t *testing.T, name string, environment ...string) (status int, stderr string) {
	t.Helper()
	var output bytes.Buffer
	command := exec.Command(os.Args[0])
	command.Stdin, command.Stderr = strings.NewReader("\x01\x02\x03\x04"), &output
	command.Env = append(append(os.Environ(), "FRNG_TEST_TARGET="+name), environment...)
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), output.String()
}

// lineOf returns the line of this file that ends a run.
func lineOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("run_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "// ends: "+name) {
			return fmt.Sprintf("run_test.go:%d", i+1)
		}
	}
	t.Fatalf("no line ends %q", name)
	return ""
}

func TestFailingRunsNameTheirLine(t *testing.T) {
	for name := range failing {
		status, stderr := start(t, "failing "+name, "GOROOT=/nonexistent")
		first, trace, _ := strings.Cut(stderr, "\n\n")
		if !strings.HasPrefix(first, lineOf(t, name)+": panic") || status != 2 {
			t.Errorf("%s: status %d, %q", name, status, first)
		}
		begins := "goroutine 1 [running]:\npanic("
		if strings.Contains("goexit assert bare cleanup", name) { // an Assert: in what called it
			begins = "goroutine 1 [running]:\n"
		}
		if !strings.HasPrefix(trace, begins) {
			t.Errorf("%s: no trace: %q", name, trace)
		}
		if strings.Contains(trace, "/frng/go.") {
			t.Errorf("%s: calls of frng: %q", name, trace)
		}
		if name != "deep" && (strings.Contains(trace, "main.main") || !strings.Contains(trace, "/runs.")) {
			t.Errorf("%s: not the calls of the test: %q", name, trace)
		}
	}
}

func TestRunsThatDieSayWhy(t *testing.T) {
	for name, way := range dying {
		status, stderr := start(t, "dying "+name)
		if status != way.status || !regexp.MustCompile(way.text).MatchString(stderr) {
			t.Errorf("%s: status %d, %q", name, status, stderr)
		}
	}
}

func TestRunsPass(t *testing.T) {
	for name := range passing {
		if status, stderr := start(t, "passing "+name); status != 0 || stderr != "" {
			t.Errorf("%s: status %d, %q", name, status, stderr)
		}
	}
}

func TestTryReturnsTheFailureOfARun(t *testing.T) {
	err := frng.Try(failing["assert"], []byte{1})
	if err == nil || !strings.HasPrefix(err.Error(), lineOf(t, "assert")+": panic: it is not 9\n\n") || strings.Contains(err.Error(), "(*F).") {
		t.Error(err)
	}
	for _, entropy := range []string{"", "\x09", "\x09\x01"} {
		for _, test := range []func(f *frng.F){failing["assert"], passing["kept, again"]} {
			if err := frng.Try(test, []byte(entropy)); err != nil {
				t.Error(err)
			}
		}
	}
}

func FuzzTryTakesAnyEntropy(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, entropy []byte) {
		if err := frng.Try(passing["drawn"], entropy); err != nil {
			t.Fatal(err)
		}
	})
}
