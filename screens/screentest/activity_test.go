package screentest_test

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/activity"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// What a colleague sends is listed at once: the cursor stays on its attempt.
func TestWhatAColleagueSendsIsListedAtOnce(t *testing.T) {
	openActivity(t, 120, 40, ada, activity.Options{Team: true}, aMonth, func(d *desk) {
		d.Sees("31 attempts of this service", "ada@desk1").Press("down")
		row := func() string { return strings.TrimRight(strings.Split(d.Marked(), "│")[0], " █") } // without the pane
		was := row()
		d.pays(here, 99, "ref-new", "PENDING")
		var cmd tea.Cmd
		d.OnLoop(func() { cmd = d.screen.Changed() })
		d.Send(cmd())
		d.Wait(time.Second).Sees("32 attempts", "ref-new")
		if now := row(); now != was {
			t.Errorf("%q is marked, not %q", now, was)
		}
	})
}

func TestAnErrorIsShownAndTheRowsStay(t *testing.T) {
	b := &brokenJournal{}
	openActivity(t, 80, 24, ada, activity.Options{Journal: b, Off: true}, func(d *desk) {
		b.Journal = d.Journal
		aMonth(d)
	}, func(d *desk) {
		d.Sees("Journal off: what is listed here ends with this console.")
		d.OnLoop(func() { b.why = "The disk with the journal is full." })
		d.Press("r").Sees("The disk with the journal is full. Press r to retry.", "ref-000029").Fits()
		d.OnLoop(func() { b.why = "" })
		d.Press("r").WaitsUntilGone("disk")
	})
}

func TestTextOfOthersStaysInItsCell(t *testing.T) {
	for _, s := range []string{"x\r\n✓ SUCCESSFUL", "\x1b[2K\x1b[1A", "\u202eevil", "a\tb", "\x1b]0;x\x07"} {
		openActivity(t, 120, 40, ledger.Operator{User: s, Host: s, SSH: s}, activity.Options{Team: true}, func(d *desk) { d.pays(here, 100, "ref-1", "FAILED") }, func(d *desk) {
			if line := d.Wait(time.Second).Sees("1 attempt").Marked(); !strings.Contains(line, "✗ FAILED") {
				t.Errorf("%q: the row is %q", s, line)
			}
			if d.Green() > 0 {
				t.Errorf("%q is green", s)
			}
			d.Fits()
		})
	}
}

// A search of a large journal is made in steps: what was found so far is shown.
func TestASearchShowsWhatItHasFoundSoFar(t *testing.T) {
	b := &brokenJournal{steps: true}
	openActivity(t, 60, 18, ada, activity.Options{Journal: b}, func(d *desk) {
		b.Journal = d.Journal
		aMonth(d)
	}, func(d *desk) {
		d.Sees("31 attempts").Press("/").Type("ref-").Sees("Searching… 3 of 31 or more attempts").Fits()
		d.Wait(2 * time.Second).Sees("27 of 31 or more attempts").WaitsUntilGone("Searching").Fits()
	})
}

// The status of another profile's payment is not requested from the service of this one.
func TestAnAttemptOfAnotherProfileIsNotOpenedHere(t *testing.T) {
	openActivity(t, 80, 24, ada, activity.Options{}, func(d *desk) {
		d.pays(here, 100, "ref-ours", "FAILED")
		d.pays(ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}, 200, "ref-theirs", "FAILED")
	}, func(d *desk) {
		d.Sees("1 attempt of this service").WaitsUntilGone("ref-theirs").Press("r").Sees("Nothing in view needs checking")
		d.Press("tab", "right", "enter").Sees("2 attempts of all services", "other: live").Fits()
		d.Press("s", "d", "p").Sees("It was sent to another service").Went()
		d.Press("/").Type("ref-").Press("enter").Sees("“ref-”", "2 attempts of all services")
	})
}

// The keys for a row work in the list, and say why where they do not.
func TestTheKeysForAnAttemptWorkInTheList(t *testing.T) {
	openActivity(t, 80, 24, ada, activity.Options{Pinned: func(r api.Reference) bool { return r == "ref-2" }}, func(d *desk) {
		d.pays(here, 100, "", "")
		d.pays(here, 200, "ref-2", "FAILED")
		d.pays(here, 300, "ref-3", "PENDING")
	}, func(d *desk) {
		d.Sees("d decide").Press("s").Went(nav.Push{To: nav.Payment{Reference: "ref-3"}}) // whether to follow it
		d.Press("c").Sees("Only a payment that failed").Went()
		d.Press("p").Went(nav.Pin{Payments: []api.Reference{"ref-3"}})
		d.Press("down", "d").Sees("There is nothing to decide: its outcome is recorded.").Went().Press("c")
		if to, ok := d.LastRequest().(nav.Push); !ok || to.To.(nav.Collect).Again.Channel != "card" {
			t.Errorf("%#v", d.LastRequest())
		}
		d.Went(d.LastRequest()).Press("p").Went(nav.Pin{Payments: []api.Reference{"ref-2"}, Remove: true})
		d.Press("down", "s", "p").Sees("no payment reference").Went().Press("d")
		if to, ok := d.LastRequest().(nav.Push); !ok || !to.To.(nav.Attempt).Decide {
			t.Errorf("%#v", d.LastRequest())
		}
	})
}

