package frng

import (
	"reflect"
	"runtime"
	"strings"
)

// A place is the calls that make a draw: those within this package, and the one of the test.
type place [8]uintptr

// places tells where in the test draws are made, and how deep in its calls: the site and the depth
// of their records.
type places struct {
	sites map[place]uint32 // of this run, numbered by their first draws
	isOwn map[uintptr]bool // calls, and whether they are this package's
}

func (p *places) begin() {
	p.sites = map[place]uint32{}
	if p.isOwn == nil {
		p.isOwn = map[uintptr]bool{}
	}
}

// isOwnCall also knows calls of functions that are inlined, which Go lists as any other.
func (p *places) isOwnCall(at uintptr) bool {
	is, isKnown := p.isOwn[at]
	if !isKnown {
		is = strings.HasPrefix(runtime.FuncForPC(at-1).Name(), reflect.TypeOf(place{}).PkgPath()+".")
		p.isOwn[at] = is
	}
	return is
}

// of returns the depth and the site of the draw that its caller records; 0 is unknown.
func (p *places) of() (uint16, uint32) {
	var calls [1024]uintptr
	var here place
	count := runtime.Callers(2, calls[:])
	for i := 0; i < len(here) && i < count && count < len(calls); i++ {
		here[i] = calls[i]
		if p.isOwnCall(calls[i]) {
			continue
		}
		if p.sites[here] == 0 {
			p.sites[here] = uint32(len(p.sites) + 1)
		}
		return uint16(count - i), p.sites[here]
	}
	return 0, 0
}
