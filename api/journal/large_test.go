package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// large creates, once, a journal of 100,000 attempts with every outcome, on 400 days, of four
// operators in three currencies.
var large = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("PAYDESK_LARGE"); dir != "" { // one that was made before, of any size
		return dir, nil
	}
	dir, err := os.MkdirTemp("", "journal-large-")
	if err != nil {
		return "", err
	}
	largeDir = dir
	return dir, journal.Fill(filepath.Join(dir, "paydesk"), 100_000, largeNow)
})

var largeDir string

var largeNow = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func openLarge(t testing.TB) *journal.Journal {
	t.Helper()
	dir, err := large()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now() // a step of a search ends by the clock
	j, err := journal.Open(t.Context(), journal.Options{
		Dir: filepath.Join(dir, "paydesk"), Now: func() time.Time { return largeNow.Add(time.Since(began)) }, Retention: 1000 * 24 * time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// queries are those of Home and Activity when they open.
func queries(t testing.TB) map[string]func(*journal.Journal) error {
	page := func(f journal.Filter) func(*journal.Journal) error {
		return func(j *journal.Journal) error {
			_, _, err := j.Attempts(t.Context(), f, 0, 100)
			return err
		}
	}
	return map[string]func(*journal.Journal) error{
		"Unfinished": func(j *journal.Journal) error { _, err := j.Unfinished(t.Context(), shop); return err },
		"Choices":    func(j *journal.Journal) error { _, err := j.Choices(t.Context()); return err },
		"Links":      func(j *journal.Journal) error { _, err := j.Links(t.Context(), shop); return err },
		"Attempts":   page(journal.Filter{}),
		"Page900": func(j *journal.Journal) error {
			_, _, err := j.Attempts(t.Context(), journal.Filter{}, 90000, 100)
			return err
		},
		"Text":     page(journal.Filter{Query: containing("ref99")}),
		"TextNone": page(journal.Filter{Query: containing("nowhere")}),
		"State":    page(journal.Filter{Query: asks("status:SUCCESSFUL")}),
		"Currency": page(journal.Filter{Query: asks("currency:NGN")}),
		"User":     page(journal.Filter{Query: asks("operator:ada")}),
		"Day":      page(journal.Filter{From: largeNow.AddDate(0, 0, -20), To: largeNow.AddDate(0, 0, -19)}),
		"EachPayment": func(j *journal.Journal) error {
			return j.EachPayment(t.Context(), shop, func([]journal.PaymentRecord) error { return nil })
		},
		"Payment": func(j *journal.Journal) error {
			_, err := j.Payment(t.Context(), shop, "REF99003")
			return err
		},
	}
}

func BenchmarkLarge(b *testing.B) {
	j := openLarge(b)
	j.WaitForIntegrityCheck()
	for name, ask := range queries(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := ask(j); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Begin", func(b *testing.B) {
		n := time.Now().UnixNano() % 1e12
		for b.Loop() {
			n++
			a := mustBegin(b, j, initiation(b, n))
			mustEnd(b, j, a.ID, accepted(fmt.Sprint("NEW", n), "SUCCESSFUL"))
		}
	})
	b.Run("TwoBareCommits", benchmarkTwoBareCommits) // Begin may take twice as long
	benchmarkSearches(b, j)
	j.Close()
	b.Run("Start", func(b *testing.B) { // with the check that is done beside it, which the first one repeats
		openLarge(b).WaitForIntegrityCheck()
		for b.Loop() {
			j := openLarge(b)
			j.WaitForIntegrityCheck()
			j.Close()
		}
	})
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			j := openLarge(b)
			b.StopTimer()
			j.Close()
			b.StartTimer()
		}
	})
}

