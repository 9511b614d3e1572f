// Command simulationtest checks what a team's consoles promise on a record of what happened. It knows nothing of the
// program that made the record, and imports only the standard library.
//
//	go run ./api/session/simulationtest FOLDER
//	go run ./api/session/simulationtest record http://127.0.0.1:8099 127.0.0.1:8098 > FOLDER/requests.jsonl
//
// The second form stands between a console and a service, and writes down each request with its answer: no key and no
// card number. A profile then names its address in place of the service's, and each confirmation is named in the narration
// of a payment, and in the description of a link. .ci/checker does all of that with a sandbox.
//
// The folder has these files, of JSON Lines, whose members are named as the fields are, in any case. What is not known is
// left out.
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
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	switch args := os.Args[1:]; {
	case len(args) == 1:
		check(load(args[0]))
	case len(args) == 3 && args[0] == "record":
		log.Fatal(record(args[1], args[2], os.Stdout))
	default:
		log.Fatal("usage: simulationtest FOLDER, or simulationtest record ORIGIN LISTEN")
	}
}

// check prints what a record keeps and breaks.
func check(h *History) {
	findings := 0
	for _, p := range promises {
		if found := p.brokenBy(h); len(found) == 0 {
			fmt.Println("kept:", p.sentence)
		} else {
			findings += len(found)
			fmt.Printf("BROKEN: %s\n    %s\n", p.sentence, strings.Join(found, "\n    "))
		}
	}
	fmt.Printf("%d requests, %d acts, %d answers to people, %d attempts\n", len(h.Requests), len(h.Acts), len(h.Said), len(h.Ledger))
	if findings > 0 {
		log.Fatal(findings, " findings")
	}
}

// load reads the files of a record.
func load(dir string) *History {
	h := &History{
		Requests: read[Request](dir, "requests.jsonl"),
		Acts:     read[Act](dir, "acts.jsonl"),
		Said:     read[Said](dir, "said.jsonl"),
		Ledger:   read[Entry](dir, "ledger.jsonl"),
		Facts:    read[Facts](dir, "facts.jsonl"),
	}
	if len(h.Requests) == 0 {
		log.Fatal("there are no requests in ", dir)
	}
	for i := range h.Ledger {
		h.Ledger[i].Outcome = strings.ToLower(h.Ledger[i].Outcome) // the export raises what needs attention
	}
	for i, a := range h.Acts {
		if a.Did == "export" {
			h.Acts[i].Entries = read[Entry](dir, a.Export)
		}
	}
	return h
}

// read reads a file of JSON Lines; one that is missing has none.
func read[T any](dir, name string) (all []T) {
	f, err := os.Open(filepath.Join(dir, name))
	for lines := json.NewDecoder(f); err == nil; {
		var v T
		if err = lines.Decode(&v); err == nil {
			all = append(all, v)
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrNotExist) {
		log.Fatalf("%s, after %d lines: %v", name, len(all), err)
	}
	return all
}
