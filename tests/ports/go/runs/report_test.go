package runs

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"strings"
	"testing"

	"frng"
)

// The report of an ordinary run, which a driver shares with it; see PROTOCOL.md.
const (
	reportSize, traceAt, traceRoom, tableAt = 8192, 4096, 64, 1024
	tracedAt, drawnAt, siteAt               = 168, 192, 256
)

const unknown = ^uint64(0)

type record struct {
	Start, Taken    uint64
	Kind, Width     uint8
	Reserved        [6]uint8
	Min, Max, Value uint64
	Index           uint64
}

// reported makes a run with a report, and returns the report.
func reported(t *testing.T, name string, entropy []byte) []byte {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	report := make([]byte, reportSize)
	copy(report, "frngprt1")
	for at, x := range map[int]uint64{8: reportSize, 16: traceAt, 24: traceRoom, 40: tableAt, 48: 1,
		tableAt: unknown} {
		binary.LittleEndian.PutUint64(report[at:], x)
	}
	if _, err := file.Write(report); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0])
	command.Stdin, command.ExtraFiles = bytes.NewReader(entropy), []*os.File{file}
	command.Env = append(os.Environ(), "FRNG_TEST_TARGET="+name, "FRNG_DRIVER=1,-1,3,-1")
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	if report, err = os.ReadFile(file.Name()); err != nil {
		t.Fatal(err)
	}
	return report
}

func word(report []byte, at int) uint64 { return binary.LittleEndian.Uint64(report[at:]) }

// The records of "passing records" with the first 60 bytes of seed 3, but the note and the letters.
var wanted = []record{
	{Start: 15, Taken: 2, Kind: 5, Width: 2, Max: 300, Value: 187},
	{Start: 17, Taken: 1, Kind: 2, Width: 1, Max: 7, Value: 7},
	{Start: 18, Taken: 1, Kind: 2, Width: 1, Max: 7, Value: 7},
	{Start: 19, Taken: 1, Kind: 4, Width: 1, Max: 2, Value: 1},
	{Start: 20, Taken: 1, Kind: 4, Width: 1, Max: 1, Value: 0},
	{Start: 21, Taken: 2, Kind: 14, Width: 2, Max: 511, Value: 0xa2},
	{Start: 23, Taken: 2, Kind: 10, Width: 2, Min: 5, Max: 70, Value: 43},
	{Start: 25, Taken: 2, Kind: 11, Width: 4, Min: ^uint64(4), Max: 100, Value: 13},
	{Start: 27, Taken: 4, Kind: 15, Width: 4, Max: 3652058, Value: 1002578},
	{Start: 31, Taken: 8, Kind: 2, Width: 8, Max: ^uint64(0), Value: 8482000580328965848},
}

func TestDrawsHaveTheirRecords(t *testing.T) {
	entropy, err := frng.Expand("3", 60)
	if err != nil {
		t.Fatal(err)
	}
	report := reported(t, "passing records", entropy)
	records := make([]record, word(report, tracedAt))
	if err := binary.Read(bytes.NewReader(report[traceAt:]), binary.LittleEndian, records); err != nil {
		t.Fatal(err)
	}
	if len(records) != 7+len(wanted) || records[0].Kind != 255 {
		t.Fatal(records)
	}
	var text []byte
	for i, letter := range records[1:7] {
		how := [...]uint64{2 << 32, 2 << 32, 2 << 32, 2 << 32, 0, 1 << 32}[i] | 32<<16 | 128
		if letter.Kind != 9 || letter.Width != 1 || letter.Min != how || letter.Max != 4 {
			t.Errorf("letter %d: %#x", i, letter)
		}
		text = append(text, byte(letter.Value>>32))
	}
	if string(text) != "ba?a?\x00" {
		t.Errorf("%q", text)
	}
	for i, r := range records[7:] {
		if r != wanted[i] {
			t.Errorf("%+v, not %+v", r, wanted[i])
		}
	}
	if word(report, drawnAt) != 39 || word(report, tableAt) != 39 || report[siteAt] != 0 {
		t.Error(word(report, drawnAt), word(report, tableAt), report[siteAt])
	}
}

func TestAFailingRunReportsItsSite(t *testing.T) {
	report := reported(t, "failing assert", []byte{1, 9})
	site, _, _ := strings.Cut(string(report[siteAt:siteAt+128]), "\x00")
	if site != lineOf(t, "assert") || word(report, drawnAt) != 1 || word(report, tableAt) != unknown {
		t.Error(site, word(report, drawnAt), word(report, tableAt))
	}
}

func TestARunOutOfEntropySaysSo(t *testing.T) {
	report := reported(t, "passing drawn", []byte{1, 9, 3})
	if word(report, drawnAt) != 3 || word(report, tableAt) != 3|1<<63 || report[siteAt] != 0 {
		t.Error(word(report, drawnAt), word(report, tableAt))
	}
}
