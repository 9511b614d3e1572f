package journal_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/statefile"
)

var largeNow = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// BenchmarkLarge uses a journal of 100,000 attempts with every outcome, on 400 days, of four operators in three currencies.
func BenchmarkLarge(b *testing.B) {
	dir := b.TempDir()
	noError(b, journal.Fill(filepath.Join(dir, "paydesk"), 100_000, largeNow))
	open := func() *journal.Journal {
		began := time.Now() // a step of a search ends by the clock
		return must(openJournal(b.Context(), journal.Options{
			Dir: filepath.Join(dir, "paydesk"), Now: func() time.Time { return largeNow.Add(time.Since(began)) }, Retention: 1000 * 24 * time.Hour,
		}))
	}
	j := open()
	j.WaitForIntegrityCheck()
	b.Run("Unfinished", func(b *testing.B) {
		for b.Loop() {
			must(j.Unfinished(b.Context(), shop))
		}
	})
	for name, text := range map[string]string{
		"Newest": "", "Rare": "ref99003", "Frequent": "card", "Absent": "nowhere", "TwoLetters": "ca", "Status": "status:pending", "Amount": "amount:5.99 ngn",
		"Day": "day:2026-02-01", "Reference": "reference:ref99003", "Alias": "alias:alias-99*", "Name": "name:*9900*", "Customer": "email:nobody@example.org",
	} {
		b.Run(name, func(b *testing.B) {
			rest(b, func(s journal.Search) (bool, journal.Search, error) {
				p, err := j.Find(b.Context(), journal.Filter{Query: asks(text), Service: shop}, s, 0, 200)
				return p.Searching, p.Search, err
			})
		})
	}
	for name, text := range map[string]string{"Links": "", "LinksRare": "links 9900", "LinksAbsent": "nowhere"} {
		b.Run(name, func(b *testing.B) {
			rest(b, func(s journal.Search) (bool, journal.Search, error) {
				p, err := j.FindLinks(b.Context(), shop, containing(text), s, 0, 100)
				return p.Searching, p.Search, err
			})
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
	b.Run("TwoBareCommits", func(b *testing.B) { // Begin may take twice as long
		db := statefile.Open(statefile.Source(filepath.Join(dir, "bare.db"), "rwc", "journal_mode(WAL)", "synchronous(FULL)"))
		defer db.Close()
		must(db.Exec("CREATE TABLE IF NOT EXISTS rows (body TEXT)"))
		for b.Loop() {
			for range 2 {
				must(db.Exec("INSERT INTO rows VALUES (?)", "what is recorded of an attempt"))
			}
		}
	})
	j.Close()
	b.Run("Start", func(b *testing.B) { // with the check that is done beside it, which the first one repeats
		for b.Loop() {
			j := open()
			j.WaitForIntegrityCheck()
			j.Close()
		}
	})
}

// rest steps until a search rests, and measures its longest step.
func rest(b *testing.B, step func(journal.Search) (bool, journal.Search, error)) {
	var longest time.Duration
	for b.Loop() {
		var s journal.Search
		for searching := true; searching; {
			began := time.Now()
			var err error
			searching, s, err = step(s)
			noError(b, err)
			longest = max(longest, time.Since(began))
		}
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
}
