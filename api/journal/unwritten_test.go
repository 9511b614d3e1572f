package journal_test

import (
	"fmt"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// The demo looks at its journal before the first frame, and has nothing in it.
func TestAJournalInMemoryAnswersBeforeItHasTables(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), newClock()
	written, unwritten := journal.New(journal.Options{Now: c.now}), journal.New(journal.Options{Now: c.now})
	noError(t, written.MakeTables(ctx))
	text, _ := journal.AttemptLanguage(nil).Parse("chairs")
	answer := func(v any, err error) string { return fmt.Sprintf("%+v, %v", v, err) }
	for name, ask := range map[string]func(*journal.Journal) string{
		"check": func(j *journal.Journal) string { return answer(nil, j.Check(ctx)) },
		"attempts": func(j *journal.Journal) string {
			all, n, err := j.Attempts(ctx, journal.Filter{}, 0, 9)
			return answer(all, err) + fmt.Sprint(n)
		},
		"text": func(j *journal.Journal) string {
			all, n, err := j.Attempts(ctx, journal.Filter{Query: text}, 0, 9)
			return answer(all, err) + fmt.Sprint(n)
		},
		"find": func(j *journal.Journal) string {
			page, err := j.Find(ctx, journal.Filter{Query: text}, journal.Search{}, 0, 9)
			return answer(page.Rows, err) + fmt.Sprint(page.Count, page.Complete, page.Searching)
		},
		"attempt":   func(j *journal.Journal) string { return answer(j.Attempt(ctx, "0")) },
		"payment":   func(j *journal.Journal) string { return answer(j.Payment(ctx, shop, "R1")) },
		"card-like": func(j *journal.Journal) string { return answer(j.CardLike(ctx, shop)) },
		"respelled": func(j *journal.Journal) string { return answer(j.Respelled(ctx, shop, "R1")) },
		"timeline":  func(j *journal.Journal) string { return answer(j.Timeline(ctx, "0")) },
		"record": func(j *journal.Journal) string {
			_, history, err := j.Record(ctx, shop, "R1")
			return answer(history, err)
		},
		"choices":    func(j *journal.Journal) string { return answer(j.Choices(ctx)) },
		"recent":     func(j *journal.Journal) string { return answer(j.Recent(ctx, shop, 9)) },
		"unfinished": func(j *journal.Journal) string { return answer(j.Unfinished(ctx, shop)) },
		"differing":  func(j *journal.Journal) string { return answer(j.Differing(ctx, shop)) },
		"links":      func(j *journal.Journal) string { return answer(j.Links(ctx, shop)) },
		"link paid":  func(j *journal.Journal) string { return answer(j.LinkPaid(ctx, shop, "a")) },
		"standing":   func(j *journal.Journal) string { return answer(j.Standing(ctx, shop, []api.Reference{"R1"})) },
		"made":       func(j *journal.Journal) string { return answer(j.Made(ctx, shop, c.at.Add(-time.Hour), c.at)) },
		"pins":       func(j *journal.Journal) string { return answer(j.Pins(ctx, shop)) },
		"preview":    func(j *journal.Journal) string { return answer(j.PurgePreview(ctx, c.at)) },
		"left open":  func(j *journal.Journal) string { return answer(j.LeftOpen(ctx), nil) },
		"each payment": func(j *journal.Journal) string {
			return answer(eachPayment(t, j, shop), nil)
		},
		"fingerprint": func(j *journal.Journal) string {
			print, err := j.Fingerprint(ctx, secret(typedKey))
			return answer(len(print), err)
		},
	} {
		if want, got := ask(written), ask(unwritten); got != want {
			t.Errorf("%s: %s before its first write, %s after", name, got, want)
		}
	}
	if unwritten.HasTables() {
		t.Error("it has made its tables to be read")
	}
	mustBegin(t, unwritten, initiation(t, 1250))
	if all, _, err := unwritten.Attempts(ctx, journal.Filter{}, 0, 9); len(all) != 1 || err != nil {
		t.Errorf("what was written to it is read as %v, %v", all, err)
	}
	noError(t, unwritten.Close())
	if _, err := unwritten.Recent(ctx, shop, 9); err == nil {
		t.Error("it is read after it was closed")
	}
}
