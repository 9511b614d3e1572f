package activity

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/screentest"
)

var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}

// A desk is the screen over a journal in memory.
type desk struct {
	*screentest.Console
	*journal.Journal
	t      *testing.T
	screen *Model
}

// open shows the screen of what fill has put into the journal. The time is 2000-02-01 00:00.
func open(t *testing.T, w, h int, by ledger.Operator, o Options, fill func(*desk), do func(*desk)) {
	t.Helper()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{Operator: by})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		d := &desk{Journal: j, t: t}
		if fill != nil {
			fill(d)
		}
		time.Sleep(time.Until(time.Date(2000, 2, 1, 0, 0, 0, 0, time.UTC)))
		o.Here, o.ExportFolder = func() ledger.Destination { return here }, func() string { return folder }
		o.Again = func(a ledger.Attempt) api.Initiation { return api.Initiation{Channel: a.Channel} }
		if o.Journal == nil {
			o.Journal = j
		}
		d.screen = New(screentest.Theme, o)
		d.Console = screentest.Open(t, d.screen, w, h)
		do(d)
		d.Leave()
	})
}

var ada = ledger.Operator{User: "ada", Host: "desk1"}

// pays records a payment, with a reference and a status, or unresolved without them.
func (d *desk) pays(to ledger.Destination, minor int64, ref, status string) {
	d.t.Helper()
	a, err := d.Begin(d.t.Context(), ledger.Attempt{Kind: ledger.Initiate, Destination: to, Amount: screentest.Money(minor, "GBP"), Channel: "card", Card: "4242"}, ledger.Payer{}, nil)
	answer := ledger.Result{Outcome: ledger.Unresolved, Why: "no answer came in time"}
	if ref != "" {
		answer = ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(ref), Status: api.ParseStatus(status)}}
	}
	if err := cmp.Or(err, d.End(d.t.Context(), a.ID, answer)); err != nil {
		d.t.Fatal(err)
	}
}

// aMonth is a payment a day, the newest an hour ago.
func aMonth(d *desk) {
	for i := range 31 {
		time.Sleep(time.Until(time.Date(2000, 1, 1+i, 23, 0, 0, 0, time.UTC)))
		d.pays(here, int64(i)+1, every9th(i), "PENDING")
	}
}

// every9th is the reference of the i-th payment, none for those that are unresolved.
func every9th(i int) string {
	if i%9 == 3 {
		return ""
	}
	return fmt.Sprintf("ref-%06d", i)
}

// A brokenJournal cannot be read, or finds a text in two steps, of which the second takes a second.
type brokenJournal struct {
	Journal
	why   string
	steps bool
}

func (b *brokenJournal) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[ledger.Attempt], error) {
	if b.why != "" {
		return journal.Page[ledger.Attempt]{}, &ledger.Unavailable{Why: b.why}
	}
	p, err := b.Journal.Find(ctx, f, s, from, n)
	switch {
	case !b.steps || f.Query.Empty():
	case s.IsZero():
		p.Rows, p.Count, p.Complete, p.Searching = p.Rows[:min(3, n)], 3, false, true
	default:
		time.Sleep(time.Second)
	}
	return p, err
}