// Of the 260 rows 200 are read at a time: the older day goes on behind the first of them, and before the last.
func TestADayThatIsSplitBetweenTwoPagesIsCountedWhole(t *testing.T) {
	openActivity(t, 80, 24, ada, activity.Options{}, func(d *desk) {
		for i := range 260 {
			time.Sleep(6 * time.Minute)
			d.pays(here, int64(i)+1, every9th(i), "PENDING")
		}
	}, func(d *desk) {
		d.Sees("2 Jan 2000", " 21 · 2 unresolved")
		d.Press("pgdown", "pgdown", "pgdown", "pgdown").Wait(time.Second).Sees("1 Jan 2000", " 239 · 27 unresolved")
		d.Press("end").Wait(time.Second).Sees("1 Jan 2000", " 239 · 27 unresolved")
	})
}

func TestEverythingTheSearchShowsIsExported(t *testing.T) {
	openActivity(t, 160, 40, ada, activity.Options{}, aMonth, func(d *desk) {
		d.Press("/").Type("-unresolved").Press("enter").Wait(time.Second).Press("w")
		d.Fill("Folder", d.folder).Press("ctrl+s").Sees("27 rows were written to", string(filepath.Separator)+"paydesk-activity-20000201-")
		if records, err := csv.NewReader(strings.NewReader(screentest.OnlyFile(t, d.folder, "*.csv"))).ReadAll(); err != nil || len(records) != 28 {
			t.Errorf("%d records, %v", len(records), err)
		}
	})
}

func TestAPurgeIsPreviewedConfirmedAndReported(t *testing.T) {
	openActivity(t, 80, 24, ada, activity.Options{}, aMonth, func(d *desk) {
		left := func(n int) {
			t.Helper()
			if p, err := d.Find(d.t.Context(), journal.Filter{}, journal.Search{}, 0, 0); err != nil || p.Count != n {
				t.Errorf("%d attempts are left, %v", p.Count, err)
			}
		}
		d.Press("x").Sees("Nothing is older than 90 days.").Press("enter").Sees("There is nothing to delete.")
		d.Press("ctrl+u").Type("0").Press("enter").Sees("Enter a whole number of days").Fits()
		d.Press("ctrl+u").Type("7").Sees("21 attempts are older than 7 days, in all profiles.", "3 unresolved or mismatched ones are kept").Fits()
		d.Press("enter").Sees("Delete 21 attempts permanently?").Wait(time.Second).Paste("21").Press("tab").Wait(time.Second).Press("enter").Wait(time.Second)
		d.Slowly("20").Press("enter").Wait(time.Second).Sees("Type 21 exactly as shown").Press("esc").Sees("Keep days")
		left(31)
		d.Press("enter").Sees("Delete 21 attempts permanently?").Slowly("21").Press("tab").Wait(time.Second).Press("enter").Wait(time.Second)
		d.Sees("21 attempts were deleted. 3 unresolved or mismatched ones are kept", "10 attempts of this service")
		left(10)
	})
}

var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}

// A desk is the screen over a journal in memory.
type desk struct {
	*screentest.Console
	*journal.Journal
	t      *testing.T
	screen *activity.Model
	folder string // for files
}

// openActivity shows the screen of what fill has put into the journal. The time is 2000-02-01 00:00.
func openActivity(t *testing.T, w, h int, by ledger.Operator, o activity.Options, fill func(*desk), do func(*desk)) {
	t.Helper()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{Operator: by})
		defer j.Close()
		d := &desk{Journal: j, t: t, folder: folder}
		if fill != nil {
			fill(d)
		}
		time.Sleep(time.Until(time.Date(2000, 2, 1, 0, 0, 0, 0, time.UTC)))
		o.Here = func() ledger.Destination { return here }
		o.Again = func(a ledger.Attempt) api.Initiation { return api.Initiation{Channel: a.Channel} }
		o.Check = func(context.Context, []api.Reference) ([]session.WatchState, error) { return nil, nil }
		if o.Journal == nil {
			o.Journal = j
		}
		d.screen = activity.New(screentest.Theme, o)
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
	must(d.t, cmp.Or(err, d.End(d.t.Context(), a.ID, answer)))
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
	activity.Journal
	why   string
	steps bool
}

func (b *brokenJournal) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[ledger.Attempt], error) {
	if b.why != "" {
		return journal.Page[ledger.Attempt]{}, &ledger.Unavailable{Why: b.why}
	}
	p, err := b.Journal.Find(ctx, f, s, from, n)
	switch {
	case !b.steps:
	case f.Query.Empty():
		p.Complete, p.Searching = n > 0, n == 0 // all that there are take more than a step
	case s.IsZero():
		p.Rows, p.Count, p.Complete, p.Searching = p.Rows[:min(3, n)], 3, false, true
	default:
		time.Sleep(time.Second)
	}
	return p, err
}
