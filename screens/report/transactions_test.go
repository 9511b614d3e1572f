package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/report"
)

// exported are rows in a file.
func exported[R any](t testing.TB, table export.Table[R], f export.Format, rows ...R) string {
	t.Helper()
	var b bytes.Buffer
	n, err := export.Write(&b, f, table, func(yield func(R, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}, nil)
	if err != nil || n != len(rows) {
		t.Fatalf("%d rows of %d: %v", n, len(rows), err)
	}
	return b.String()
}

// transactions is what the service's list is in a file.
var transactions = report.FileOf(report.Transactions(false))

// transaction is a row as the client reads it.
func transaction(position int, id, currency, status string, minor int64) listing.Listed {
	c, err := money.ParseCurrency(currency)
	r := api.Transaction{ID: api.Clean(id), Currency: api.Clean(currency), Status: api.ParseStatus(status), Raw: api.Clean(fmt.Sprint(minor))}
	if err == nil {
		r.Amount, r.Known = money.Amount{Minor: minor, Currency: c}, true
	}
	return listing.Listed{Position: position, Transaction: r}
}

// A card number that the service sends in any field is in no file, and a UUID is always whole.
func TestNoFileHoldsACardNumber(t *testing.T) {
	const id = "41111111-1111-4111-8111-111111111111"
	amount := transaction(4, "a", "4111111111111111", "FAILED", 4111111111111111)
	rows := []listing.Listed{
		transaction(1, "4111111111111111", "GBP", "FAILED", 100), transaction(2, "pay 4111-1111-1111-1111", "GBP", "4111111111111111", 100),
		transaction(3, id, "GBP", "FAILED", 100), amount,
	}
	for _, f := range export.Formats() {
		text := exported(t, transactions, f, rows...)
		if plain := strings.ReplaceAll(text, id, ""); strings.Contains(plain, "411111") || strings.Contains(plain, "4111-") || !strings.Contains(plain, "1111") || plain == text {
			t.Errorf("%s: %s", f, text)
		}
	}
}

// An amount in minor units is a whole number or nothing; what else the service wrote there has a place of its own.
func TestAnAmountInMinorUnitsIsAWholeNumberOrNothing(t *testing.T) {
	for raw, whole := range map[string]bool{"100": true, "-1": true, "18446744073709551616": true, "12.50": false, "1e5": false, "true": false, "abc": false, "007": false, "-": false} {
		row := api.Transaction{Raw: api.Clean(raw)}
		minor, rest := report.AmountMinor(row), report.AmountRaw(row)
		if whole && (minor != any(json.Number(raw)) || rest != nil) || !whole && (minor != nil || rest != any(raw)) {
			t.Errorf("%s: %v and %v", raw, minor, rest)
		}
	}
}

// Other programs depend on the formats. JSON has nothing that the service did not say.
func TestTransactionsAreWrittenAsTheyWere(t *testing.T) {
	text := transaction(7, "5e62a0c4", "GBP", "", 0)
	text.Known, text.Raw, text.Amount = false, api.Clean("=1+1"), money.Amount{}
	none := listing.Listed{Position: 8}
	rows := []listing.Listed{
		transaction(1, "5e62a0c4-8a1b-4d27-9b0e-6d1f8a3c2e10", "GBP", "Successfull", 123450),
		transaction(2, "0e87b770-9cd2-4b1c-a9e8-e25c4306b804", "JPY", "FAILED", 1250),
		transaction(3, "1116e2d0-d5d9-4127-afb9-80fa7587f1e7", "KWD", "PENDING", -1),
		transaction(4, "=HYPERLINK(\"http://x\")", "GBP", "Success; =1", 1<<63-1),
		transaction(5, "Ñandú, <b>", "XQX", "SUCCESSFUL", 99),
		transaction(6, "5e62a0c4", "GBP", "", 0),
		text, none,
	}
	for _, f := range export.Formats() {
		golden(t, "transactions."+string(f), exported(t, transactions, f, rows...))
	}
}

// golden compares a file with the one of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	want, err := os.ReadFile("testdata/" + name)
	if os.Getenv("UPDATE") != "" {
		want, err = []byte(got), os.WriteFile("testdata/"+name, []byte(got), 0o644)
	}
	if diff := cmp.Diff(string(want), got); diff != "" || err != nil {
		t.Errorf("%s (-want +got): %v\n%s", name, err, diff)
	}
}
