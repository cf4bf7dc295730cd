package frng

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
)

// A story has what a failing run drew, by names: "xs = [(0, 0), (-1, 1)]". Draws without a note have
// the names of their kinds. Those after a step are its arguments: "push(x = 3)".
type story struct {
	sync.Mutex // a run that hangs goes on while its story is read
	lines      []string
	op         string     // the step in progress; "" before the first one
	row        int        // its line
	arguments  []string   // of it
	name       string     // of the note before these draws; "" without one
	values     []string   // since then, each of a draw or of a list that has ended
	open       [][]string // lists in progress, as elements
	parts      []string   // the draws of the element in progress
	kept       [][]string // the parts of the elements around it
	muted      bool
}

var kindNames = [...]string{"bytes", "bool", "uint", "int", "index", "weighted", "f64", "chance",
	"list", "string", "mixed", "mixed", "real", "real", "subset", "date"}

// draw takes the value of a record. Those of a list, a string and a date are told by themselves.
func (s *story) draw(kind int, value uint64) {
	s.Lock()
	defer s.Unlock()
	var shown any = value
	switch kind {
	case kindMore, kindLetter:
		return
	case kindBool, kindChance:
		shown = value == 1
	case kindInt, kindMixedInt:
		shown = int64(value)
	case kindF64:
		shown = float64(value>>11) / (1 << 53)
	case kindReal, kindRealRange:
		shown = math.Float64frombits(value)
	}
	s.add(kindNames[kind], fmt.Sprint(shown))
}

func (s *story) add(kind, value string) {
	if s.muted {
		return
	}
	if len(s.open) > 0 {
		s.parts = append(s.parts, value)
		return
	}
	s.values = append(s.values, value)
	if s.name == "" {
		s.name = kind
		s.flush()
	}
}

// retell replaces the value told last.
func (s *story) retell(value string) {
	switch {
	case s.muted:
	case len(s.open) > 0:
		s.parts[len(s.parts)-1] = value
	case len(s.values) > 0:
		s.values[len(s.values)-1] = value
	default:
		shown := s.lines
		if s.op != "" {
			shown = s.arguments
		}
		last := &shown[len(shown)-1]
		name, _, _ := strings.Cut(*last, " = ")
		*last = name + " = " + value
		s.show()
	}
}

// show writes the line of the step in progress.
func (s *story) show() {
	if s.op != "" {
		s.lines[s.row] = s.op + "(" + strings.Join(s.arguments, ", ") + ")"
	}
}

// more takes the question if a list has one more element, after count of them.
func (s *story) more(count int, isMore bool) {
	if count == 0 || len(s.open) == 0 {
		s.open, s.kept, s.parts = append(s.open, nil), append(s.kept, s.parts), nil
	} else {
		top := &s.open[len(s.open)-1]
		*top, s.parts = append(*top, tuple(s.parts)), nil
	}
	if !isMore {
		s.end("")
	}
}

// end closes the innermost list.
func (s *story) end(rest string) {
	last := len(s.open) - 1
	list := "[" + strings.Join(s.open[last], ", ") + rest + "]"
	s.open, s.parts, s.kept = s.open[:last], s.kept[last], s.kept[:last]
	s.add("list", list)
}

func tuple(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "(" + strings.Join(values, ", ") + ")"
}

// flush ends the draws of a name. A list in progress stays open at its end.
func (s *story) flush() {
	for len(s.open) > 0 {
		top := &s.open[len(s.open)-1]
		if len(s.parts) > 0 {
			*top = append(*top, tuple(s.parts))
		}
		s.end(" ...")
	}
	if len(s.values) > 0 && s.op != "" {
		s.arguments = append(s.arguments, s.name+" = "+tuple(s.values))
		s.show()
	} else if len(s.values) > 0 {
		s.lines = append(s.lines, s.name+" = "+tuple(s.values))
	}
	s.name, s.values = "", nil
}

func (s *story) note(name string) {
	s.flush()
	s.name = name
}

func (s *story) step(name string) {
	s.flush()
	s.lines, s.op, s.row, s.arguments = append(s.lines, ""), name, len(s.lines), nil
	s.show()
}

func (s *story) say(line string) {
	s.flush()
	if s.op != "" {
		line = "  " + line
	}
	s.lines = append(s.lines, line)
}

// tell does something with the story, if the run has one. It calls nothing of the test, which may hang.
func (f *F) tell(how func(s *story)) {
	if f.told != nil {
		f.told.Lock()
		defer f.told.Unlock()
		how(f.told)
	}
}

// tells replaces the value of the draw told last.
func (f *F) tells(value any) {
	if f.told != nil {
		text := shownAs(value)
		f.tell(func(s *story) { s.retell(text) })
	}
}

// tellsNew tells the value of a draw that has several records.
func (f *F) tellsNew(kind string, value any) {
	f.tell(func(s *story) { s.add(kind, shownAs(value)) })
}

// untold makes draws that are not told.
func (f *F) untold(draw func() int) int {
	mute := func(is bool) {
		f.tell(func(s *story) {
			s.flush()
			s.muted = is
		})
	}
	mute(true)
	defer mute(false)
	return draw()
}

func shownAs(value any) string {
	switch value := value.(type) {
	case string:
		return fmt.Sprintf("%q", value)
	case time.Time:
		return value.Format("2006-01-02")
	case []byte:
		return fmt.Sprintf("% x", value)
	}
	return fmt.Sprintf("%+v", value)
}
