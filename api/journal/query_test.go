package journal_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/query/querytest"
)

// A witness is what a test knows of a row: the attempt, and the customer, whom the journal only has as hashes.
type witness struct {
	ledger.Attempt
	who ledger.Payer
}

// meets reads a row by a query without SQL.
func (w witness) meets(t testing.TB, q query.Query, links bool) bool {
	return !slices.ContainsFunc(q.Terms, func(term query.Term) bool {
		fits, known := w.fits(t, term, links)
		return !known || fits == term.Not
	})
}

func (w witness) fits(t testing.TB, term query.Term, links bool) (fits, known bool) {
	has := func(texts ...string) bool {
		return slices.ContainsFunc(term.Values, func(v query.Value) bool {
			return slices.ContainsFunc(texts, func(s string) bool { return querytest.Text(v, s) })
		})
	}
	made, name := w.CreatedLink, ""
	if made != nil {
		name = made.Name.Line(0)
	}
	switch term.Field {
	case "":
		all := []string{string(w.ID), string(w.Reference), w.Named, string(w.Link), name, w.Draft.Name, w.Channel, w.Card}
		if links {
			all = []string{string(w.ID), string(w.Link), w.Draft.Name, w.LinkAmount(), name, made.Page.String()}
		}
		due := w.due(links)
		is := !due.Currency.IsZero() && !w.CustomerChooses() && slices.ContainsFunc(term.Amounts, func(r query.Range) bool {
			low, high, some := r.Minor(due.Currency.Exponent())
			return some && low <= due.Minor && due.Minor <= high
		})
		return is || has(all...), true
	case "status":
		word := ""
		switch {
		case !w.Mismatch.IsZero():
			return has(journal.Mismatched), true
		case !w.StatusAt.IsZero():
			word = w.Status.State.String()
		}
		return slices.ContainsFunc(term.Values, func(v query.Value) bool {
			if v.How == query.Known {
				return v.Text == word
			}
			return querytest.Text(v, w.Status.Text.Line(0))
		}), true
	case "outcome":
		word := string(w.Outcome)
		if w.Outcome == ledger.Unresolved && w.Decision != "" {
			word = string(w.Decision)
		}
		return has(word), true
	case "reference":
		return has(string(w.Reference)), true
	case "alias":
		return has(string(w.Link)), true
	case "name":
		return has(w.Draft.Name, name), true
	case "id":
		return has(string(w.ID)), true
	case "operator":
		return has(w.By.User), true
	case "channel":
		return has(w.Channel), true
	case "card":
		return has(w.Card), true
	case "currency":
		return has(w.due(links).Currency.Code()), true
	case "amount":
		due := w.due(links)
		fits = slices.ContainsFunc(term.Amounts, func(r query.Range) bool {
			low, high, some := r.Minor(due.Currency.Exponent())
			return some && low <= due.Minor && due.Minor <= high
		})
		return fits, !due.Currency.IsZero() && !w.CustomerChooses()
	case "day":
		return slices.ContainsFunc(term.Days, func(d query.DayRange) bool { return querytest.OnDay(d, query.DayOf(w.At.Local())) }), true
	case "email":
		typed := term.Secrets[0].Expose()
		name, host, _ := strings.Cut(strings.TrimSpace(typed), "@")
		name, _, _ = strings.Cut(name, "+") // a tag does not make another mailbox
		return strings.EqualFold(name+"@"+host, w.who.Email), w.who.Email != ""
	case "phone":
		return strings.HasSuffix(w.who.Phone, strings.TrimLeft(term.Secrets[0].Expose(), "+0")), w.who.Phone != ""
	}
	t.Fatalf("no field %s", term.Field)
	return false, false
}

// due is the amount that is searched.
func (w witness) due(links bool) money.Amount {
	if links && w.CreatedLink != nil {
		return w.CreatedLink.Amount
	}
	return w.Amount
}

