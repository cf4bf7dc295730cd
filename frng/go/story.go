package frng

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// A story has what a failing run drew, by names: "xs = [{Lo:0 Hi:3}]". Draws without a note have the
// names of their kinds. Those after a step are its arguments: "push(x = 3)". Where a list is made of
// values that only the test knows, a line says so: "draws of xs = [(0, 3)]"; where nothing has a name
// after the draw of a note, it may be part of that value or not: "draws from pair on = (0, 3)".
type story struct {
	sync.Mutex // a run that hangs goes on while its story is read
	lines      []string
	op         string // the step in progress; "" before the first one
	row        int    // its line
	arguments  []string
	name       string  // of the note before these draws; "" without one
	values     []part  // since then, each of a draw or of a list or a value that has ended
	open       []scope // lists and values in progress
	loose      string  // the draw told last if it has no note, and nothing came since: it can choose a step
	chooser    string  // such a draw before the first step, or "-"; "" before that
	muted      bool
}

// A part is what a draw, or some, are told by.
type part struct {
	text    string
	isDraws bool // of a value that they make in the test
}

// A scope is a list that the test makes by More, or a value that a function makes (Draw).
type scope struct {
	isValue  bool
	elements []part
	parts    []part // of the element or the value in progress
}

var kindNames = [...]string{"bytes", "bool", "uint", "int", "index", "weighted", "f64", "chance",
	"list", "string", "mixed", "mixed", "real", "real", "subset", "date"}

// draw takes the value of a record. Those of a list, a string and a date are told by themselves.
func (s *story) draw(kind int, value uint64, asked ...any) {
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
	isLoose := (s.name == "" || len(s.values) > 0) && len(s.open) == 0 && !s.muted
	s.add(kindNames[kind], part{text: fmt.Sprint(shown)})
	if kind == kindIndex || kind == kindWeighted {
		asked = nil // their bounds follow what can be chosen
	}
	if isLoose {
		s.loose = fmt.Sprint(kind, asked)
	}
}

func (s *story) add(kind string, value part) {
	s.loose = ""
	if s.muted {
		return
	}
	if last := len(s.open) - 1; last >= 0 {
		s.open[last].parts = append(s.open[last].parts, value)
		return
	}
	s.values = append(s.values, value)
	if s.name == "" {
		s.name = kind
		s.flush()
	}
}

// shown returns where lines are added: the arguments of a step, if one is in progress.
func (s *story) shown() *[]string {
	if s.op != "" {
		return &s.arguments
	}
	return &s.lines
}

// retell replaces the value told last.
func (s *story) retell(text string) {
	values := s.values
	if last := len(s.open) - 1; last >= 0 {
		values = s.open[last].parts
	}
	switch shown := *s.shown(); {
	case s.muted:
	case len(values) > 0 && text == "":
		values[len(values)-1].isDraws = true
	case len(values) > 0:
		values[len(values)-1].text = text
	case text != "":
		name, _, _ := strings.Cut(shown[len(shown)-1], " = ")
		shown[len(shown)-1] = name + " = " + text
		s.show()
	}
}

// show writes the line of the step in progress.
func (s *story) show() {
	if s.op != "" {
		s.lines[s.row] = s.op + "(" + strings.Join(s.arguments, ", ") + ")"
	}
}

// more takes the question if a list has one more element, after count of them. Where notes have ended
// the list, its elements are told by them.
func (s *story) more(count int, isMore bool) {
	last := len(s.open) - 1
	if s.loose = ""; s.muted {
		return
	} else if count == 0 {
		s.open = append(s.open, scope{})
	} else if last < 0 || s.open[last].isValue {
		return
	} else {
		s.open[last].end()
	}
	if !isMore {
		s.end("")
	}
}

// end ends the element in progress.
func (o *scope) end() {
	o.elements, o.parts = append(o.elements, tuple(o.parts)), nil
}

// end closes the innermost list, or value that has not been made.
func (s *story) end(rest string) {
	o := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if o.isValue {
		for _, value := range o.parts {
			s.add("value", part{value.text, true})
		}
		return
	}
	texts := make([]string, len(o.elements))
	for i, element := range o.elements {
		texts[i] = element.text
	}
	s.add("list", part{"[" + strings.Join(texts, ", ") + rest + "]", len(texts) > 0})
}

// tuple returns several draws as one.
func tuple(values []part) part {
	if len(values) == 1 {
		return values[0]
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.text
	}
	return part{"(" + strings.Join(texts, ", ") + ")", len(values) > 1}
}

// flush ends the draws of a name. A list in progress stays open at its end.
func (s *story) flush() {
	for len(s.open) > 0 {
		top := &s.open[len(s.open)-1]
		if !top.isValue && len(top.parts) > 0 {
			top.end()
		}
		if !top.isValue && len(top.elements) == 0 {
			s.open = s.open[:len(s.open)-1] // its elements have notes
			continue
		}
		s.end(" ...")
	}
	if len(s.values) > 0 {
		value, name := tuple(s.values), s.name
		if len(s.values) > 1 {
			name = "draws from " + name + " on"
		} else if value.isDraws {
			name = "draws of " + name
		}
		shown := s.shown()
		*shown = append(*shown, name+" = "+value.text)
		s.show()
	}
	s.name, s.values, s.loose = "", nil, ""
}

