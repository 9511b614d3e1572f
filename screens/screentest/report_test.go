package screentest_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/ledger"
	"paydesk/api/sandbox/faulttest"
	"paydesk/api/session"
	"paydesk/screens/report"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func caseOf(t testing.TB, a ledger.Attempt, events ...ledger.Event) string {
	t.Helper()
	var b bytes.Buffer
	now := noon.Add(time.Hour)
	if err := report.Of(report.OfAttempt(a, events, ledger.Destination{}, now)).WriteMarkdown(&b, now); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostiles are the corpus of hostile texts, of each far more than the journal stores of a text.
func hostiles() (texts []string) {
	for _, h := range faulttest.Texts() {
		texts = append(texts, h.Text[:min(len(h.Text), 1<<14)])
	}
	return texts
}

// attemptWith returns an attempt that has s in every text.
func attemptWith(s string) ledger.Attempt {
	by := ledger.Operator{User: s, Host: s, SSH: s}
	return ledger.Attempt{
		ID: "7k3f9q2mzx", Kind: ledger.Initiate, At: noon, By: by,
		Destination: ledger.Destination{Profile: s, Environment: "TEST", Host: s},
		Amount:      screentest.Money(123450, "GBP"),
		Channel:     s, Link: api.Alias(s), Card: "4242", OwnReference: s, Reference: api.Reference(s),
		Outcome: ledger.Unresolved, AnsweredAt: noon.Add(time.Second), Why: s,
		Decision: ledger.Found, DecidedBy: by, DecidedAt: noon.Add(time.Hour),
		Status: api.ParseStatus(s), StatusAt: noon.Add(time.Hour),
		Draft: api.LinkDraft{Name: s, Description: s},
		CreatedLink: &api.Link{
			Name: api.Clean(s), Lacks: []api.Text{api.Clean(s)},
			Differs: []api.LinkDifference{{Part: api.Clean("name"), Asked: api.Clean(s), Answered: api.Clean(s)}},
		},
	}
}

// timelineWith returns a timeline that has s in every text.
func timelineWith(s string) []ledger.Event {
	return []ledger.Event{{
		At: noon, Until: noon.Add(time.Minute), Times: 3, What: s, Detail: s, Source: s,
		By: ledger.Operator{User: s, Host: s, SSH: s},
	}}
}

// differing is how a link differs from what was asked.
var differing = []api.LinkDifference{
	{Part: api.Clean("name"), Asked: api.Clean("Stuhl"), Answered: api.Clean("Stühle")},
	{Part: api.Clean("amount"), Asked: api.Clean("12.50 GBP"), Answered: api.Clean("1,250.00 GBP")},
}

// controls counts the bytes and runes that no export may contain, except line ends.
func controls(s string) int {
	n := 0
	if !utf8.ValidString(s) {
		n++
	}
	for _, r := range s {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e {
			n++
		}
	}
	return n
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
	for _, s := range append(hostiles(), "`", "``x`", " ` ", "<script>alert(1)</script>", "](http://evil.example)", "@everyone", "# x", "a\n# b", "&lt;", "  ") {
		text := caseOf(t, attemptWith(s), timelineWith(s)...)
		if bad := strayMarkup(text); bad != "" {
			t.Errorf("%q: %q", s, bad)
		}
		if n := strings.Count(text, "\n# "); n > 0 || strings.Count(text, "\n## ") != 4 {
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
				if strings.HasPrefix(in, want[:min(len(want), 60)]) { // what is very long is cut
					found++
				}
			}
		}
		if found < 8 {
			t.Errorf("%q is there %d times as it is:\n%s", want, found, text)
		}
	}
}

func FuzzNoMarkupInACase(f *testing.F) {
	for _, s := range hostiles() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if bad := strayMarkup(caseOf(t, attemptWith(s), timelineWith(s)...)); bad != "" {
			t.Errorf("%q in the case", bad)
		}
	})
}

