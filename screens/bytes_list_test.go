package screens_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/consoletest"
)

// manyRows is enough for a list to scroll in every window of these tests.
const manyRows = 60

// sendMany records attempts that the service accepted, and links that were created.
func sendMany(c *consoletest.Console) { sendManyWith(c, "SUCCESSFUL", "FAILED") }

// sendPaid records those of payments that succeeded: on home all of them are in one section.
func sendPaid(c *consoletest.Console) { sendManyWith(c, "SUCCESSFUL", "SUCCESSFUL") }

func sendManyWith(c *consoletest.Console, statuses ...string) {
	c.T.Helper()
	here := ledger.Destination{Profile: "demo", Environment: "SANDBOX", Host: "127.0.0.1:8099"}
	for i := range manyRows {
		a := ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: pounds(int64(1250 + 37*i)), Channel: api.ChannelCard, Card: "4242"}
		r := ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{
			Reference: api.Reference(fmt.Sprintf("REF%04d", i)), Status: api.ParseStatus(statuses[i/2%2]),
		}}
		if i%2 == 1 {
			name := fmt.Sprintf("Chairs %d", i)
			a = ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: a.Amount, Draft: api.LinkDraft{Name: name, Amount: a.Amount}}
			r.Payment, r.Link = nil, &api.Link{Alias: api.Alias(fmt.Sprintf("0-abc%04d", i)), Name: api.Clean(name)}
		}
		sent, err := c.Journal.Begin(c.T.Context(), a, ledger.Payer{}, nil)
		if err == nil {
			err = c.Journal.End(c.T.Context(), sent.ID, r)
		}
		if err != nil {
			c.T.Fatal(err)
		}
	}
}

// makeMany makes payments in the sandbox.
func makeMany(c *consoletest.Console) {
	c.T.Helper()
	for i := range manyRows {
		body := fmt.Sprintf(`{"amount":%d,"currency":"NGN","channel":"PayByTransfer","userInformation":{"firstName":"Ada","lastName":"Obi",
			"emailAddress":"ada@example.org","phone":"+442079460000"},"metaData":{}}`, 100+i)
		r := httptest.NewRequest("POST", "/api/payment/pay/initiate", strings.NewReader(body))
		r.Header.Set("X-Api", consoletest.Key)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if c.Sandbox.ServeHTTP(w, r); w.Code >= 300 {
			c.T.Fatalf("the sandbox answered %d: %s", w.Code, w.Body)
		}
	}
}

// manyProfiles is a file with many profiles.
func manyProfiles(t *testing.T) consoletest.Option {
	t.Helper()
	var text strings.Builder
	for i := range manyRows {
		fmt.Fprintf(&text, "-- profiles/shop-%02d.toml --\nenvironment = \"test\"\nbase_url = \"https://shop-%d.example\"\nlist_url = \"https://shop-%d.example\"\n", i, i, i)
	}
	path := keystoretest.Write(t, t.TempDir(), text.String())
	if _, err := keystore.Folder(path).Load(); err != nil {
		t.Fatal(err)
	}
	return consoletest.Config(path)
}

// A list is a list of the console with many rows. In some, words below it or beside it tell more of the
// selected row, and change with it.
type list struct {
	name  string
	fill  func(*consoletest.Console)
	key   string
	shows string

	move, most, scroll int // bytes of a move, in the middle and at most, and of a scroll at most
}

// The goals of a list: what a move of the mark writes, and a scroll by one row.
const (
	moveGoal   = 24
	scrollGoal = 180
)

func lists() []list {
	none := func(*consoletest.Console) {}
	return []list{
		{"home", sendPaid, "r", "Settled today", moveGoal, moveGoal, 170},
		{"transactions", none, "2", "Page 1 of", moveGoal, moveGoal, 260},
		{"activity", sendMany, "3", "60 attempts", moveGoal, moveGoal, scrollGoal},
		{"links", sendMany, "4", "30 links", moveGoal, moveGoal, scrollGoal},
		{"profiles", none, "5", "60 profiles", moveGoal, moveGoal, 170},
		{"sandbox", makeMany, "f3", "True state", moveGoal, moveGoal, 230},
	}
}

// inEachList runs do with each list open, at its first row.
func inEachList(t *testing.T, w, h int, do func(t *testing.T, c *consoletest.Console, l list)) {
	for _, l := range lists() {
		t.Run(l.name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				c.Sees("Menu")
				l.fill(c)
				c.Press(l.key).Sees(l.shows)
				do(t, c, l)
			}, consoletest.Size(w, h), consoletest.Colours(colorprofile.ANSI256), manyProfiles(t))
		})
	}
}

func TestAMoveInAnyListWritesLittle(t *testing.T) {
	for _, size := range [][2]int{{100, 40}, {80, 24}} {
		inEachList(t, size[0], size[1], func(t *testing.T, c *consoletest.Console, l list) {
			for _, key := range []string{"down", "up"} {
				moves := sorted(c, 5, func() { c.Press(key) }) // fewer than the rows of each window
				within(t, "bytes of a move "+key+", median", moves[2].bytes, l.move)
				within(t, "bytes of a move "+key+", most", moves[4].bytes, l.most)
				within(t, "writes of a move "+key, moves[4].writes, 1)
				if l.move == moveGoal {
					within(t, "cells of a move "+key, moves[4].cells, 2)
				}
			}
		})
	}
}

func TestAScrollByOneInAnyListWritesLittle(t *testing.T) {
	inEachList(t, 80, 24, func(t *testing.T, c *consoletest.Console, l list) {
		var scrolls []cost
		for range manyRows {
			at := markedLine(c)
			if move := costs(c, func() { c.Press("down") }); markedLine(c) == at {
				scrolls = append(scrolls, move)
			}
			if len(scrolls) == 3 { // the next page of the transactions is not far
				break
			}
		}
		if len(scrolls) < 3 {
			t.Fatal("the list does not scroll")
		}
		for _, s := range scrolls {
			within(t, "bytes of a scroll by one", s.bytes, l.scroll)
			within(t, "writes of a scroll by one", s.writes, 1)
		}
	})
}

// markedLine is the line of the window on which the selected row is.
func markedLine(c *consoletest.Console) int {
	return slices.IndexFunc(strings.Split(c.Screen(), "\n"), func(l string) bool { return strings.HasPrefix(l, " ▌ ") })
}
