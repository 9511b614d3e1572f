package activity

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// filled is a journal in memory with n payments at intervals, the newest just now. Every ninth
// is unresolved.
func filled(n int, apart time.Duration) (*journal.Journal, error) {
	ctx := context.Background()
	at := time.Now().Add(-time.Duration(n) * apart)
	j, err := journal.Open(ctx, journal.Options{Operator: ledger.Operator{User: "ada", Host: "desk1"}, Now: func() time.Time { return at }})
	for i := range n {
		if err != nil {
			return nil, err
		}
		at = at.Add(apart)
		like := row(0, time.Time{})
		like.Amount.Minor = int64(i) + 1
		var a ledger.Attempt
		a, err = j.Begin(ctx, ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: like.Amount, Channel: "card", Card: "4242"}, ledger.Payer{}, nil)
		if err != nil {
			return nil, err
		}
		answer := ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(fmt.Sprintf("ref-%06d", i)), Status: api.ParseStatus("PENDING")}}
		if i%9 == 3 {
			answer = ledger.Result{Outcome: ledger.Unresolved, Why: "no answer came in time"}
		}
		err = j.End(ctx, a.ID, answer)
	}
	return j, err
}

// press sends keys and executes their commands.
func (m *Model) press(keys ...tea.KeyPressMsg) {
	for _, k := range keys {
		run(m, m.Update(k))
	}
}

func letter(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }

func sees(t *testing.T, view string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(ansi.Strip(view), w) {
			t.Fatalf("%q is not in\n%s", w, view)
		}
	}
}
