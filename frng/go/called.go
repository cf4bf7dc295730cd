package frng

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"
	"unsafe"
)

// How the program is called: with arguments, with variables, and with entropy or without.

// Main makes the run of the entropy on stdin, or in the file that FRNG_INPUT names; for a driver it
// makes many, in this process. A run that fails ends the process with exit status 2. Main refuses
// arguments: a test with its own calls Run.
func Main(test func(f *F)) {
	if len(os.Args) > 1 {
		first := os.Args[1]
		if (first == "--help" || first == "-h") && !hasDriver() {
			fmt.Printf("A test of frng, with no other argument than --help:\n%s", usage(nil))
			os.Exit(0)
		}
		refuse("unknown argument %q: see --help; a test with arguments calls frng.Run\n", first)
	}
	Run(test)
}

var offered = regexp.MustCompile(`^[1-9]\d*(,-?\d+){3,}$`)

// hasDriver tells if a driver of any version has started this program, and not only a process that
// it started: a report is behind the descriptor, of either byte order.
func hasDriver() bool {
	var found, report int
	offer := os.Getenv("FRNG_DRIVER")
	if _, err := fmt.Sscanf(offer, "%d,%d,%d", &found, &found, &report); err != nil || !offered.MatchString(offer) {
		return false
	}
	head := make([]byte, 8)
	if n, err := syscall.Pread(report, head, 0); n != len(head) || err != nil {
		return false
	}
	number := binary.LittleEndian.Uint64(head)
	return number == magic || bits.ReverseBytes64(number) == magic
}

// refuse ends the program, which was called in vain. Drivers know such a line.
func refuse(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "frng: usage: "+format, arguments...)
	os.Exit(2)
}

var (
	bare = regexp.MustCompile(`^[\w@%+=:,./-]+$`)
	odd  = regexp.MustCompile(`[\pC\p{Zl}\p{Zp}]`)
)

// quote returns a command as any POSIX shell takes it, and no terminal obeys it.
func quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		body := strings.TrimRight(word, "\n") // as in $(...); the third character of IFS is a newline
		switch {
		case bare.MatchString(word):
			quoted[i] = word
		case utf8.ValidString(word) && !odd.MatchString(word):
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		default:
			for _, byte := range []byte(body) {
				quoted[i] += fmt.Sprintf(`\%03o`, byte)
			}
			quoted[i] = `"$(printf '` + quoted[i] + `')"` + strings.Repeat(`"${IFS#??}"`, len(word)-len(body))
		}
	}
	return strings.Join(quoted, " ")
}

// usage returns two lines on how to run this program with such arguments.
func usage(words []string) string {
	program, more, ours := os.Args[0], "", ""
	if !strings.Contains(program, "/") {
		program = "./" + program
	}
	program = quote(program)
	if len(words) > 0 {
		more, ours = " "+quote(words...), " --"
	}
	return fmt.Sprintf("  frng-search %s%s%s  finds the smallest input that fails\n"+
		"  %s%s <FILE  runs the bytes of a file, as FRNG_INPUT=FILE does\n", program, ours, more, program, more)
}

// checkEntropy ends the program if nobody gives bytes: an empty file or pipe gives none, which is an
// input.
func checkEntropy() {
	var status syscall.Stat_t
	var terminal syscall.Termios
	err := syscall.Fstat(0, &status) // fails if it is closed
	_, _, no := syscall.Syscall(syscall.SYS_IOCTL, 0, syscall.TCGETS, uintptr(unsafe.Pointer(&terminal)))
	isNull := status.Mode&syscall.S_IFMT == syscall.S_IFCHR && status.Rdev == 0x103
	if err != nil || isNull || no == 0 {
		refuse("no entropy: stdin is a terminal, /dev/null or closed\n%s", usage(os.Args[1:]))
	}
}

// misspelt returns a line on a variable that is almost one of frng's, or "".
func misspelt() string {
	for _, text := range os.Environ() {
		name, _, _ := strings.Cut(text, "=")
		for _, known := range strings.Fields(saysVariables) {
			known = "FRNG_" + known
			if isNear(name, known) && !strings.Contains(" "+saysVariables+" ", " "+name[5:]+" ") {
				return fmt.Sprintf("%s %s %s?", name, saysNotKnown, known)
			}
		}
	}
	return ""
}

// unread returns a line on a variable that is set for a check, which one run does not read, or "".
func unread() string {
	for _, name := range []string{"FRNG_SEARCH", "FRNG_REPLAY", "FRNG_RUNS", "FRNG_SEED", "FRNG_PROFILE"} {
		if os.Getenv(name) != "" {
			return name + " is read by checks alone"
		}
	}
	return ""
}

// isNear tells if a name is the beginning of a known one, or differs in at most two neighboring letters.
func isNear(name, known string) bool {
	same := 0
	for same < len(name) && same < len(known) && name[same] == known[same] {
		same++
	}
	rest, its := name[same:], known[same:]
	for rest != "" && its != "" && rest[len(rest)-1] == its[len(its)-1] {
		rest, its = rest[:len(rest)-1], its[:len(its)-1]
	}
	isBegun := len(name) >= 8 && same == len(name)
	return same >= len("FRNG_") && (isBegun || len(rest) <= 2 && len(its) <= 2)
}
