package screentest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
)

// What screens are given in tests, and what they leave.

// OnlyFile is the text of the only file with a name in a folder, which only its owner can read.
func OnlyFile(t testing.TB, folder, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	all, _ := os.ReadDir(folder)
	if len(names) != 1 {
		t.Fatalf("%s: %v of %v", pattern, names, all)
	}
	info, err := os.Stat(names[0])
	raw, bad := os.ReadFile(names[0])
	if err != nil || bad != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Fatal(err, bad, info.Mode())
	}
	return string(raw)
}

// Money is an amount in minor units.
func Money(minor int64, code string) money.Amount {
	c, err := money.ParseCurrency(code)
	if err != nil {
		panic(err)
	}
	return money.Amount{Minor: minor, Currency: c}
}

// Made is a payment that was sent and accepted at the time of an attempt, as a session has it.
func Made(a ledger.Attempt, p api.Payment) session.Entry {
	a.Kind, a.Outcome = ledger.Initiate, ledger.Sent
	e, history := ledger.Fold([]ledger.Fact{
		{Of: a.ID, At: a.At, What: ledger.Sending{Attempt: a}},
		{Of: a.ID, At: a.At, What: ledger.Answered{Result: ledger.Result{Outcome: ledger.Accepted, Payment: &p}, Source: ledger.FromConsole}},
	})
	return session.Entry{Entry: e, History: history, Answer: p}
}

// Lost is an attempt whose answer was lost.
func Lost(a ledger.Attempt) session.Entry {
	a.Outcome = ledger.Unresolved
	return session.Entry{Entry: ledger.Entry{Attempt: a}}
}
