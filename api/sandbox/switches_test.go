package sandbox

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// runScript makes one call of every kind, with amounts in the units of the switches.
func runScript(s *Sandbox) map[string]string {
	units := func(name string, body obj, path, minor string) obj {
		if s.switches.is("units."+name, "minor") {
			return with(body, path, json.Number(minor))
		}
		return body
	}
	answers := map[string]string{}
	tell := func(name, method, target string, body any) {
		w := ask(s, method, target, mustJSON(body))
		answers[name] = whole(w.Code, w.Body.Bytes())
	}
	pay := func(name, reference string, body obj) {
		tell("initiate "+name, "POST", initiatePath, units("initiate", with(body, "reference", reference), "amount", "1250"))
	}
	tell("link static", "POST", makeLinkPath, units("link", draft("static"), "amountInfo.amount", "1250"))
	tell("link dynamic", "POST", makeLinkPath, units("link", with(with(draft("dynamic"), "linkType", 1), "amountType", 1), "amountInfo.amount", "1250"))
	pay("approve", "A", charge("approve"))
	pay("challenge", "C", charge("challenge"))
	pay("decline", "D", charge("decline"))
	pay("transfer", "T", bankTransfer())
	pay("open", "E", charge("challenge"))
	tell("authenticate", "GET", checkPath+"C", nil)
	s.Approve("C")
	tell("finalize", "POST", finalizePath, obj{"paymentReference": "C"})
	s.Settle("C")
	tell("transaction successful", "GET", statusPath+"C", nil)
	tell("transaction pending", "GET", statusPath+"A", nil)
	tell("transaction failed", "GET", statusPath+"D", nil)
	tell("transaction initiated", "GET", statusPath+"E", nil)
	tell("transactions", "GET", listPath, nil)
	tell("validate", "POST", validatePath, units("validate", obj{"amount": obj{"currencyCode": "GBP", "amount": 5}}, "amount.amount", "500"))
	for name, path := range map[string]string{"initiate": initiatePath, "link": makeLinkPath, "validate": validatePath, "finalize": finalizePath} {
		tell(name+" refused", "POST", path, obj{})
	}
	tell("transactions refused", "GET", listPath+"?page=0", nil)
	tell("finalize unknown", "POST", finalizePath, obj{"paymentReference": "X"})
	tell("authenticate unknown", "GET", checkPath+"X", nil)
	tell("transaction unknown", "GET", statusPath+"X", nil)
	pay("account", "B", byAccount())
	pay("interac", "I", byInterac())
	return answers
}

// whole is a response as one object, with its status.
func whole(status int, body []byte) string { return fmt.Sprintf(`{"http":%d,%s`, status, body[1:]) }

// leaves returns what is written at each path of a response where nothing is inside. Elements of an array share one.
func leaves(document string) map[string][]string {
	out := map[string][]string{}
	var walk func(path string, n node)
	walk = func(path string, n node) {
		for _, m := range n.members {
			walk(strings.Trim(path+"."+m.name, "."), m.node)
		}
		switch {
		case n.open == 0:
			out[path] = append(out[path], n.leaf)
		case len(n.members) == 0:
			out[path] = append(out[path], string(n.open)+string(n.open+2))
		}
	}
	walk("", parseTree([]byte(document)))
	return out
}

