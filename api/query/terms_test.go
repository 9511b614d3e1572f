package query_test

import (
	"testing"

	"paydesk/api/query"
)

// A row has one status, so that two that are asked for find nothing; two that are left out find the others.
func TestTwoWordsOfAFieldMayBeLeftOut(t *testing.T) {
	l := language()
	for text, want := range map[string]struct{ terms, problems int }{
		"-failed -pending":               {2, 0},
		"-status:failed -status:pending": {2, 0},
		"-failed pending":                {2, 0},
		"pending -failed":                {2, 0},
		"failed pending":                 {1, 1},
		"failed failed,pending":          {2, 0},
	} {
		if q, problems := l.Parse(text); len(q.Terms) != want.terms || len(problems) != want.problems {
			t.Errorf("%s: %v, %v", text, q, problems)
		}
	}
}

// Seven days are today and the six before it.
func TestDaysEndToday(t *testing.T) {
	l := language()
	today := l.Today()
	for text, from := range map[string]query.DayNumber{
		"7d": today - 6, "1d": today, "0d": today, "30d": today - 29, "today": today, "2026-11": today - 22,
	} {
		q, problems := l.Parse("day:" + text)
		if len(problems) > 0 || len(q.Terms) != 1 || len(q.Terms[0].Days) != 1 {
			t.Errorf("%s: %v, %v", text, q, problems)
			continue
		}
		r := q.Terms[0].Days[0]
		to := today
		if text == "2026-11" {
			to = today + 7
		}
		if !r.Low.Set || !r.High.Set || r.Low.At != from || r.High.At != to {
			t.Errorf("%s is %s to %s", text, r.Low.At, r.High.At)
		}
	}
}

// An address that somebody pastes is text, though it has a colon.
func TestAnAddressIsText(t *testing.T) {
	l := language()
	q, problems := l.Parse("https://pay.example/l/5e62")
	want := query.Value{Text: "https://pay.example/l/5e62", How: query.Contains}
	if len(problems) > 0 || len(q.Terms) != 1 || q.Terms[0].Field != "" || len(q.Terms[0].Values) != 1 || q.Terms[0].Values[0] != want {
		t.Errorf("%v, %v", q, problems)
	}
	if q, problems := l.Parse("https:x"); len(q.Terms) > 0 || len(problems) != 1 { // no such field
		t.Errorf("%v, %v", q, problems)
	}
}

// A part that is empty is in every text, and also where there is none: what asks for it asks for some text.
func TestAnEmptyPartAsksForSomeText(t *testing.T) {
	l := language()
	want, _ := l.Parse("ref:*")
	for _, text := range []string{`ref:*""*`, `ref:""*`, `ref:*""`} {
		if q, problems := l.Parse(text); len(problems) > 0 || q.String() != want.String() {
			t.Errorf("%s: %s, %v", text, q, problems)
		}
	}
}
