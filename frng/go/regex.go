package frng

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A piece of a pattern is a class of letters, or rows in parentheses, and comes min..max times.
type piece struct {
	letters        string
	rows           [][]piece
	min, max, most int // most: bytes of all that come
}

const escaped = `\\[dwsDWSnrt -/:-@[-\x60{-~]`

var (
	opens, bar, closes = regexp.MustCompile(`^\((?:\?:)?`), regexp.MustCompile(`^\|`), regexp.MustCompile(`^\)`)
	letter             = regexp.MustCompile(`^(?s:` + escaped + `|[^?*+{}\]^$()|[\\])`)
	class              = regexp.MustCompile(`^\[(\^?)(\]?(?:` + escaped + `|[^\]\\])*)\]`)
	member             = regexp.MustCompile(`(?s)(` + escaped + `|.)(?:-(` + escaped + `|.))?`)
	counted            = regexp.MustCompile(`^(?:([?*+])|\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\})\??`)

	printable = codePoints[:95]
	spaces    = " \t\n\v\f\r"
	named     = map[string]string{`\n`: "\n", `\r`: "\r", `\t`: "\t",
		`\d`: printable[52:62], `\D`: without(printable, printable[52:62]), `\w`: printable[:62] + "_",
		`\W`: without(printable, printable[:62]+"_"), `\s`: spaces, `\S`: without(printable, spaces)}
)

// Regex returns a text that matches all of a pattern: f.Regex("[a-z]+(-[0-9]{2})?"). Counts without an
// end stop 32 above their minimum.
func (f *F) Regex(pattern string) string {
	p := parser(strings.TrimPrefix(pattern, "^"))
	rows, _ := p.choice()
	p.require(p == "" || p == "$")
	p.require(utf8.ValidString(pattern))
	return tellsNew(f, "string", func() string {
		var text strings.Builder
		f.match(rows, &text)
		return text.String()
	})
}

func (f *F) match(rows [][]piece, text *strings.Builder) {
	row := rows[0]
	if len(rows) > 1 {
		row = rows[f.pick(len(rows))]
	}
	for _, p := range row {
		if p.rows == nil && p.min < p.max {
			text.WriteString(f.String(p.letters, p.min, p.max))
			continue
		}
		letters := []rune(p.letters)
		for n := 0; p.min < p.max && f.More(n, p.min, p.max) || p.min == p.max && n < p.max; n++ {
			if p.rows != nil {
				f.match(p.rows, text)
			} else if len(letters) > 1 {
				text.WriteRune(letters[f.pick(len(letters))])
			} else {
				text.WriteString(p.letters)
			}
		}
	}
}

// A parser is the rest of a pattern.
type parser string

func (p parser) require(condition bool) {
	if !condition {
		panic(fmt.Sprintf("frng: Regex: no pattern of DRAWS.md, or texts of over 64 KiB, before %q", string(p)))
	}
}

// take steps over what comes next and returns its parts, if it is of this form.
func (p *parser) take(form *regexp.Regexp) []string {
	parts := form.FindStringSubmatch(string(*p))
	if parts != nil {
		*p = (*p)[len(parts[0]):]
	}
	return parts
}

// choice reads rows with | between them. It also returns the bytes of the longest one.
func (p *parser) choice() (rows [][]piece, longest int) {
	for more := []string{}; more != nil; more = p.take(bar) {
		row, size := []piece{}, 0
		for *p != "" && *p != "$" && (*p)[0] != '|' && (*p)[0] != ')' {
			row = append(row, p.piece())
			size += row[len(row)-1].most
			p.require(size <= 1<<16)
		}
		rows = append(rows, row)
		if size > longest {
			longest = size
		}
	}
	return rows, longest
}

func (p *parser) piece() piece {
	one, size := piece{min: 1, max: 1}, 0
	if p.take(opens) != nil {
		one.rows, size = p.choice()
		p.require(p.take(closes) != nil)
	} else {
		one.letters = p.letters()
		_, size = utf8.DecodeRuneInString(one.letters)
	}
	if how := p.take(counted); how != nil {
		one.min, _ = strconv.Atoi(how[2] + map[string]string{"+": "1"}[how[1]])
		one.max, _ = strconv.Atoi(how[4] + map[string]string{"?": "1"}[how[1]])
		if how[1] == "*" || how[1] == "+" || how[3]+how[4] == "," {
			one.max = one.min + 32
		} else if how[1]+how[3] == "" {
			one.max = one.min
		}
	}
	p.require(one.min <= one.max && (size > 0 || one.max <= 1))
	one.most = size * one.max
	return one
}

// letters reads a letter, or a class of which one is drawn.
func (p *parser) letters() (letters string) {
	members := p.take(class)
	if members == nil {
		text := p.take(letter)
		p.require(text != nil)
		if text[0] == "." {
			return printable
		}
		return meant(text[0])
	}
	for _, pair := range member.FindAllStringSubmatch(members[2], -1) {
		some, end := meant(pair[1]), meant(pair[2])
		p.require(end == "" || len(some) == 1 && len(end) == 1 && some <= end)
		for c := some[0]; end != "" && c < end[0]; c++ {
			some += string(rune(c + 1))
		}
		letters += without(some, letters)
	}
	p.require(letters != "" && len(letters) == utf8.RuneCountInString(letters))
	if members[1] != "" {
		letters = without(printable, letters)
	}
	p.require(letters != "")
	return letters
}

// meant returns what a letter means, perhaps one behind a \.
func meant(text string) string {
	if letters, isNamed := named[text]; isNamed {
		return letters
	}
	return strings.TrimPrefix(text, `\`)
}

func without(text, others string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(others, c) {
			return -1
		}
		return c
	}, text)
}
