// Command simulation checks what a team's consoles promise on a record of what happened. It knows nothing of the
// program that made the record, and imports only the standard library.
//
//	go run ./api/session/simulation FOLDER
//	go run ./api/session/simulation record http://127.0.0.1:8099 127.0.0.1:8098 > FOLDER/requests.jsonl
//
// The second form stands between a console and a service, and writes down each request with its answer: no key and no
// card number. The folder has these files, of JSON Lines. A member that is not known is left out.
//
//   - requests.jsonl: what the service received and answered ([Request]);
//   - acts.jsonl: what people confirmed ([Act]);
//   - said.jsonl: what screens and commands said to them ([Said]);
//   - ledger.jsonl: the export of the journal, as paydesk activity --export writes it ([Entry]); earlier exports, named
//     in acts.jsonl, are beside it;
//   - facts.jsonl: the history of each attempt, as paydesk activity show --json prints it ([Facts]).
//
// It prints each promise, and ends with 1 where one is broken, with the lines that break it.
//
// The tests of this folder make such records: whole teams in fake time, with the real session and client, whose every
// history comes from one seed. See simulation_test.go.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 1:
		err = checkFolder(args[0])
	case len(args) == 3 && args[0] == "record":
		err = record(args[1], args[2], os.Stdout)
	default:
		fmt.Fprintln(os.Stderr, "usage: simulation FOLDER, or simulation record ORIGIN LISTEN")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulation:", err)
		os.Exit(1)
	}
}

// checkFolder reads a record and prints what it keeps and breaks.
func checkFolder(dir string) error {
	h, err := load(dir)
	if err != nil {
		return err
	}
	broken := 0
	for _, p := range promises {
		found := p.check(h)
		if len(found) == 0 {
			fmt.Println("kept:", p.sentence)
			continue
		}
		broken += len(found)
		fmt.Println("BROKEN:", p.sentence)
		for _, f := range found {
			fmt.Println("   ", f)
		}
	}
	fmt.Printf("%d requests, %d acts, %d answers to people, %d attempts\n", len(h.Requests), len(h.Acts), len(h.Said), len(h.Ledger))
	if broken > 0 {
		return fmt.Errorf("%d findings", broken)
	}
	return nil
}

// load reads the files of a record.
func load(dir string) (*History, error) {
	h := &History{}
	err := errors.Join(
		readLines(filepath.Join(dir, "requests.jsonl"), &h.Requests), readLines(filepath.Join(dir, "acts.jsonl"), &h.Acts),
		readLines(filepath.Join(dir, "said.jsonl"), &h.Said), readLines(filepath.Join(dir, "ledger.jsonl"), &h.Ledger),
		readLines(filepath.Join(dir, "facts.jsonl"), &h.Facts))
	for i := range h.Ledger {
		h.Ledger[i].Outcome = strings.ToLower(h.Ledger[i].Outcome) // the export raises what needs attention
	}
	for _, a := range h.Acts {
		if a.Did != "export" {
			continue
		}
		e := Export{Moment: a.Moment}
		err = errors.Join(err, readLines(filepath.Join(dir, a.Export), &e.Entries))
		h.Exports = append(h.Exports, e)
	}
	if len(h.Requests) == 0 && err == nil {
		err = errors.New("there are no requests in " + dir)
	}
	return h, err
}

// readLines reads a file with an object a line; one that is missing has none.
func readLines[T any](path string, into *[]T) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		*into = append(*into, v)
	}
	return lines.Err()
}
