package frng

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Offsets in the report, the memory that a run shares with its driver; see PROTOCOL.md.
const (
	magic                                               = 0x31747270676e7266
	atSize, atTrace, atRoom, atStop, atRuns, atRunCount = 8, 16, 24, 32, 40, 48
	atRun, atDigest, atDigestDrawn, atTraced, atUsed    = 128, 152, 160, 168, 192
	atSite, siteMax, recordSize, atWants                = 256, 127, 56, 96
	atChosen, atChosenSize, atRanOut                    = 80, 88, 104
)

// Messages: ten numbers each. The server makes its runs in its own process.
const (
	hello, run, done                = 1, 2, 3
	canBatch, canExplicit, noFork   = 2, 4, 256
	canStay, stay, wentOn           = 2048, 256, 8 // of HELLO, RUN and DONE
	wantsDigest, explicit, ranOut   = 2, 4, 1 << 63
	wantsDiscards, discarded        = 8, 1 << 62 // of atWants, and of a row
	hasNarrowed                     = 1 << 62    // of atWants
	countDiscard                    = 1 << 8     // in atWants
	chosen                          = 128        // of HELLO and of RUN
	iType, iVersion, iFlags, iCount = 0, 1, 2, 6
	iSize, iDigestRun, iStatus      = 7, 8, 9
	failedStatus, failuresMost      = 2, 64 // the exit status; so often the process goes on
)

type message [10]uint64

// A report hears of the draws of a run, and passes them on to the driver.
type report struct {
	memory     []byte // nil: there is no driver
	room       uint64 // records of a trace that it wants
	trace      uint64 // their offset
	digests    bool   // it wants a digest of this run's draws
	listens    bool   // it wants either
	says       bool   // it wants the lines of Say
	labels     uint64 // the offset of its table of labels, or 0
	labelCount uint64
	goals      uint64 // the offset of its table of goals, or 0
	goalRoom   uint64 // records in it
	kept       *kept  // or nil: it hears of draws, too
	places     places // of the draws of a trace
}

// narrowed tells that the run draws from fewer bytes than it did before findings told their draws.
func (r *report) narrowed() {
	if r.memory != nil {
		*r.word(atWants) |= hasNarrowed
	}
	if r.kept != nil {
		r.kept.hasNarrowed = true
	}
}

func (r *report) word(offset uint64) *uint64 { return (*uint64)(unsafe.Pointer(&r.memory[offset])) }

func (r *report) record(kind, width int, start, end, min, max, value, index uint64) {
	if r.digests {
		digest := r.word(atDigest)
		for _, x := range [...]uint64{uint64(kind), uint64(width), start, end, min, max, value} {
			*digest = (*digest ^ x) * 0x100000001b3
			*digest ^= *digest >> 29
		}
	}
	if r.kept != nil {
		r.kept.add(kind, width, min, max)
	}
	if at := r.next(); at > 0 {
		*r.word(at), *r.word(at + 8), *r.word(at + 16) = start, end-start, 0
		r.memory[at+16], r.memory[at+17] = byte(kind), byte(width)
		depth, site := r.places.of()
		*(*uint16)(unsafe.Pointer(&r.memory[at+18])), *r.short(at + 20) = depth, site
		*r.word(at + 24), *r.word(at + 32), *r.word(at + 40), *r.word(at + 48) = min, max, value, index
	}
}

// next returns the offset of the next record, or 0 if there is no room.
func (r *report) next() uint64 {
	if r.room == 0 {
		return 0
	}
	traced := r.word(atTraced)
	*traced++
	if *traced > r.room {
		return 0
	}
	return r.trace + (*traced-1)*recordSize
}

func (r *report) named(kind int, start uint64, name string) {
	if at := r.next(); at > 0 {
		*r.word(at), *r.word(at + 8), *r.word(at + 16) = start, 0, 0
		r.memory[at+16] = byte(kind)
		text := append([]byte(name), make([]byte, 32)...) // it ends with a 0
		copy(r.memory[at+24:at+recordSize-1], text)
	}
}

