package frng

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// outOfEntropy is what a draw without bytes panics with, and Skip.
type outOfEntropy struct{}

// Error is the text that Go prints where no run recovers it.
func (outOfEntropy) Error() string {
	return "frng: out of entropy, in a goroutine other than that of the test"
}

// outerFailed is said where only a testing.T knows of the failure, and not the run.
const outerFailed = "failed by the t outside: name the argument of the function t"

// A failure is what ended a run: a panic, or the messages of Errorf and its like.
type failure struct {
	site   string // file:line in the code of the test
	what   string
	reason any
	trace  string
	hangs  bool
}

func (f failure) Error() string {
	if f.hangs {
		return f.what + "\n\n" + f.trace
	}
	if f.what != "" {
		return f.site + ": " + f.what
	}
	if f.reason == nil {
		return fmt.Sprintf("%s: panic(nil) or runtime.Goexit\n\n%s", f.site, f.trace)
	}
	return fmt.Sprintf("%s: panic: %v\n\n%s", f.site, f.reason, f.trace)
}

// Try makes the run of some entropy, and returns an error if it fails. So go test -fuzz finds runs:
//
//	f.Fuzz(func(t *testing.T, entropy []byte) {
//		if err := frng.Try(test, entropy); err != nil {
//			t.Fatal(err)
//		}
//	})
func Try(test func(f *F), entropy []byte) error {
	if why := New(entropy).alone(test); why != nil {
		return *why
	}
	return nil
}

// alone makes the run in a goroutine of its own, which FailNow ends, and returns why it failed. A run
// that hangs is left behind there.
func (f *F) alone(test func(f *F)) *failure {
	done, limit := make(chan *failure, 1), f.limit
	go func() {
		var why *failure
		defer func() {
			f.hasEnded.Store(true)
			done <- why
		}()
		f.once(test, func(is failure) { why = &is })
	}()
	if limit == 0 {
		return <-done
	}
	begun, used, late := time.Now(), processorTime(), time.NewTimer(limit)
	defer late.Stop()
	for {
		select {
		case why := <-done:
			return why
		case <-late.C: // on a busy machine a run that gets no processor has more time
			if processorTime()-used < limit && time.Since(begun) < checkIdle*limit {
				late.Reset(limit / 4)
				continue
			}
			return &failure{hangs: true, what: fmt.Sprintf("the run has not ended after %v", limit), trace: running()}
		}
	}
}

// processorTime returns what this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// goroutines returns what each goroutine does, as Go prints it.
func goroutines() []string {
	stacks := make([]byte, 1<<20)
	return strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
}

// countOthers returns how many goroutines there are beside that of a run, which may be about to end.
func countOthers() (count int) {
	for _, stack := range goroutines() {
		if _, origin, _ := strings.Cut(stack, "\ncreated by "); !strings.Contains(origin, "go.(*F).alone") {
			count++
		}
	}
	return count
}

// running returns what the goroutine of a run does.
func running() string {
	for _, stack := range goroutines() {
		if at := strings.Index(stack, "go.(*F).once("); at >= 0 {
			return ownCalls.ReplaceAllString(stack[:strings.LastIndex(stack[:at], "\n")+1], "")
		}
	}
	return ""
}

// ends are the calls that end a run by a panic, in a trace.
var ends = regexp.MustCompile(`go\.\(\*F\)\.(end|SkipNow)\(`)

// isLost tells if the test has recovered the end of the run: what follows from that is no failure.
func (f *F) isLost() bool { return (f.out || f.skips) && !f.isOver && !ends.Match(debug.Stack()) }

// once makes the run, and calls failed if it fails, with the stack as the panic left it, also when
// runtime.Goexit ends the goroutine.
func (f *F) once(test func(f *F), failed func(failure)) {
	hasReturned := false
	defer func() {
		why := f.judge(recover(), hasReturned)
		f.isOver = true
		if len(f.cleanups) > 0 {
			defer func() {
				if why != nil {
					failed(*why)
				}
			}()
			f.cleanUp(&why)
		} else if why != nil {
			failed(*why)
		}
	}()
	test(f)
	hasReturned = true
}

// cleanUp makes the calls of Cleanup, the last one first, each of which may end the goroutine.
func (f *F) cleanUp(why **failure) {
	if len(f.cleanups) == 0 {
		return
	}
	last := f.cleanups[len(f.cleanups)-1]
	f.cleanups = f.cleanups[:len(f.cleanups)-1]
	defer f.cleanUp(why)
	f.once(func(*F) { last() }, func(is failure) { *why = &is })
}

// judge returns why the run has failed, or nil.
func (f *F) judge(reason any, hasReturned bool) *failure {
	_, isOut := reason.(outOfEntropy)
	switch {
	case reason != nil && !isOut && !f.isLost():
		return &failure{site: site(), reason: reason, trace: trace()}
	case f.broken != nil:
		return f.broken
	case f.outer != nil && f.outer.Failed() && !f.outerHasFailed:
		return &failure{site: site(), what: outerFailed}
	case !isOut && !hasReturned && !f.isLost() && f.ends <= endsMost:
		return &failure{site: site(), trace: trace()}
	}
	return nil
}

// site returns "file:line" of the panic that ends the run: the innermost line that is neither this
// package's nor Go's. If deferred calls panicked in turn, as those do that recover a panic and
// panic again, it is the line of the first panic, unless that one was the end of the entropy, or Skip.
func site() string {
	callers := make([]uintptr, 1024)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	own, more := frames.Next()
	site, goRoot, isPanic := "", "", false
	for more {
		var frame runtime.Frame
		frame, more = frames.Next()
		switch {
		case frame.Function == "runtime.gopanic" || frame.Function == "runtime.Goexit":
			goRoot, isPanic = filepath.Dir(filepath.Dir(frame.File)), true
		case strings.HasSuffix(frame.Function, ".(*F).end") || strings.HasSuffix(frame.Function, ".(*F).SkipNow"):
			isPanic = false
		case isPanic && filepath.Dir(frame.File) != filepath.Dir(own.File) &&
			!strings.HasPrefix(frame.Function, "runtime.") &&
			!strings.HasPrefix(frame.File, goRoot+"/"):
			site, isPanic = line(frame), false
		}
	}
	return site
}

func line(frame runtime.Frame) string {
	return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
}

// ownCalls are those of this package, in a trace.
var ownCalls = regexp.MustCompile("(?m)^" + regexp.QuoteMeta(reflect.TypeOf(F{}).PkgPath()) + `\..*\n\t.*\n?`)

// trace returns the calls from the test to the panic, as Go prints them.
func trace() string {
	goroutine, calls, _ := strings.Cut(string(debug.Stack()), "\n")
	if at := strings.Index(calls, "\npanic("); at >= 0 {
		calls = calls[at+1:]
	}
	if at := strings.Index(calls, ".(*F).Assert("); at >= 0 {
		calls = strings.SplitAfterN(calls[at:], "\n", 3)[2] // a call has two lines
	}
	if at := strings.LastIndex(calls, ".(*F).once("); at >= 0 {
		calls = calls[:strings.LastIndex(calls[:at], "\n")+1]
	}
	return goroutine + "\n" + ownCalls.ReplaceAllString(calls, "")
}