// changes lists the differences between two runs of the script, such as "initiate
// value.paymentStatus INITIATED → Started".
func changes(before, after map[string]string) []string {
	var out []string
	for call, old := range before {
		operation, _, _ := strings.Cut(call, " ")
		a, b := leaves(old), leaves(after[call])
		paths := maps.Clone(a)
		maps.Copy(paths, b)
		for path := range paths {
			for i := range max(len(a[path]), len(b[path])) {
				if was, is := nth(a[path], i), nth(b[path], i); was != is {
					out = append(out, fmt.Sprintf("%s %s: %s → %s", operation, path, was, is))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func nth(written []string, i int) string {
	switch {
	case i >= len(written):
		return "nothing"
	case utf8.RuneCountInString(written[i]) > 70:
		return "…"
	}
	return written[i]
}

var update = flag.Bool("update", false, "rewrite the files of testdata")

// testdata lists everything that each value of each switch changes in the responses to the
// script. Switches without an effect there have tests of their own below.
func TestEverySwitchChangesExactlyWhatItSays(t *testing.T) {
	run := func(name, value string) map[string]string {
		s := New(Options{Key: testKey, Seed: 2, Transactions: 6, Now: stoppedClock})
		must(t, s.SetSwitch(name, value))
		return runScript(s)
	}
	before := run("transfer.paid", "by-itself")
	var b strings.Builder
	for _, w := range switchTable() {
		values := w.Values
		if w.Name == "key.header" {
			continue
		}
		if values == nil {
			values = []string{w.Default, "Odd-Word", "7"}
		}
		if diffs := changes(before, run(w.Name, w.Default)); len(diffs) > 0 {
			t.Errorf("the default of %s changes responses: %q", w.Name, diffs)
		}
		for _, v := range values[1:] {
			fmt.Fprintf(&b, "%s = %s\n", w.Name, v)
			for _, line := range changes(before, run(w.Name, v)) {
				fmt.Fprintf(&b, "\t%s\n", line)
			}
		}
	}
	file := filepath.Join("testdata", "switches.txt")
	if *update {
		must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	if diff := cmp.Diff(strings.Split(read(t, file), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("switches do not match testdata (-want +got; -update rewrites it):\n%s", diff)
	}
}

func TestASwitchAcceptsOnlyItsValues(t *testing.T) {
	s := New(Options{Key: testKey})
	if err := s.SetSwitch("finalize.word", "x"); err != ErrNoSwitch {
		t.Error(err)
	}
	for _, w := range switchTable() {
		bad := []string{"a\nb", "\u0430", "\x1b[2J", " x", strings.Repeat("a", 65)}
		if w.Values != nil {
			bad = append(bad, "", "Other", strings.ToUpper(w.Default)+"x")
		} else if w.Default != "" {
			bad = append(bad, "")
		}
		for _, v := range bad {
			if err := s.SetSwitch(w.Name, v); err == nil || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%s accepts %q: %v", w.Name, v, err)
			}
		}
		for _, v := range append(w.Values, w.Default) {
			if err := s.SetSwitch(w.Name, v); err != nil {
				t.Errorf("%s rejects %q: %v", w.Name, v, err)
			}
		}
		s.SetSwitch(w.Name, w.Default)
	}
	if s.switches.rewrites() {
		t.Error("with every switch at its default, responses are still changed")
	}
	s.SetSwitch("status.failed", "007")
	if a := ask(s, "POST", initiatePath, mustJSON(charge("decline"))).Body.Bytes(); !json.Valid(a) {
		t.Errorf("a word of digits makes an answer invalid JSON: %s", a)
	}
}

func TestTheKeyGoesInTheHeaderOfTheSwitch(t *testing.T) {
	s := serve(t, Options{})
	s.SetSwitch("key.header", "Authorization")
	s.send("GET", statusPath+"X", "").refused(401, "in the header Authorization is missing")
	in := func(name, key string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Del(KeyHeader); r.Header.Set(name, key) }
	}
	s.send("GET", statusPath+"X", "", in("authorization", testKey)).refused(404, "no payment")
	s.send("GET", statusPath+"X", "", in("Authorization", "Bearer "+testKey)).refused(401, "not the right one")
}

// What paydesk sandbox --assumptions prints has every assumption, each under a topic of its own, and every switch under one of them.
func TestTheAssumptionsArePrintedWithTheirSwitches(t *testing.T) {
	var b strings.Builder
	must(t, WriteAssumptions(&b))
	flat := strings.Join(strings.Fields(b.String()), " ")
	topics, names := map[string]bool{}, map[string]bool{}
	for _, a := range Assumptions() {
		if topics[a.Topic] || !strings.Contains(flat, a.Topic+" "+strings.Join(strings.Fields(a.Says), " ")) {
			t.Errorf("%+v", a)
		}
		topics[a.Topic] = true
	}
	for _, w := range switchTable() {
		if !topics[w.Topic] || names[w.Name] || w.Does == "" || w.Values != nil && w.Values[0] != w.Default || !strings.Contains(flat, "Switch "+w.Name+": ") {
			t.Errorf("%+v", w)
		}
		names[w.Name] = true
	}
}
