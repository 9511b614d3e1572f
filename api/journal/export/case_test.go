package export

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/money"
)

func caseOf(t testing.TB, a journal.Attempt, events ...journal.Event) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCase(&b, a, events, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// codeSpans splits a line of Markdown, as CommonMark does, into code spans and the rest.
func codeSpans(line string) (inside []string, outside string) {
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return inside, outside + line
		}
		outside += line[:at]
		line = line[at:]
		n := len(line) - len(strings.TrimLeft(line, "`"))
		fence := line[:n]
		line = line[n:]
		end, rest := -1, line
		for from := 0; ; { // the next run of exactly n
			i := strings.IndexByte(rest[from:], '`')
			if i < 0 {
				break
			}
			i += from
			run := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
			if run == n {
				end = i
				break
			}
			from = i + run
		}
		if end < 0 {
			outside += fence
			continue
		}
		text := line[:end]
		if len(text) > 1 && text[0] == ' ' && text[len(text)-1] == ' ' && strings.Trim(text, " ") != "" {
			text = text[1 : len(text)-1]
		}
		inside = append(inside, text)
		line = line[end+n:]
	}
}

// strayMarkup returns a line of a case with markup outside its code spans; "" when none has.
func strayMarkup(text string) string {
	if controls(text) > 0 {
		return "a control character"
	}
	for line := range strings.SplitSeq(text, "\n") {
		_, outside := codeSpans(line)
		outside = strings.TrimPrefix(strings.TrimSuffix(outside, "**"), "**")
		if i := strings.IndexAny(strings.TrimLeft(outside, "#- "), "<>[]`*_@&|~$\\#"); i >= 0 {
			return line
		}
	}
	return ""
}

func TestACaseOfHostileTextHasNoMarkupButItsOwn(t *testing.T) {
	for _, s := range append(hostiles(t), "`", "``x`", " ` ", "<script>alert(1)</script>", "](http://evil.example)", "@everyone", "# x", "a\n# b", "&lt;", "  ") {
		text := caseOf(t, attemptWith(s), timelineWith(s)...)
		if bad := strayMarkup(text); bad != "" {
			t.Errorf("%q: %q", s, bad)
		}
		if n := strings.Count(text, "\n# "); n > 0 || strings.Count(text, "\n## ") != 3 {
			t.Errorf("%q makes a heading:\n%s", s, text)
		}
		want := api.Clean(s).Line(0)
		if want == "" {
			continue
		}
		found := 0
		for line := range strings.SplitSeq(text, "\n") {
			inside, _ := codeSpans(line)
			for _, in := range inside {
				if in == want {
					found++
				}
			}
		}
		if found < 8 {
			t.Errorf("%q is there %d times as it is:\n%s", want, found, text)
		}
	}
}

func TestACaseSaysWhatIsKnownAndWhatIsNot(t *testing.T) {
	gbp, _ := money.ParseCurrency("GBP")
	by := journal.Operator{User: "ada", Host: "desk1"}
	bank, err := api.ParseAddress("https://bank.example/authorise?token=CANARY")
	if err != nil {
		t.Fatal(err)
	}
	lost := journal.Attempt{
		ID: "7k3f9q2mzx", Kind: journal.Initiate, At: noon, By: by, Destination: journal.Destination{Profile: "shop", Environment: "LIVE", Host: "payments.example"},
		Amount: money.Amount{Minor: 123450, Currency: gbp}, Channel: "card", Card: "4242", Link: "chairs",
		Outcome: journal.Unresolved, AnsweredAt: noon.Add(90 * time.Second), Why: "no answer came in time",
	}
	taken := lost
	taken.Outcome, taken.Why, taken.Reference, taken.BankAuth = journal.Accepted, "", "ref-1", bank
	taken.Account = &api.Transfer{AccountNumber: api.Clean("CANARY-0123456789")}
	taken.Status, taken.StatusAt, taken.FinalizeUnresolvedAt = api.ParseStatus("PENDING"), noon.Add(5*time.Minute), noon.Add(4*time.Minute)
	unpaid := taken
	unpaid.Channel, unpaid.Card, unpaid.FinalizeUnresolvedAt = api.ChannelTransfer, "", time.Time{}
	unpaid.Account = &api.Transfer{AccountNumber: api.Clean("CANARY-0123456789"), Expiration: api.ParseTimestamp("2026-03-04T12:30:00Z")}
	link := lost
	link.Kind, link.Channel, link.Card, link.Outcome, link.Why = journal.CreateLink, "", "", journal.Accepted, ""
	link.Draft = api.LinkDraft{Name: "Stuhl", Description: "Eiche", Type: api.Reusable}
	link.CreatedLink = &api.Link{Alias: "chairs", Name: api.Clean("Stühle"), Differs: differing, Lacks: []api.Text{api.Clean("currency")}}
	events := []journal.Event{
		{At: noon, Times: 1, What: "sent", By: by, Source: "this console"},
		{At: noon.Add(time.Second), Times: 1, What: "accepted", Source: "initiate"},
		{At: noon.Add(time.Minute), Until: noon.Add(5 * time.Minute), Times: 12, What: "status", Detail: "PENDING", Source: "status"},
	}
	for name, got := range map[string]string{"lost": caseOf(t, lost, events[0]), "link": caseOf(t, link, events[:2]...), "taken": caseOf(t, taken, events...), "unpaid": caseOf(t, unpaid, events...)} {
		if strings.Contains(got, "CANARY") {
			t.Errorf("%s: it contains what others could misuse:\n%s", name, got)
		}
		file := "testdata/case-" + name + ".md"
		want, err := os.ReadFile(file)
		if os.Getenv("UPDATE") != "" {
			want, err = []byte(got), os.WriteFile(file, []byte(got), 0o644)
		}
		if diff := cmp.Diff(string(want), got); diff != "" || err != nil {
			t.Errorf("%s (-want +got): %v\n%s", file, err, diff)
		}
	}
}