// said records a line, 32 bytes in each record.
func (r *report) said(start uint64, line string) {
	const textSize, most = 32, 159
	if len(line) > most {
		line = line[:most-3] + "..."
	}
	for isFirst := true; isFirst || line != ""; isFirst = false {
		some := line
		if len(some) > textSize {
			some = some[:textSize]
		}
		line = line[len(some):]
		r.named(kindSay, start, "")
		if at := r.trace + (*r.word(atTraced)-1)*recordSize; *r.word(atTraced) <= r.room {
			copy(r.memory[at+24:at+recordSize], some)
			if line != "" {
				r.memory[at+17] = 1
			}
		}
	}
}

// begin prepares the report for run i, and returns its generator.
func (r *report) begin(i uint64, entropy []byte, digests bool) *F {
	f := &F{data: entropy, report: r, used: new(uint64)}
	if r.memory == nil {
		return f
	}
	*r.word(atRanOut) = 0
	f.used = r.word(atUsed)
	*f.used, *r.word(atTraced), r.memory[atSite] = 0, 0, 0
	r.trace, r.room = *r.word(atTrace), *r.word(atRoom)
	r.digests, r.listens = digests, digests || r.room > 0
	r.says = r.room > 0 && *r.word(atWants)&1 != 0
	if r.room > 0 {
		r.places.begin()
	}
	*r.word(atMarked) = 0
	r.wantLabels()
	r.wantGoals()
	atomic.StoreUint64(r.word(atRun), i)
	return f
}

// pass writes the row of run i, which has passed.
func (r *report) pass(i uint64, f *F) {
	if r.memory == nil {
		return
	}
	if r.digests {
		*r.word(atDigestDrawn) = *f.used
	}
	if r.labels > 0 {
		r.countRun(f)
	}
	if r.goals > 0 {
		r.endGoals(f)
	}
	isTold := f.discarded && *r.word(atWants)&wantsDiscards != 0
	if isTold {
		*r.word(atWants) += countDiscard
	}
	if i < *r.word(atRunCount) {
		row := *f.used
		if f.choices != nil {
			row = uint64(f.choices.seen)
		}
		if isTold {
			row |= discarded
		} else if !f.discarded && (f.out || f.choices != nil && f.choices.hasEnded) {
			row |= ranOut
		}
		*r.word(*r.word(atRuns) + 8*i) = row
	}
}

// hasServed is true once a driver has hung up. The program goes on to its end, and makes no more runs.
var hasServed bool

// Run makes runs as Main does, and leaves arguments to the program. It returns when all have passed.
func Run(test func(f *F)) {
	isOffered := hasDriver()
	r, control, entropy := accept()
	if control >= 0 {
		serve(r, control, entropy, test)
		hasServed = true
	}
	if hasServed {
		return
	}
	for _, line := range []string{misspelt(), unread()} {
		if line != "" && !isOffered {
			fmt.Fprintln(os.Stderr, "frng:", line)
		}
	}
	if os.Getenv("FRNG_INPUT") == "" && !isOffered {
		checkEntropy()
	}
	data, err := input(isOffered)
	if err != nil {
		fmt.Fprintln(os.Stderr, "frng: cannot read entropy:", err)
		os.Exit(125)
	}
	f := r.begin(0, data, false)
	r.onMain(f, test)
	r.pass(0, f)
}

// onMain makes a run in the main goroutine, without which the process could not end.
func (r *report) onMain(f *F, test func(f *F)) {
	defer func() {
		if f.ends > endsMost {
			os.Exit(0)
		}
	}()
	f.once(test, r.fail)
}

// input reads all of the entropy of an ordinary run. A device or a pipe may have no end.
func input(isOffered bool) ([]byte, error) {
	const streamMiB = 256
	file := os.Stdin
	if name := os.Getenv("FRNG_INPUT"); name != "" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		file = opened
	}
	if status, err := file.Stat(); isOffered || err == nil && status.Mode().IsRegular() {
		return io.ReadAll(file)
	}
	data, err := io.ReadAll(io.LimitReader(file, streamMiB<<20))
	if len(data) == streamMiB<<20 {
		name := strings.Replace(file.Name(), "/dev/stdin", "stdin", 1)
		refuse("%s is no file, and has %d MiB or more: name a file of them, or take less\n", name, streamMiB)
	}
	return data, err
}

