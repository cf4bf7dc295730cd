package frng

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strings"
)

// What tests know from testing.T, so that they and their libraries (require.Equal(f, ...)) take an
// F in its place. Errorf fails the run and goes on; Fatalf ends it.

// Errorf fails the run, which goes on.
func (f *F) Errorf(format string, arguments ...any) { f.fails(fmt.Sprintf(format, arguments...)) }

// Error fails the run, which goes on.
func (f *F) Error(arguments ...any) { f.fails(text(arguments)) }

// Fail fails the run, which goes on.
func (f *F) Fail() { f.fails("failed") }

// leave ends the run.
func (f *F) leave() {
	if f.isLost() {
		panic(outOfEntropy{})
	}
	runtime.Goexit()
}

// Fatalf fails the run, and ends it.
func (f *F) Fatalf(format string, arguments ...any) {
	f.fails(fmt.Sprintf(format, arguments...))
	f.leave()
}

// Fatal fails the run, and ends it.
func (f *F) Fatal(arguments ...any) {
	f.fails(text(arguments))
	f.leave()
}

// FailNow fails the run, and ends it.
func (f *F) FailNow() {
	if f.broken == nil {
		f.fails("failed")
	}
	f.leave()
}

// Failed tells whether the run has failed.
func (f *F) Failed() bool { return f.broken != nil }

// Skip discards the run, which ends, unless it has failed; in Repeat it ends the action alone.
func (f *F) Skip(arguments ...any) { f.SkipNow() }

// Skipf ends the run as Skip does.
func (f *F) Skipf(format string, arguments ...any) { f.SkipNow() }

// SkipNow ends the run as Skip does.
func (f *F) SkipNow() {
	f.skips = true
	f.discarded = !f.out && !f.isOver
	panic(outOfEntropy{})
}

// Assume skips unless a condition holds: the run has neither passed nor failed.
func (f *F) Assume(condition bool) {
	if !condition {
		f.SkipNow()
	}
}

// Log adds a line to the trace of the run, as Say.
func (f *F) Log(arguments ...any) { f.Say("%s", text(arguments)) }

// Logf adds a line to the trace of the run, as Say.
func (f *F) Logf(format string, arguments ...any) { f.Say(format, arguments...) }

// Name returns the name of the test that Check searches, or "".
func (f *F) Name() string {
	if f.outer == nil {
		return ""
	}
	return f.outer.Name()
}

// Cleanup calls a function when the run has ended. The last one is called first.
func (f *F) Cleanup(call func()) { f.cleanups = append(f.cleanups, call) }

// Helper marks the function that calls it: a failure that it reports is at the line of its caller.
func (f *F) Helper() {
	var caller [1]uintptr
	runtime.Callers(2, caller[:])
	frame, _ := runtime.CallersFrames(caller[:]).Next()
	if f.helpers == nil {
		f.helpers = map[string]bool{}
	}
	f.helpers[frame.Function] = true
}

func text(arguments []any) string { return strings.TrimSuffix(fmt.Sprintln(arguments...), "\n") }

// fails notes a message. The place of the failure is that of the first one.
func (f *F) fails(message string) {
	if f.isLost() {
		return
	}
	if f.hasEnded.Load() { // as testing does
		panic("frng: a goroutine fails a run that has ended: " + message)
	}
	if f.broken != nil {
		f.broken.what += "\n" + message
		return
	}
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers[:])])
	own, more := frames.Next()
	frame := own
	for more && (filepath.Dir(frame.File) == filepath.Dir(own.File) || f.helpers[frame.Function]) {
		frame, more = frames.Next()
	}
	f.broken = &failure{site: line(frame), what: message}
}

// ---- Stateful tests ----

// Repeat takes actions until the entropy ends, and with it the run: no line after it is reached, but
// Cleanup and deferred calls are. Each run favours some actions and leaves others out (Swarm). The
// name of an action is the step of a trace. The action "" checks what always holds, at first and
// after each other one. An action that cannot be taken now calls Skip.
//
//	f.Repeat(map[string]func(*frng.F){
//		"push": func(f *frng.F) { q.Push(f.Note("x").U8()) },
//		"pop":  func(f *frng.F) { if q.Len() == 0 { f.Skip() }; q.Pop() },
//		"":     func(f *frng.F) { f.Assert(q.Len() <= 8, "%d are in the queue", q.Len()) },
//	})
func (f *F) Repeat(actions map[string]func(f *F)) {
	var names []string
	for name := range actions {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		panic("frng: Repeat without an action")
	}
	sort.Strings(names) // the order of a map is not that of another run
	check := actions[""]
	if check == nil {
		check = func(*F) {}
	}
	weights := tellsNew(f, "", func() []uint32 { return f.Swarm(len(names)) })
	for check(f); ; check(f) {
		name := names[tellsNew(f, "", func() int { return f.PickWeighted(weights...) })]
		f.Step(name)
		f.act(actions[name])
	}
}

// act takes an action, which Skip can end. A deferred call that panics after Skip fails.
func (f *F) act(action func(f *F)) {
	defer func() {
		if f.skips && f.broken == nil {
			why := recover()
			if _, isSkip := why.(outOfEntropy); !isSkip && why != nil {
				panic(why)
			}
			f.skips, f.discarded = false, false
		}
	}()
	action(f)
}

// Actions returns the methods of a value for Repeat: those that take an *F, under their names. Check
// is the one under "". Where another method is like an action, none would call it: that is refused.
func Actions(machine any) map[string]func(f *F) {
	actions := map[string]func(f *F){}
	value := reflect.ValueOf(machine)
	if reflect.PointerTo(value.Type()).NumMethod() > value.NumMethod() {
		panic(fmt.Sprintf("frng: Actions(%T): pass a pointer, which has all methods", machine))
	}
	for i := 0; i < value.NumMethod(); i++ {
		name := value.Type().Method(i).Name
		if action, isOne := value.Method(i).Interface().(func(f *F)); isOne {
			if name == "Check" {
				name = ""
			}
			actions[name] = action
		} else if isLikeAction(value.Method(i).Type()) && !isPromoted(value.Type(), name) {
			panic(fmt.Sprintf("frng: %s of %T is no action: it takes a *frng.F alone", name, machine))
		}
	}
	return actions
}

// isLikeAction tells if a method returns nothing, or takes an *F first.
func isLikeAction(of reflect.Type) bool {
	return of.NumOut() == 0 || of.NumIn() > 0 && of.In(0) == reflect.TypeOf((*F)(nil))
}

// isPromoted tells if a method is of an embedded field, such as a mutex.
func isPromoted(of reflect.Type, name string) bool {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	for i := 0; of.Kind() == reflect.Struct && i < of.NumField(); i++ {
		field := of.Field(i)
		_, has := field.Type.MethodByName(name)
		_, hasPointer := reflect.PointerTo(field.Type).MethodByName(name)
		if field.Anonymous && (has || hasPointer) {
			return true
		}
	}
	return false
}
