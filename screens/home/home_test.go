package home_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// payments are those of the console, newest first.
type payments []session.Entry

func (p *payments) All() []session.Entry {
	all := slices.Clone(*p)
	for i := range all {
		if all[i].Reference != "" {
			all[i].History = []ledger.Event{{At: time.Now(), What: string(ledger.Sent), Source: ledger.FromConsole, Times: 1}}
		}
	}
	return all
}

func (p *payments) Reload(context.Context) error { return nil }

func (p *payments) Recent(context.Context) ([]session.Entry, error) { return nil, nil }

func (p *payments) Made(context.Context, time.Time, time.Time) ([]journal.Made, error) {
	var all []journal.Made
	for _, e := range *p {
		if e.Kind != ledger.Initiate {
			continue
		}
		i := slices.IndexFunc(all, func(m journal.Made) bool { return m.Currency == e.Amount.Currency })
		if i < 0 {
			i, all = len(all), append(all, journal.Made{Currency: e.Amount.Currency})
		}
		sum := &all[i].Open
		switch {
		case e.Reference == "":
			sum = &all[i].Unresolved
		case !e.Mismatch.IsZero():
			sum = &all[i].Mismatched
		case e.Status.State == api.Successful:
			sum = &all[i].Secured
		case e.Status.State == api.Failed:
			sum = &all[i].Failed
		}
		sum.Payments, sum.Minor = sum.Payments+1, sum.Minor+e.Amount.Minor
	}
	slices.SortFunc(all, func(a, b journal.Made) int { return strings.Compare(a.Currency.Code(), b.Currency.Code()) })
	return all, nil
}

func (p *payments) Recall(context.Context, api.Reference) error { return nil }

func (p *payments) IsPinned(r api.Reference) bool {
	return slices.ContainsFunc(*p, func(e session.Entry) bool { return e.IsPinned() && e.Reference == r })
}

func (p *payments) Transactions(context.Context, int, int) (api.Page, error) {
	return api.Page{}, nil
}

func (p *payments) KeyRejected() bool { return false }

func (p *payments) Answered() bool { return true }

func amount(code, major string) money.Amount {
	a, err := money.Parse(major, screentest.Money(0, code).Currency)
	if err != nil {
		panic(err)
	}
	return a
}

// paid is a payment that was initiated, with a status.
func paid(r api.Reference, channel string, link api.Alias, p api.Payment, status string) session.Entry {
	p.Reference, p.Status = r, api.ParseStatus(status)
	a := ledger.Attempt{At: time.Now(), Amount: amount("GBP", "12.50"), Channel: channel, Link: link}
	if channel == api.ChannelCard {
		a.Card = "4242"
	}
	return screentest.Made(a, p)
}

var asked = api.Payment{BankAuthRefused: api.Clean("it is not https")}

// some is one payment of each sort.
func some() *payments {
	big := paid("ref-final", api.ChannelCard, "", api.Payment{}, "Successfull")
	big.Amount = amount("NGN", "1,250,000.00")
	odd := paid("ref-odd", api.ChannelCard, "", api.Payment{}, "InProgress\x1b[2J")
	odd.Mismatch = ledger.Mismatch{Difference: api.Difference{What: api.AmountDiffers, Answered: amount("GBP", "1,250.00")}}
	return &payments{
		big,
		paid("5e0fbd5e-54ab-4b1c-a6ab-0c9b6d5e4a11", api.ChannelTransfer, "", api.Payment{}, "REQUIRE_USER_OFFLINE_ACTION"),
		paid("ref-challenge", api.ChannelCard, "", asked, "INITIATED"),
		odd,
		screentest.Lost(ledger.Attempt{Kind: ledger.Initiate, At: time.Now(), Amount: amount("GBP", "40.00"), Channel: api.ChannelCard, Card: "0002"}),
		paid("ref-failed", api.ChannelCard, "", api.Payment{}, "FAILED"),
	}
}

func open(t *testing.T, w, h int, p func() *payments, test func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(screentest.Open(t, home.New(screentest.Theme, p(), home.Options{Journal: true}), w, h))
	})
}

func none() *payments { return &payments{} }

func TestTheFirstScreenShowsTheMenu(t *testing.T) {
	open(t, 80, 24, none, func(c *screentest.Console) {
		c.Sees("Nothing needs attention").Golden("empty")
		c.Fits().HelpBarFits().Idle(time.Hour)
		c.Press("enter").Went(nav.Push{To: nav.Collect{}})
	})
}

func TestUnresolvedPaymentsComeFirstThenThoseInProgress(t *testing.T) {
	open(t, 80, 24, some, func(c *screentest.Console) {
		c.Sees("Needs you", "1 unresolved · 1 mismatch · 1 failed · 2 in progress").Golden("payments")
		c.Fits().HelpBarFits()
	})
}