// accept takes the offer of a driver: FRNG_DRIVER=version,control,report,entropy.
func accept() (r *report, control, entropy int) {
	var version, fd int
	offer := os.Getenv("FRNG_DRIVER")
	os.Unsetenv("FRNG_DRIVER")
	count, _ := fmt.Sscanf(offer, "%d,%d,%d,%d", &version, &control, &fd, &entropy)
	if count != 4 || version != 1 {
		return &report{}, -1, -1
	}
	var status syscall.Stat_t
	if syscall.Fstat(fd, &status) != nil || status.Size <= atSite+siteMax {
		return &report{}, -1, -1
	}
	const access = syscall.PROT_READ | syscall.PROT_WRITE
	memory, err := syscall.Mmap(fd, 0, int(status.Size), access, syscall.MAP_SHARED)
	r = &report{memory: memory}
	if err != nil || *r.word(0) != magic || *r.word(atSize) > uint64(len(memory)) {
		return &report{}, -1, -1
	}
	for _, fd := range []int{control, fd, entropy} {
		syscall.CloseOnExec(fd)
	}
	return r, control, entropy
}

// serve makes the runs that the driver orders, until it hangs up.
func serve(r *report, control, entropy int, test func(f *F)) {
	var m message
	packet := (*[80]byte)(unsafe.Pointer(&m))[:]
	m = message{hello, 1, canBatch | canExplicit | noFork | chosen | canClimb, atUsed, 8}
	if off := os.Getenv("FRNG_NO_JUMP"); off == "" || off == "0" {
		m[iFlags] |= canStay
	}
	s := server{report: r, test: test, goroutines: runtime.NumGoroutine(), patience: failuresMost}
	for {
		if n, err := syscall.Write(control, packet); n != len(packet) || err != nil {
			return
		}
		if n, err := syscall.Read(control, packet); n != len(packet) || err != nil || m[iType] != run {
			return
		}
		data := make([]byte, m[iSize])
		if n, err := syscall.Pread(entropy, data, 0); n != len(data) || err != nil {
			return
		}
		m = s.batch(&m, data)
	}
}

// A server makes runs. Where the driver lets it, it makes each in a goroutine, and goes on after one
// that fails.
type server struct {
	*report
	test       func(f *F)
	goroutines int // without those that runs have left
	patience   int // failures after which it goes on
}

// batch makes the runs of an order, whose entropy is their ends and then their bytes, and returns
// the answer.
func (s *server) batch(order *message, data []byte) message {
	r, count, start := s.report, order[iCount], uint64(0)
	ends, all := data, data
	if order[iFlags]&explicit != 0 {
		all = data[8*count:]
	}
	for i := uint64(0); i < count; i++ {
		end := uint64(len(all))
		if order[iFlags]&explicit != 0 {
			end = *(*uint64)(unsafe.Pointer(&ends[8*i]))
		}
		digests := order[iFlags]&wantsDigest != 0 && i == order[iDigestRun]
		f := r.begin(i, all[start:end:end], digests)
		if order[iFlags]&chosen != 0 {
			f.beginChoices(all[start:end])
		}
		if order[iFlags]&stay == 0 {
			r.onMain(f, s.test)
		} else if why := f.alone(s.test); why != nil {
			s.goOn(*why)
			return message{iType: done, iFlags: wentOn, iCount: i, iStatus: failedStatus << 8}
		}
		r.pass(i, f)
		start = end
		if atomic.LoadUint64(r.word(atStop)) != 0 || r.isFullOfGoals() {
			count = i + 1
		}
	}
	return message{iType: done, iCount: count}
}

// goOn reports a failure, and ends the process if runs have left goroutines, or failed often.
func (s *server) goOn(why failure) {
	isAlone := runtime.NumGoroutine() <= s.goroutines || countOthers() <= s.goroutines
	if s.patience--; s.patience < 0 || why.what == outerFailed || !isAlone {
		s.fail(why)
	}
	s.tell(why)
}

// tell reports the line that panicked, in the code of the test.
func (r *report) tell(why failure) {
	if r.memory != nil {
		copy(r.memory[atSite:atSite+siteMax], why.site+"\x00")
	}
	fmt.Fprint(os.Stderr, why)
}

// fail reports a failure, and ends the process.
func (r *report) fail(why failure) {
	r.tell(why)
	os.Exit(failedStatus)
}
