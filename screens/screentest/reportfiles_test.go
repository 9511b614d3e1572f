package screentest_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/report"
	"paydesk/screens/screentest"
)

// attempts is what Activity is in a file.
var attempts = report.FileOf(report.Attempts(report.AttemptView{}))

func TestJSONIsASCIIAndParsesBackToTheSame(t *testing.T) {
	for _, s := range hostiles() {
		a := attemptWith(s)
		text := exported(t, attempts, export.JSON, a, a)
		for i := range len(text) {
			if c := text[i]; (c < ' ' && c != '\n') || c > '~' {
				t.Fatalf("%q: byte %#x in %q", s, c, text)
			}
		}
		if n := strings.Count(text, "\n"); n != 4 {
			t.Errorf("%q: %d lines", s, n)
		}
		var got []map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		want := map[string]any{}
		for _, c := range attempts.Columns {
			switch v := c.Value(&a).(type) {
			case string:
				want[c.Name] = string([]rune(v)) // each invalid byte becomes one replacement character
				if v == "" {
					want[c.Name] = nil
				}
			case export.Decimal:
				want[c.Name] = string(v)
			case int64:
				want[c.Name] = json.Number(money.Amount{Minor: v}.MinorText())
			case time.Time:
				want[c.Name] = v.Format(time.RFC3339Nano)
				if v.IsZero() {
					want[c.Name] = nil
				}
			default:
				want[c.Name] = v
			}
		}
		if diff := cmp.Diff([]map[string]any{want, want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}

// Other programs depend on the formats, also on where the point of an amount is.
func TestTheFormsAreAsTheyWere(t *testing.T) {
	page, err := api.ParseAddress("https://pay.example/pay/chairs")
	must(t, err)
	rows := []ledger.Attempt{
		{
			ID: "7k3f9q2mzx", Kind: ledger.Initiate, At: noon, By: ledger.Operator{User: "ada", Host: "desk1", SSH: "192.0.2.7"},
			Destination: ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}, Amount: screentest.Money(123450, "GBP"),
			Channel: "card", Card: "4242", Reference: "ref-1", Outcome: ledger.Accepted, AnsweredAt: noon.Add(1500 * 1e6),
			Status: api.ParseStatus("Successfull"), StatusAt: noon.Add(9e9), Finalized: true,
		},
		{
			ID: "aaaabbbbcc", Kind: ledger.CreateLink, At: noon, Outcome: ledger.Accepted, Link: "chairs",
			Draft:       api.LinkDraft{Name: "Stuhl", Description: "Eiche", Type: api.Reusable},
			CreatedLink: &api.Link{Name: api.Clean("Stühle"), Page: page, Differs: differing, Lacks: []api.Text{api.Clean("currency")}},
		},
		{ID: "aaaabbbbdd", At: noon, Amount: screentest.Money(1250, "JPY")},
		{ID: "aaaabbbbff", At: noon, Amount: screentest.Money(1, "KWD")},
		{ID: "aaaabbbbgg", At: noon, Amount: screentest.Money(1<<63-1, "GBP")},
	}
	for _, f := range []export.Format{export.CSV, export.JSON, export.Lines} {
		golden(t, "attempts."+string(f), exported(t, attempts, f, rows...))
	}
}

func FuzzNothingDangerousIsWritten(f *testing.F) {
	for _, s := range hostiles() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := attemptWith(s)
		text := exported(t, attempts, export.CSV, a)
		if bare := strings.ReplaceAll(text, "\r\n", "\n"); strings.ContainsRune(bare, '\r') || strings.Count(bare, "\n") != 2 || controls(bare) > 0 {
			t.Errorf("CSV %q", text)
		}
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for i, cell := range records[1] {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				t.Errorf("%s is %q: a formula", attempts.Columns[i].Name, cell)
			}
		}
		if !json.Valid([]byte(exported(t, attempts, export.JSON, a))) {
			t.Error("not JSON")
		}
	})
}

// Whoever reads a file may be in another zone, and has the screen of the operator beside it.
func TestTimesInFilesAreThoseOfTheScreenWithTheirOffset(t *testing.T) {
	time.Local = time.FixedZone("Asia/Kathmandu", 5*3600+45*60)
	defer func() { time.Local = time.UTC }()
	a := attemptWith("a")
	for _, f := range export.Formats() {
		if got := exported(t, attempts, f, a); !strings.Contains(got, "2026-03-04T17:45:00+05:45") || strings.Contains(got, "12:00:00Z") {
			t.Errorf("the export:\n%s", got)
		}
	}
	if got := export.FileName("activity", ".csv", noon.Local()); got != "paydesk-activity-20260304-174500+0545.csv" {
		t.Errorf("the file is called %s", got)
	}
}

// The number that the request of an open amount carries is in no file.
func TestAnOpenAmountIsNoNumberInFiles(t *testing.T) {
	draft := api.LinkDraft{Name: "Gift", AmountType: api.Dynamic, Amount: screentest.Money(0, "GBP")}
	a := ledger.Attempt{
		ID: "7k3f9q2mzx", Kind: ledger.CreateLink, Outcome: ledger.Accepted, At: noon, Amount: draft.Amount, Draft: draft,
		CreatedLink: &api.Link{AmountType: api.Dynamic, Amount: screentest.Money(100, "GBP"), HasAmount: true},
	}
	sheet, row := exported(t, attempts, export.CSV, a), export.Object(attempts, a)
	for _, want := range []string{`"amount_minor":null`, `"amount_major":null`, `"currency":"GBP"`, `"link_asked_amount_type":"chosen by the customer"`} {
		if !strings.Contains(row, want) {
			t.Errorf("no %s in %s", want, row)
		}
	}
	if strings.Contains(row+sheet, "0.00") || strings.Contains(row+sheet, "1.00") {
		t.Errorf("a number:\n%s\n%s", row, sheet)
	}
}

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

// listed is what the service's list is in a file.
var listed = report.FileOf(report.Transactions(false))

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
		text := exported(t, listed, f, rows...)
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

// A count has no separators where a program reads it.
func TestTheCountsOfALinkArePlainInAPipe(t *testing.T) {
	printed := report.Cells(report.Drawn(report.Links(), report.Pipe), journal.LinkRecord{Paid: 1234, Accepted: 5678}, report.Pipe)
	if got := fmt.Sprint(printed); !strings.Contains(got, "1234") || !strings.Contains(got, "5678") {
		t.Error(got)
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
		golden(t, "transactions."+string(f), exported(t, listed, f, rows...))
	}
}

// golden compares a file with the one of testdata, which -update writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	want, err := os.ReadFile("testdata/report/" + name)
	if flag.Lookup("update").Value.String() == "true" {
		want, err = []byte(got), os.WriteFile("testdata/report/"+name, []byte(got), 0o644)
	}
	if diff := cmp.Diff(string(want), got); diff != "" || err != nil {
		t.Errorf("%s (-want +got): %v\n%s", name, err, diff)
	}
}

// Ten cells tell the keys of one account apart.
func TestTheColumnOfTheOperatorNamesTheKey(t *testing.T) {
	for _, c := range report.Attempts(report.AttemptView{}) {
		if c.Title != "Operator" {
			continue
		}
		for user, want := range map[string]string{"ada": "ada", "Ben Oke (till) (root)": "Ben Oke", "SHA256:Qnopd8y7Rs (root)": "Qnopd8y7Rs"} {
			if got := c.Cell(ledger.Attempt{By: ledger.Operator{User: user}}, report.Screen).Text; got != want {
				t.Errorf("%q is %q", user, got)
			}
		}
	}
}
