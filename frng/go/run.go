package frng

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// outOfEntropy is what a draw without bytes panics with.
type outOfEntropy struct{}

// Error is the text that Go prints where no run recovers it.
func (outOfEntropy) Error() string {
	return "frng: out of entropy, in a goroutine other than that of the test"
}

// A failure is the panic that ended a run.
type failure struct {
	site   string // file:line in the code of the test
	reason any
	trace  string
}

func (f failure) Error() string {
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
func Try(test func(f *F), entropy []byte) (err error) {
	New(entropy).once(test, func(why failure) { err = why })
	return err
}

// once makes the run. It returns if the run has passed; otherwise it calls failed with the stack as
// the panic left it, also when runtime.Goexit ends the goroutine.
func (f *F) once(test func(f *F), failed func(failure)) {
	hasReturned := false
	defer func() {
		reason := recover()
		if _, isOut := reason.(outOfEntropy); !isOut && !hasReturned {
			failed(failure{site(), reason, trace()})
		}
	}()
	test(f)
	hasReturned = true
}

// site returns "file:line" of the panic that ends the run: the innermost line that is neither this
// package's nor Go's. If deferred calls panicked in turn, as those do that recover a panic and
// panic again, it is the line of the first panic, unless that one was the end of the entropy.
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
		case strings.HasSuffix(frame.Function, ".(*F).end"):
			isPanic = false
		case isPanic && filepath.Dir(frame.File) != filepath.Dir(own.File) &&
			!strings.HasPrefix(frame.Function, "runtime.") &&
			!strings.HasPrefix(frame.File, goRoot+"/"):
			site, isPanic = fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line), false
		}
	}
	return site
}

// trace returns the calls from the test to the panic, as Go prints them.
func trace() string {
	goroutine, calls, _ := strings.Cut(string(debug.Stack()), "\n")
	if at := strings.Index(calls, "\npanic("); at >= 0 {
		calls = calls[at+1:]
	}
	if at := strings.LastIndex(calls, ".(*F).once("); at >= 0 {
		calls = calls[:strings.LastIndex(calls[:at], "\n")+1]
	}
	return goroutine + "\n" + calls
}