// benchmarkTwoBareCommits measures what SQLite takes for two rows that are on the disk, one after the other.
func benchmarkTwoBareCommits(b *testing.B) {
	dir, err := large()
	noError(b, err)
	db := statefile.Open(statefile.Source(filepath.Join(dir, "bare.db"), "rwc", "journal_mode(WAL)", "synchronous(FULL)"))
	defer db.Close()
	_, err = db.Exec("CREATE TABLE IF NOT EXISTS rows (body TEXT)")
	noError(b, err)
	for b.Loop() {
		for range 2 {
			_, err := db.Exec("INSERT INTO rows VALUES (?)", "what is recorded of an attempt")
			noError(b, err)
		}
	}
}

// benchmarkSearches measures what a key of a filter takes, until the search rests, and its longest step.
func benchmarkSearches(b *testing.B, j *journal.Journal) {
	here := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}
	for name, text := range map[string]string{
		"Rare": "ref99003", "Frequent": "card", "Absent": "nowhere", "Apart": "cardnks", "TwoLetters": "ca", "TwoAbsent": "?!", "Alias": "alias-99",
	} {
		b.Run("Filter"+name, func(b *testing.B) {
			rest(b, func(s journal.Search) (bool, journal.Search, error) {
				p, err := j.Find(b.Context(), journal.Filter{Query: containing(text), Service: here}, s, 0, 200)
				return p.Searching, p.Search, err
			})
		})
	}
	for name, text := range map[string]string{
		"Status": "status:pending", "StatusMost": "status:successful", "Outcome": "outcome:refused", "Unresolved": "unresolved", "NotSuccessful": "-status:successful",
		"AmountMany": "amount:>3", "AmountFew": "amount:5.99 ngn", "AmountNone": "amount:>7000", "Operator": "operator:ada", "Day": "day:2026-02-01", "Days": "day:400d amount:>7000",
		"Card": "card:4242", "Reference": "reference:ref99003", "Alias": "alias:alias-99*", "Name": "name:*9900*", "Email": "email:nobody@example.org", "NotName": "-name:links* channel:transfer",
		"TextAndAmount": "ref99 amount:>6", "Bare": "failed gbp",
	} {
		b.Run("Query"+name, func(b *testing.B) {
			rest(b, func(s journal.Search) (bool, journal.Search, error) {
				p, err := j.Find(b.Context(), journal.Filter{Query: asks(text), Service: here}, s, 0, 200)
				return p.Searching, p.Search, err
			})
		})
	}
	links := func(text string, from int, after journal.Search) func(journal.Search) (bool, journal.Search, error) {
		return func(s journal.Search) (bool, journal.Search, error) {
			if s.IsZero() {
				s = after
			}
			p, err := j.FindLinks(b.Context(), here, journal.LinkFilter{Query: containing(text)}, s, from, 100)
			return p.Searching, p.Search, err
		}
	}
	first, err := j.FindLinks(b.Context(), here, journal.LinkFilter{}, journal.Search{}, 0, 100)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("LinksFirst", func(b *testing.B) { rest(b, links("", 0, journal.Search{})) })
	b.Run("LinksNext", func(b *testing.B) { rest(b, links("", 100, first.Search)) })
	b.Run("LinksRare", func(b *testing.B) { rest(b, links("links 9900", 0, journal.Search{})) })
	b.Run("LinksAbsent", func(b *testing.B) { rest(b, links("nowhere", 0, journal.Search{})) })
	b.Run("OpenLinks", func(b *testing.B) {
		for b.Loop() {
			if _, err := j.OpenLinks(b.Context(), here, journal.LinkFilter{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// rest steps until a search rests.
func rest(b *testing.B, step func(journal.Search) (bool, journal.Search, error)) {
	var steps, searches int
	var longest time.Duration
	for b.Loop() {
		var s journal.Search
		searches++
		for searching := true; searching; steps++ {
			began := time.Now()
			var err error
			if searching, s, err = step(s); err != nil {
				b.Fatal(err)
			}
			longest = max(longest, time.Since(began))
		}
	}
	b.ReportMetric(float64(steps)/float64(searches), "steps")
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
}
