package cli_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// The members of every object and their types are those that other programs were promised.
func TestTheShapesAreThoseOfTheGolden(t *testing.T) {
	var b strings.Builder
	for _, v := range clitest.Objects() {
		describe(&b, reflect.TypeOf(v.Of), 0)
	}
	const file = "output/testdata/schemas.golden"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the shapes changed; within a version members are only added:\n%s", b.String())
	}
}

// describe writes the members of an object, and those of objects in it.
func describe(b *strings.Builder, t reflect.Type, depth int) {
	if depth == 0 {
		fmt.Fprintf(b, "%s\n", t.Name())
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			describe(b, f.Type, max(depth, 1))
			continue
		}
		tag := f.Tag.Get("json")
		of := f.Type
		many := ""
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			if of.Kind() == reflect.Slice {
				many = "[]"
			}
			of = of.Elem()
		}
		fmt.Fprintf(b, "%s%s %s%s\n", strings.Repeat("  ", max(depth, 1)), tag, many, kind(of))
		if of.Kind() == reflect.Struct && of != reflect.TypeFor[time.Time]() {
			describe(b, of, max(depth, 1)+1)
		}
	}
}

func kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Struct:
		return "object"
	}
	return t.Kind().String()
}

// Programs compare the words of these members, so the help names those that are printed.
func TestTheHelpNamesTheWordsThatArePrinted(t *testing.T) {
	help := strings.Join(strings.Fields(output.Members()), " ")
	var states []string
	for s := api.Initiated; s <= api.Claimed; s++ {
		states = append(states, s.String())
	}
	for _, words := range []string{
		fmt.Sprintf("stands for: %s or %s.", strings.Join(states, ", "), api.Unrecognised),
		fmt.Sprintf("the documented status, %s, or %s", api.Unrecognised, present.Mismatch),
		fmt.Sprintf("about it: %s, %s, %s, %s, %s, %s or %s", webhook.Waiting, webhook.Agrees, webhook.NoAmount, webhook.Disagrees, webhook.Unknown, webhook.NotAsked,
			webhook.NotUnderstood),
		fmt.Sprintf("kind text %s, %s or %s", ledger.Initiate, ledger.CreateLink, ledger.Finalize),
		fmt.Sprintf("outcome text %s, %s, %s, %s or %s", ledger.Sent, ledger.Accepted, ledger.Refused, ledger.NotSent, ledger.Unresolved),
		fmt.Sprintf("about it: %s, %s, %s, %s or %s;", ledger.Found, ledger.NotFound, ledger.GaveUp, ledger.NotFollowed, ledger.DifferenceRead),
		fmt.Sprintf("decision text %s, %s, %s, %s, %s, %s, %s, %s where", ledger.Found, ledger.NotFound, ledger.GaveUp, ledger.NotFollowed,
			ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs, ledger.AskAgain),
		fmt.Sprintf("about it, %s, %s or %s;", ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs),
	} {
		if !strings.Contains(help, words) {
			t.Errorf("the help has no %q", words)
		}
	}
	if strings.Contains(help, "UNKNOWN") {
		t.Error("no object has the word UNKNOWN")
	}
}
