package activity

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
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

func TestARealJournalIsListedFilteredExportedAndPurged(t *testing.T) {
	synctest.Test(t, listsFiltersExportsAndPurges) // what the screen waits for passes at once
}

func listsFiltersExportsAndPurges(t *testing.T) {
	j, err := filled(260, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	newest := api.Reference("ref-000259")
	for _, err := range []error{
		j.RecordTransaction(t.Context(), here, api.PaymentStatus{Reference: newest, Status: api.ParseStatus("PENDING")}),
		j.CustomerDone(t.Context(), here, newest),
		j.RecordTransaction(t.Context(), here, api.PaymentStatus{Reference: newest, Status: api.ParseStatus("SUCCESSFUL")}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m, view := openSync(t, j)
	sees(t, view, "260 attempts of this service", "✓ SUCCESSFUL", "? UNRESOLVED", "2.60 GBP", "ref-000259", "ada")

	m.Resize(118, 36)
	run(m, m.Resized())
	view, _ = m.View()
	sees(t, view, "History", "sent", "◌ PENDING", "check", "customer done", "✓ SUCCESSFUL", "ada on desk")

	tab, right := tea.KeyPressMsg{Code: tea.KeyTab}, tea.KeyPressMsg{Code: tea.KeyRight}
	m.press(tab, tab, tab)
	for range 20 {
		if m.Query().Asks("outcome") && slices.Contains(m.Where(), "outcome:unresolved") {
			break
		}
		m.press(right)
	}
	view, _ = m.View()
	sees(t, view, "‹", "29 attempts", "UNRESOLVED")

	m.folder = t.TempDir()
	form := m.openExport()().(nav.Push).To.(nav.Over)
	run(m, form.Init(m.Scope))
	for _, k := range []tea.KeyPressMsg{letter('j'), {Code: 's', Mod: tea.ModCtrl}} {
		run(m, form.Update(k))
	}
	rows := read(t, m.folder, "*.json", func(raw []byte) (l []map[string]any, err error) { return l, json.Unmarshal(raw, &l) })
	if len(rows) != 29 || slices.ContainsFunc(rows, func(r map[string]any) bool { return r["outcome"] != "UNRESOLVED" }) {
		t.Errorf("%d rows", len(rows))
	}

	p := m.openPurge()().(nav.Push).To.(nav.Over).Screen.(*purge)
	p.Resize(118, 36)
	run(m, p.Init(m.Scope))
	p.days.SetValue("7")
	run(m, p.count())
	view, _ = p.View()
	want, err := j.PurgePreview(t.Context(), time.Now().Add(-7*oneDay))
	if err != nil || want.Attempts == 0 || want.Kept == 0 {
		t.Fatal(want, err)
	}
	sees(t, view, fmt.Sprintf("%d attempts are older than 7 days", want.Attempts), fmt.Sprintf("%d unresolved or mismatched ones are kept", want.Kept))
}

func sees(t *testing.T, view string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(ansi.Strip(view), w) {
			t.Fatalf("%q is not in\n%s", w, view)
		}
	}
}