func TestACaseSaysWhatIsKnownAndWhatIsNot(t *testing.T) {
	by := ledger.Operator{User: "ada", Host: "desk1"}
	bank, err := api.ParseAddress("https://bank.example/authorise?token=CANARY")
	must(t, err)
	lost := ledger.Attempt{
		ID: "7k3f9q2mzx", Kind: ledger.Initiate, At: noon, By: by, Destination: ledger.Destination{Profile: "shop", Environment: "LIVE", Host: "payments.example"},
		Amount: screentest.Money(123450, "GBP"), Channel: "card", Card: "4242", Link: "chairs",
		Outcome: ledger.Unresolved, AnsweredAt: noon.Add(90 * time.Second), Why: "no answer came in time",
	}
	taken := lost
	taken.Outcome, taken.Why, taken.Reference, taken.BankAuth = ledger.Accepted, "", "ref-1", bank
	taken.Account = &api.Transfer{AccountNumber: api.Clean("CANARY-0123456789")}
	taken.Status, taken.StatusAt, taken.FinalizeUnresolvedAt = api.ParseStatus("PENDING"), noon.Add(5*time.Minute), noon.Add(4*time.Minute)
	unpaid := taken
	unpaid.Channel, unpaid.Card, unpaid.FinalizeUnresolvedAt = api.ChannelTransfer, "", time.Time{}
	unpaid.Account = &api.Transfer{AccountNumber: api.Clean("CANARY-0123456789"), Expiration: api.ParseTimestamp("2026-03-04T12:30:00Z")}
	came := unpaid
	came.Status, came.Received = api.ParseStatus("FAILED"), api.Reported{Amount: screentest.Money(50000, "GBP")}
	link := lost
	link.Kind, link.Channel, link.Card, link.Outcome, link.Why = ledger.CreateLink, "", "", ledger.Accepted, ""
	link.Draft = api.LinkDraft{Name: "Stuhl", Description: "Eiche", Type: api.Reusable}
	link.CreatedLink = &api.Link{Alias: "chairs", Name: api.Clean("Stühle"), Differs: differing, Lacks: []api.Text{api.Clean("currency")}}
	events := []ledger.Event{
		{At: noon, Times: 1, What: "sent", By: by, Source: "this console"},
		{At: noon.Add(time.Second), Times: 1, What: "accepted", Source: "initiate"},
		{At: noon.Add(time.Minute), Until: noon.Add(5 * time.Minute), Times: 12, What: "status", Detail: "PENDING", Source: "status"},
	}
	for name, got := range map[string]string{"lost": caseOf(t, lost, events[0]), "link": caseOf(t, link, events[:2]...), "taken": caseOf(t, taken, events...), "unpaid": caseOf(t, unpaid, events...), "came": caseOf(t, came, events...)} {
		if strings.Contains(got, "CANARY") {
			t.Errorf("%s: it contains what others could misuse:\n%s", name, got)
		}
		golden(t, "case-"+name+".md", got)
	}
	elsewhere := session.Entry{Entry: ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Known, Reference: "ref-1", Received: came.Received}}}
	failed := session.WatchState{Reference: "ref-1", History: session.StatusHistory{Shown: came.Status, Any: true}}
	if k := report.OfWatch(failed, elsewhere, false, nil, noon); k.WhyNotAgain() == "" || !strings.Contains(k.Means(), "money was received: 500.00 GBP") {
		t.Errorf("%s %s", k.Means(), k.WhyNotAgain())
	}
	lost.Outcome = ledger.NotSent
	if line := report.OfAttempt(lost, nil, ledger.Destination{}, noon).Answer(); !strings.Contains(line, "Nothing was sent. Tried at") {
		t.Error(line)
	}
}

func TestNoCaseOfAnUnresolvedAttemptSaysThatItFailed(t *testing.T) {
	for _, k := range []ledger.Kind{ledger.Initiate, ledger.CreateLink, ledger.Finalize} {
		text := strings.ToLower(caseOf(t, ledger.Attempt{ID: "7k3f9q2mzx", Kind: k, At: noon, Outcome: ledger.Unresolved}))
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

// A mismatch is no success in any report or file, decided or not, and has both values.
func TestAMismatchIsNoSuccessInAReportOrAFile(t *testing.T) {
	a := ledger.Attempt{
		ID: "7k3f9q2mzx", Kind: ledger.Initiate, Outcome: ledger.Accepted, Reference: "ref-1", At: noon,
		Amount: screentest.Money(1250, "GBP"), Status: api.ParseStatus("SUCCESSFUL"), StatusAt: noon,
	}
	a.Mismatch.Difference = api.Difference{What: api.AmountDiffers, Answered: screentest.Money(125000, "GBP")}
	for _, v := range []ledger.Decision{ledger.Undecided, ledger.AnswerRight, ledger.NotOurs} {
		a.Mismatch.Decision = v
		r, text := report.Of(report.OfAttempt(a, nil, ledger.Destination{}, noon)), caseOf(t, a)
		tones := []ui.Tone{r.Status.Tone}
		for _, s := range r.Sections {
			for _, f := range s.Facts {
				tones = append(tones, f.Tone)
			}
		}
		if slices.Contains(tones, ui.ToneGood) || strings.Contains(text, "Funds have been secured") {
			t.Errorf("%q: it is a success in\n%s", v, text)
		}
		for _, want := range []string{"MISMATCH", "`1,250.00 GBP`", "12.50 GBP requested", string(v)} {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %s in\n%s", v, want, text)
			}
		}
		row := export.Object(attempts, a)
		for _, want := range []string{`"status_means":"MISMATCH"`, `"mismatch":"amount"`, `"amount_minor":1250`, `"answered_minor":125000`} {
			if !strings.Contains(row, want) {
				t.Errorf("%q: no %s in %s", v, want, row)
			}
		}
	}
}

// Before a watch has its first answer, the words about what an earlier run found name what was recorded then.
func TestAMismatchOfAPaymentMadeElsewhereIsWordedByWhatIsRecorded(t *testing.T) {
	for says, m := range map[string]ledger.Mismatch{
		"SUCCESSFUL": {Difference: api.Difference{What: api.StatusDiffers, Status: api.Clean("PENDING")}},
		"5.00 GBP":   {Difference: api.Difference{What: api.AmountDiffers, Answered: screentest.Money(900, "GBP"), Earlier: screentest.Money(500, "GBP")}, AgreesAt: noon},
	} {
		e := session.Entry{Entry: ledger.Entry{Attempt: ledger.Attempt{
			Kind: ledger.Known, Reference: "REF1", Amount: screentest.Money(500, "GBP"), Status: api.ParseStatus("SUCCESSFUL"), StatusAt: noon, Mismatch: m,
		}}}
		text := ""
		for _, w := range report.Of(report.OfWatch(session.WatchState{Reference: "REF1"}, e, false, nil, noon.Add(time.Hour))).Says {
			text += w.Text + "\n"
		}
		if !strings.Contains(text, says) || strings.Contains(text, "UNRECOGNISED") || strings.Contains(text, "minor units") {
			t.Errorf("%v: %s", m.What, text)
		}
	}
}