func TestNoCaseOfAnUnresolvedAttemptSaysThatItFailed(t *testing.T) {
	for _, k := range []journal.Kind{journal.Initiate, journal.CreateLink, journal.Finalize} {
		text := strings.ToLower(caseOf(t, journal.Attempt{ID: "7k3f9q2mzx", Kind: k, At: noon, Outcome: journal.Unresolved}))
		for _, word := range []string{"fail", "declined", "rejected", "again."} {
			if strings.Contains(text, word) {
				t.Errorf("%s: %q in\n%s", k, word, text)
			}
		}
		if !strings.Contains(text, "it is not known whether") {
			t.Errorf("%s: %s", k, text)
		}
	}
}

func TestACaseBeginsWithWhatBecameOfTheAttempt(t *testing.T) {
	for outcome, want := range map[journal.Outcome]string{
		journal.Sent:    "\n\nIt was sent, and the service has not responded yet.\n\n",
		journal.Refused: "\n\nThe service rejected it: nothing was done.\n\n",
		journal.NotSent: "\n\nNothing was sent.\n\n",
		"of tomorrow":   "\n\nOutcome: `of tomorrow`.\n\n",
	} {
		if got := caseOf(t, journal.Attempt{ID: "7k3f9q2mzx", Kind: journal.Initiate, At: noon, Outcome: outcome}); !strings.Contains(got, want) {
			t.Errorf("%s: %q is missing in\n%s", outcome, want, got)
		}
	}
}

// A mismatch is no success in any file, decided or not, and has both values.
func TestAMismatchIsNoSuccessInFiles(t *testing.T) {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	a := journal.Attempt{
		ID: "7k3f9q2mzx", Kind: journal.Initiate, Outcome: journal.Accepted, Reference: "ref-1", At: noon,
		Amount: money.Amount{Minor: 1250, Currency: gbp}, Status: api.ParseStatus("SUCCESSFUL"), StatusAt: noon,
	}
	a.Mismatch.Difference = api.Difference{What: api.AmountDiffers, Answered: money.Amount{Minor: 125000, Currency: gbp}}
	for _, v := range []journal.Decision{journal.Undecided, journal.AnswerRight, journal.NotOurs} {
		a.Mismatch.Decision = v
		row := export.Object(Attempts(), a)
		for _, want := range []string{`"status_means":"MISMATCH"`, `"mismatch":"amount"`, `"amount_minor":1250`, `"answered_minor":125000`} {
			if !strings.Contains(row, want) {
				t.Errorf("%q: no %s in %s", v, want, row)
			}
		}
		text := caseOf(t, a)
		if strings.Contains(text, "which means") || strings.Contains(text, "Funds have been secured") {
			t.Errorf("%q: it means a success in\n%s", v, text)
		}
		for _, want := range []string{"**MISMATCH:", "`1,250.00 GBP`", "`12.50 GBP`", string(v)} {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %s in\n%s", v, want, text)
			}
		}
	}
}

// Whoever reads a file may be in another zone, and has the screen of the operator beside it.
func TestTimesInFilesAreThoseOfTheScreenWithTheirOffset(t *testing.T) {
	time.Local = time.FixedZone("Asia/Kathmandu", 5*3600+45*60)
	defer func() { time.Local = time.UTC }()
	a := attemptWith("a")
	if got := caseOf(t, a, timelineWith("a")...); !strings.Contains(got, "Sent: `2026-03-04 17:45:00 +05:45`") || strings.Contains(got, "UTC") {
		t.Errorf("the case file:\n%s", got)
	}
	for _, f := range export.Formats() {
		if got := exported(t, f, a); !strings.Contains(got, "2026-03-04T17:45:00+05:45") || strings.Contains(got, "12:00:00Z") {
			t.Errorf("the export:\n%s", got)
		}
	}
	if got := export.FileName("activity", ".csv", noon.Local()); got != "paydesk-activity-20260304-174500+0545.csv" {
		t.Errorf("the file is called %s", got)
	}
}

// The number that the request of an open amount carries is in no file.
func TestAnOpenAmountIsNoNumberInFiles(t *testing.T) {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	draft := api.LinkDraft{Name: "Gift", AmountType: api.Dynamic, Amount: money.Amount{Currency: gbp}}
	a := journal.Attempt{
		ID: "7k3f9q2mzx", Kind: journal.CreateLink, Outcome: journal.Accepted, At: noon, Amount: draft.Amount, Draft: draft,
		CreatedLink: &api.Link{AmountType: api.Dynamic, Amount: money.Amount{Minor: 100, Currency: gbp}, HasAmount: true},
	}
	sheet := exported(t, export.CSV, a)
	row, text := export.Object(Attempts(), a), caseOf(t, a)
	for _, want := range []string{`"amount_minor":null`, `"amount_major":null`, `"currency":"GBP"`, `"link_asked_amount_type":"chosen by the customer"`} {
		if !strings.Contains(row, want) {
			t.Errorf("no %s in %s", want, row)
		}
	}
	for _, want := range []string{"Amount: `chosen by the customer`", "Currency: `GBP`"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, file := range []string{row, text, sheet} {
		if strings.Contains(file, "0.00") || strings.Contains(file, "1.00") {
			t.Errorf("it has a number:\n%s", file)
		}
	}
}