// drawAttempt records a random attempt.
func drawAttempt(t *rapid.T, j *journal.Journal, n int, before []ledger.ID) (w witness) {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	c, err := money.ParseCurrency(pick("currency", "GBP", "JPY", "KWD"))
	if err != nil {
		t.Fatal(err)
	}
	j.As(pick("operator", "ada", "Éva", `SHOP\ben`, ""))
	a := ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: rapid.Int64Range(1, 3000).Draw(t, "minor"), Currency: c}}
	a.Draft.Name = word(9).Draw(t, "draft")
	a.Channel, a.Card = pick("channel", "Card", "PayByTransfer", "Other"), pick("card", "4242", "0042", "")
	a.Link = api.Alias(pick("alias", "", "0-abc", "0-xyz"))
	w.who = ledger.Payer{Email: pick("e-mail", "", "ada@example.org", "ben@example.org"), Phone: pick("phone", "", "442079460958", "442079460111")}
	ref := fmt.Sprint(pick("reference", "Ref-", "abc-"), n)
	result := accepted(ref, pick("status", "SUCCESSFUL", "FAILED", "PENDING", "odd word"))
	switch pick("ends", "accepted", "differs", "refused", "unresolved", "given up", "link", "any amount") {
	case "differs":
		result.Payment.Difference = api.Difference{What: api.AmountDiffers, Text: api.Clean("another")}
	case "refused":
		result = ledger.Result{Outcome: ledger.Refused}
	case "unresolved", "given up":
		result = ledger.Result{Outcome: ledger.Unresolved}
	case "link", "any amount":
		a.Kind, a.Channel, a.Card, a.Link, w.who = ledger.CreateLink, "", "", "", ledger.Payer{}
		a.Draft.Name = pick("name", "Écoles dues", "Oak", a.Draft.Name)
		answered := pick("answered", "Écoles dues", "oak*", word(9).Draw(t, "word"))
		l := &api.Link{Alias: api.Alias(fmt.Sprint("0-", n, "abc")), Name: api.Clean(answered), Amount: a.Amount, HasAmount: true}
		if rapid.Bool().Draw(t, "any amount") {
			a.Draft.AmountType, l.AmountType, l.HasAmount, l.Amount.Minor = api.Dynamic, api.Dynamic, false, 0
		}
		result = ledger.Result{Outcome: ledger.Accepted, Link: l}
	}
	begun, err := j.Begin(context.Background(), a, w.who, before)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.End(context.Background(), begun.ID, result); err != nil {
		t.Fatal(err)
	}
	w.Attempt = begun
	if result.Outcome == ledger.Unresolved && rapid.Bool().Draw(t, "given up") {
		seen, err := j.Attempt(context.Background(), begun.ID)
		if err == nil {
			err = j.Decide(context.Background(), seen, ledger.Deciding{Decision: ledger.GaveUp})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// drawTerm is a term as a person types it.
func drawTerm(t *rapid.T, id ledger.ID) string {
	not := rapid.SampledFrom([]string{"", "", "-"}).Draw(t, "not")
	return not + rapid.SampledFrom([]string{
		"ref-1", "0-abc*", `"é"`, "*dues", "oak,4242", "ab", "2026", `"o"`,
		"status:failed", "status:successful,pending", "status:mismatch", "failed,mismatch", `status:"odd word"`, `status:"Successful"`, "status:unrecognised",
		"outcome:refused", "outcome:accepted,given-up", "unresolved", "outcome:found",
		"currency:gbp", "jpy,kwd", "amount:10", ">=12.50", "amount:1..2", "1..2.50", "0.5", "10.00,1.5", "1,000", "-2.00", "-..20", "yesterday..", "amount:<1.005", "amount:=1,=2500", "amount:>0",
		"day:today", "day:2026-02-28..", "day:2d", "day:..2026-02-27", "day:2026-03-01,2026-02-27", "yesterday",
		"reference:ref-1", "reference:ABC-*", "reference:*", "alias:0-abc", "alias:*abc", "name:oak", "name:éco*", "name:*DUES*", "name:*",
		"operator:ADA", "operator:éva", `operator:"SHOP\\ben"`, "operator:*ben,ada", "operator:zoe", "operator:*",
		"channel:card", "channel:transfer", `channel:"other"`, "card:4242", "card:*42", "card:*",
		"email:ADA@example.org", "ada+shop@example.org", "-ben@example.org", "+442079460958", "email:nobody@example.org", "phone:+442079460958", "phone:02079460958",
		"id:" + string(id), "id:" + string(id[:3]) + "*", "id:*" + string(id[7:]),
	}).Draw(t, "term")
}

// drawQuery parses some random terms. Those that a list has no field for are left out, as the screens leave
// them out and say so.
func drawQuery(t *rapid.T, l *query.Language, id ledger.ID) query.Query {
	var terms []string
	for range rapid.IntRange(1, 3).Draw(t, "terms") {
		terms = append(terms, drawTerm(t, id))
	}
	q, problems := l.Parse(strings.Join(terms, " "))
	for _, p := range problems {
		if p.Text == "" || p.End <= p.Start {
			t.Fatalf("%+v", p)
		}
	}
	return q
}

// drawText is a text that is looked for anywhere, often a part of an attempt in capitals.
func drawText(t *rapid.T, a ledger.Attempt) query.Query {
	text := word(5).Draw(t, "text")
	if rapid.Bool().Draw(t, "part of an attempt") {
		whole := []rune(strings.ToUpper(a.Draft.Name) + string(a.Reference) + string(a.Link))
		from := rapid.IntRange(0, len(whole)).Draw(t, "from")
		text = string(whole[from:rapid.IntRange(from, min(from+6, len(whole))).Draw(t, "to")])
	}
	return containing(text)
}

// A query finds what reading each row by the rules finds, in each of the ways to search, also where the clock went back.
func TestAQueryFindsWhatReadingEachRowFinds(t *testing.T) {
	defer journal.SearchInNarrowStrips()()
	rapid.Check(t, func(rt *rapid.T) {
		c := newClock()
		c.advance(-4 * 24 * time.Hour)
		quick := rapid.Bool().Draw(rt, "each step ends at its first strip")
		j := newJournal(journal.Options{Now: func() time.Time {
			if quick {
				c.advance(time.Second)
			}
			return c.now()
		}})
		defer j.Close()
		known := map[ledger.ID]ledger.Payer{}
		for n := range rapid.IntRange(1, 14).Draw(rt, "attempts") {
			c.advance(time.Duration(rapid.IntRange(-3, 24*60).Draw(rt, "the clock goes on by")) * time.Minute)
			w := drawAttempt(rt, j, n, slices.Collect(maps.Keys(known)))
			known[w.ID] = w.who
		}
		all, _, err := j.Attempts(context.Background(), journal.Filter{}, 0, 100)
		if err != nil {
			rt.Fatal(err)
		}
		for n := range 12 {
			of := rapid.SampledFrom(all).Draw(rt, "of")
			f := journal.Filter{Query: drawText(rt, of)}
			if n%2 == 0 {
				f.Query = drawQuery(rt, journal.AttemptLanguage(today), of.ID)
				checkLinks(t, rt, j, all)
			}
			var want []ledger.ID
			for _, a := range all {
				if (witness{a, known[a.ID]}).meets(t, f.Query, false) {
					want = append(want, a.ID)
				}
			}
			if diff := gocmp.Diff(want, found(rt, j, f)); diff != "" {
				rt.Fatalf("%s: %s", f.Query, diff)
			}
		}
		if err := j.VerifyDerived(context.Background()); err != nil {
			rt.Fatal(err)
		}
	})
}

// checkLinks compares what a random query finds among the links.
func checkLinks(t *testing.T, rt *rapid.T, j *journal.Journal, all []ledger.Attempt) {
	q := drawQuery(rt, journal.LinkLanguage(today), rapid.SampledFrom(all).Draw(rt, "of").ID)
	var want, got []ledger.ID
	for _, a := range all {
		if a.CreatedLink != nil && (witness{Attempt: a}).meets(t, q, true) {
			want = append(want, a.ID)
		}
	}
	for p := (journal.Page[journal.LinkRecord]{}); !p.Complete; {
		var err error
		if p, err = j.FindLinks(context.Background(), shop, q, p.Search, 0, 100); err != nil {
			rt.Fatal(err)
		}
		got = nil
		for _, l := range p.Rows {
			got = append(got, l.ID)
		}
	}
	byID := func(a, b ledger.ID) int { return cmp.Compare(a, b) }
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	if diff := gocmp.Diff(want, got); diff != "" {
		rt.Fatalf("links, %s: %s", q, diff)
	}
}

// word draws letters of either case, of which some have two forms in Unicode or in lower case, and what
// has a meaning in a query.
func word(most int) *rapid.Generator[string] {
	letter := rapid.SampledFrom([]rune(`abAB19-_"'*%()^:+ éÉéİıßſKẞσςΣ日本🙂`))
	return rapid.Map(rapid.SliceOfN(letter, 0, most), func(l []rune) string { return string(l) })
}

// found are the IDs of all attempts with a text, searched step by step.
func found(t *rapid.T, j *journal.Journal, f journal.Filter) (ids []ledger.ID) {
	p, steps := journal.Page[ledger.Attempt]{}, 0
	for !p.Complete {
		var err error
		if p, err = j.Find(context.Background(), f, p.Search, p.Count, 1); err != nil {
			t.Fatal(err)
		}
		if steps++; steps > 100 {
			t.Fatal("the search has no end")
		}
	}
	p, err := j.Find(context.Background(), f, p.Search, 0, p.Count)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range p.Rows {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestNoTextOfAPurgedAttemptStays(t *testing.T) {
	needsFile(t)
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	for n, ref := range []string{"OLD-xyz", "NEW-abc"} {
		a := mustBegin(t, j, initiation(t, int64(n+1)))
		mustEnd(t, j, a.ID, accepted(ref, "SUCCESSFUL"))
		c.advance(24 * time.Hour)
	}
	_, err := j.Purge(t.Context(), c.at.Add(-30*time.Hour))
	noError(t, err)
	file := must(os.ReadFile(j.Path()))
	if log := must(os.ReadFile(j.Path() + "-wal")); bytes.Contains(log, []byte("OLD-xyz")) {
		t.Error("the log has what was purged")
	}
	if text := strings.ToLower(string(file)); strings.Contains(text, "old-xyz") || !strings.Contains(text, "new-abc") {
		t.Error("the file has what was purged, or has lost the rest")
	}
}

// The totals of a link do not become floating-point numbers, however large.
func TestAHugeTotalIsExact(t *testing.T) {
	j := mustOpen(t, newDir(t), newClock())
	made := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 1)})
	mustEnd(t, j, made.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "0-abc", Name: api.Clean("Oak")}})
	const huge = 4_611_686_018_427_387_903
	for n := range 2 {
		a := initiation(t, huge-int64(n))
		a.Link = "0-abc"
		mustEnd(t, j, mustBegin(t, j, a).ID, accepted(fmt.Sprint("REF-", n), "SUCCESSFUL"))
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || len(links) != 1 || links[0].Total[0].Minor != 2*huge-1 {
		t.Errorf("%+v, %v", links, err)
	}
}