// inValue tells if a value is in progress, whose draws have no names of their own.
func (s *story) inValue() bool {
	for _, o := range s.open {
		if o.isValue {
			return true
		}
	}
	return false
}

func (s *story) note(name string) {
	if !s.inValue() {
		s.flush()
		s.name = name
	}
}

// step begins an operation. The draw before it chose it, if such a draw comes before the first one, too.
func (s *story) step(name string) {
	if s.chooser == "" {
		s.chooser = "-" + s.loose
	}
	if s.loose != "" && (s.chooser == "-"+s.loose || s.chooser == "-" && strings.HasSuffix(s.loose, "[]")) {
		if last := len(s.values) - 1; last > 0 {
			s.values = s.values[:last] // it comes after the draw of a note
		} else {
			shown := s.shown()
			*shown = (*shown)[:len(*shown)-1]
			s.show()
		}
	}
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

// tellsNew makes some draws, and tells what they give as one value; kind "" tells nothing.
func tellsNew[T any](f *F, kind string, makes func() T) (value T) {
	if f.told == nil {
		return makes()
	}
	was := f.told.muted
	mute := func(is bool) { f.tell(func(s *story) { s.muted = is }) }
	mute(true)
	defer mute(was)
	value = makes()
	mute(was)
	if text := shownAs(value); kind != "" {
		f.tell(func(s *story) { s.add(kind, part{text: text}) })
	}
	return value
}

// Draw returns what a function makes of draws, which Check shows as one value, under the name of a
// note: tree := frng.Draw(t.Note("tree"), func() *Tree { return grow(t, 4) }). One with
// functions or channels within is shown by its draws.
func Draw[T any](f *F, makes func() T) T {
	if f.told == nil {
		return makes()
	}
	f.tell(func(s *story) { s.open = append(s.open, scope{isValue: true}) })
	value := makes()
	text := shownAs(value)
	f.tell(func(s *story) { s.made(text) })
	return value
}

// made ends a value, whose text is "" if no reader knows it.
func (s *story) made(text string) {
	for len(s.open) > 0 && !s.open[len(s.open)-1].isValue {
		s.end(" ...")
	}
	if last := len(s.open) - 1; last >= 0 {
		value := part{text: text}
		if text == "" {
			value = part{tuple(s.open[last].parts).text, true}
		}
		s.open = s.open[:last]
		s.add("value", value)
	}
}

// shownAs returns a value as fmt's %+v does, with quotes, commas and what pointers lead to; "" if it
// has a function, a channel, or a thousand pointers: it may have no end.
func shownAs(value any) string {
	pointers := 1000
	return textOf(reflect.ValueOf(value), &pointers)
}

func textOf(v reflect.Value, pointers *int) string {
	if v.IsValid() && v.CanInterface() {
		switch value := v.Interface().(type) {
		case []byte:
			return fmt.Sprintf("% x", value)
		case fmt.Stringer, error:
			return strings.TrimSuffix(fmt.Sprint(value), " 00:00:00 +0000 UTC") // of a day
		}
	}
	isKnown := true
	all := func(count int, at func(i int) (name string, value reflect.Value)) []string {
		texts := make([]string, count)
		for i := range texts {
			name, value := at(i)
			text := textOf(value, pointers)
			isKnown = isKnown && text != ""
			texts[i] = name + text
		}
		return texts
	}
	text := "<nil>"
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		isKnown = v.IsNil()
	case reflect.Ptr:
		*pointers--
		isKnown = *pointers > 0
		if isKnown && !v.IsNil() {
			text = all(1, func(int) (string, reflect.Value) { return "&", v.Elem() })[0]
		}
	case reflect.Interface:
		if !v.IsNil() {
			return textOf(v.Elem(), pointers)
		}
	case reflect.Struct:
		fields := all(v.NumField(), func(i int) (string, reflect.Value) {
			return v.Type().Field(i).Name + ":", v.Field(i)
		})
		text = "{" + strings.Join(fields, " ") + "}"
	case reflect.Slice, reflect.Array:
		items := all(v.Len(), func(i int) (string, reflect.Value) { return "", v.Index(i) })
		text = "[" + strings.Join(items, ", ") + "]"
	case reflect.Map:
		keys := v.MapKeys()
		names := all(len(keys), func(i int) (string, reflect.Value) { return "", keys[i] })
		items := all(len(keys), func(i int) (string, reflect.Value) { return names[i] + ":", v.MapIndex(keys[i]) })
		sort.Strings(items)
		text = "map[" + strings.Join(items, " ") + "]"
	case reflect.String:
		text = strconv.Quote(v.String())
	default:
		text = fmt.Sprint(v)
	}
	if !isKnown {
		return ""
	}
	return text
}