// Beside colleagues a row says whose it is.
func TestEachRowOfATeamNamesItsDesk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := *some()
		for i := range p {
			p[i].By = ledger.Operator{User: []string{"ada", "support"}[i%2], Host: []string{"desk-14", "bastion-2"}[i%2]}
		}
		p[1].By = ledger.Operator{}
		p[4].Lease = ledger.Lease{By: ledger.Operator{User: "eve", Host: "desk-3"}, Since: time.Now()}
		c := screentest.Open(t, home.New(screentest.Theme, &p, home.Options{Journal: true, Team: true}), 80, 24)
		c.Sees("ada@desk-14", "support@ba…", "with eve@d…", "  here  ", "1,250,000.00 NGN", "< 1 min").Golden("team")
		c.Fits()
	})
}

func TestWithAFileOfProfilesTheMenuHasThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, home.New(screentest.Theme, some(), home.Options{Journal: true, Profiles: true}), 80, 24)
		c.Sees("12.50 GBP").Fits().Press("tab", "end").Sees("▌ 5  Profiles").Press("enter").Went(nav.Push{To: nav.Profiles{}})
	})
	open(t, 80, 24, some, func(c *screentest.Console) { c.Press("tab", "end").WaitsUntilGone("Profiles").Sees("▌ 4  Links") })
}

func TestWhatNeedsAttentionBelowTheWindowIsCounted(t *testing.T) {
	many := func() *payments {
		p := payments{}
		for i := range 12 {
			p = append(p, screentest.Lost(ledger.Attempt{ID: ledger.ID(fmt.Sprintf("k7m3qx9w%02d", i)), Kind: ledger.Initiate, At: time.Now(), Amount: amount("GBP", "40.00")}))
		}
		return &p
	}
	open(t, 60, 18, many, func(c *screentest.Console) {
		c.Sees("12 unresolved", "↓ ", " more").Fits().Press("end").WaitsUntilGone(" more")
	})
}

// slowJournal is a journal that cannot be read, or only slowly.
type slowJournal struct {
	payments
	read chan struct{}
	err  error
}

func (f *slowJournal) Reload(context.Context) error {
	<-f.read
	return f.err
}

func TestAJournalThatCannotBeReadIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &slowJournal{read: make(chan struct{}), err: errors.New("The journal is damaged.\x1b[2J")}
		c := screentest.Open(t, home.New(screentest.Theme, f, home.Options{Journal: true}), 80, 24)
		c.Sees("Loading payments…")
		close(f.read)
		c.Wait(time.Second).Sees("could not be loaded. The journal is damaged.^[[2J", "sent from here are not known").WaitsUntilGone("Nothing needs attention").Fits()
	})
}

func TestWhySendingIsDisabledIsShownInFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		problem := func() string {
			return "Nothing can be sent: The journal cannot be written: the disk is full. Free some space and try again. (/home/ada/.local/state/paydesk/journal.db)"
		}
		c := screentest.Open(t, home.New(screentest.Theme, some(), home.Options{Journal: true, JournalProblem: problem}), 60, 18)
		c.Sees("Nothing can be sent: ", "journal cannot be written", "UNRESOLVED").Golden("blocked-60").Fits()
	})
}

// What was sent under another name of the service is listed with how it was sent.
func TestAPaymentSentUnderAnotherNameSaysHow(t *testing.T) {
	here := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "127.0.0.1:8080", Fingerprint: "aa"}
	sent := time.Now()
	lost := func(id ledger.ID, profile, host, fingerprint string) session.Entry {
		return screentest.Lost(ledger.Attempt{
			ID: id, Kind: ledger.Initiate, At: sent, Amount: amount("GBP", "40.00"),
			Destination: ledger.Destination{Profile: profile, Environment: "TEST", Host: host, Fingerprint: fingerprint},
		})
	}
	p := &payments{
		lost("aaaa000000", "shop-old", "pay.example:8080", "aa"), lost("bbbb000000", "shop", "127.0.0.1:8080", "bb"),
		lost("cccc000000", "shop", "127.0.0.1:8080", "aa"), lost("dddd000000", "shop-old", "127.0.0.1:8080", ""),
	}
	synctest.Test(t, func(t *testing.T) {
		o := home.Options{Journal: true, Here: func() ledger.Destination { return here }}
		c := screentest.Open(t, home.New(screentest.Theme, p, o), 80, 24)
		c.Sees("4 unresolved", "Sent from profile shop-old, through another address", "the same key.").Golden("elsewhere")
		c.Fits().Press("down").Wait(time.Second).Sees("Sent with another key to the same address.")
		c.Press("down").Wait(time.Second).Sees("cccc").WaitsUntilGone("Sent from", "Sent with")
		c.Press("down").Wait(time.Second).Sees("Sent from profile shop-old.").WaitsUntilGone("key.")
	})
}
