package links_test

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/screens/links"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are shown in the zone of the person looking
	os.Exit(m.Run())
}

// A fakeJournal returns what a test sets.
type fakeJournal struct {
	mu         sync.Mutex
	links      []journal.LinkRecord
	unfinished []ledger.Attempt
	err        error
	read       int // the most links read at a time
}

func (b *fakeJournal) OpenLinks(_ context.Context, f journal.LinkFilter) (all []journal.LinkRecord, _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.unfinished {
		if a.Kind == ledger.CreateLink && a.IsUnresolved() {
			all = append(all, journal.LinkRecord{Attempt: a})
		}
	}
	for _, l := range b.links {
		if l.MustBeRead() {
			all = append(all, l)
		}
	}
	return slices.DeleteFunc(all, func(l journal.LinkRecord) bool { return !fits(l, f.Query) }), b.err
}

// fits looks for text in ID, alias and name.
func fits(l journal.LinkRecord, q query.Query) bool {
	words := []string{string(l.ID), string(l.Link)}
	if l.CreatedLink != nil {
		words = append(words, l.CreatedLink.Name.Line(0))
	}
	has := func(v query.Value) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(w), strings.ToLower(v.Text)) })
	}
	return !slices.ContainsFunc(q.Terms, func(t query.Term) bool { return !slices.ContainsFunc(t.Values, has) })
}

// FindLinks searches those texts.
func (b *fakeJournal) FindLinks(_ context.Context, f journal.LinkFilter, _ journal.Search, from, n int) (p journal.Page[journal.LinkRecord], _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.links {
		if !l.MustBeRead() && fits(l, f.Query) {
			p.Rows = append(p.Rows, l)
		}
	}
	p.From, p.Count, p.Complete = from, len(p.Rows), true
	p.Rows = p.Rows[min(from, p.Count):min(from+n, p.Count)]
	b.read = max(b.read, len(p.Rows))
	return p, b.err
}

func record(alias, name string, ago time.Duration) journal.LinkRecord {
	at := time.Now().Add(-ago)
	page, err := api.ParseAddress("https://pay.example/collect/" + alias)
	if err != nil {
		panic(err)
	}
	return journal.LinkRecord{Attempt: ledger.Attempt{
		ID: "k3f9m2x7qa", Kind: ledger.CreateLink, At: at, By: ledger.Operator{User: "ada", Host: "till-3"},
		Amount: screentest.Money(1250, "GBP"), Outcome: ledger.Accepted, Link: api.Alias(alias),
		CreatedLink: &api.Link{
			Alias: api.Alias(alias), Name: api.Clean(name), Page: page, Amount: screentest.Money(1250, "GBP"), HasAmount: true,
			Type: api.Clean("Reuseable"),
		},
	}}
}

// filled is a journal with a link that was paid, one of any amount, one whose URL is not safe,
// and three unfinished attempts, of which one is an unresolved creation of a link.
func filled() *fakeJournal {
	dues := record("0-abc1234", "Dues", time.Hour)
	dues.Paid, dues.Accepted, dues.Total, dues.LastUsed = 2, 3, []money.Amount{screentest.Money(2500, "GBP"), screentest.Money(100000, "NGN")}, time.Now().Add(-time.Minute)
	gift := record("0-gift567", "Gift\x1b[2J", 2*time.Hour)
	gift.CreatedLink.AmountType, gift.CreatedLink.Type = api.Dynamic, api.Clean("OneTime")
	odd := record("0-odd", "Odd", 3*time.Hour)
	odd.CreatedLink.Page = api.Address{}
	at := time.Now().Add(-30 * time.Minute)
	return &fakeJournal{
		links: []journal.LinkRecord{dues, gift, odd},
		unfinished: []ledger.Attempt{
			{ID: "paypaypay0", Kind: ledger.Initiate, At: at, Outcome: ledger.Unresolved, Amount: screentest.Money(777, "GBP")},
			{ID: "z1y2x3w4v5", Kind: ledger.CreateLink, At: at, Outcome: ledger.Unresolved, Amount: screentest.Money(5000, "GBP"), Why: "No response in time."},
			{ID: "decided000", Kind: ledger.CreateLink, At: at, Outcome: ledger.Unresolved, Decision: ledger.GaveUp},
		},
	}
}

func open(t *testing.T, w, h int, journal func() *fakeJournal, test func(*screentest.Console, *fakeJournal)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := journal()
		test(screentest.Open(t, links.New(screentest.Theme, b), w, h), b)
	})
}

func TestEveryLinkIsListedWithItsPayments(t *testing.T) {
	open(t, 80, 24, filled, func(c *screentest.Console, _ *fakeJournal) {
		c.Sees("4 links", "UNRESOLVED", "50.00 GBP", "0-abc1234", "2/3", "customer picks", "0-odd").WaitsUntilGone("paypay", "7.77", "decided")
		c.Press("down").Wait(time.Second).Sees("collect/0-abc1234", "many times", "25.00 GBP, 1,000.00 NGN", "12.50 GBP", "▐PAID▌").Golden("links-80")
		c.Fits().HelpBarFits().Idle(time.Hour)
		if c.Green() > 0 {
			t.Error("something is painted as a success")
		}
	})
}

func TestALinkIsSharedCollectedWithAndCopied(t *testing.T) {
	open(t, 80, 24, filled, func(c *screentest.Console, b *fakeJournal) {
		c.Press("down").Press("enter")
		c.Went(nav.Push{To: nav.Share{Link: *b.links[0].CreatedLink}})
		c.Press("c")
		if got, ok := c.LastRequest().(nav.Push); !ok || got.To.(nav.Collect).Link.Alias != "0-abc1234" {
			t.Errorf("went to %+v", c.LastRequest())
		}
		c.Press("y").Sees("sent to your terminal's clipboard")
		copied := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("https://pay.example/collect/0-abc1234"))
		if !strings.Contains(string(c.Bytes()), copied) {
			t.Error("the URL was not sent to the clipboard")
		}
		if c.Press("Y"); c.Copied() != "0-abc1234" {
			t.Errorf("copied %q", c.Copied())
		}
	})
}

func TestAnUnsafeURLIsNotCopied(t *testing.T) {
	open(t, 80, 24, filled, func(c *screentest.Console, _ *fakeJournal) {
		c.Press("end").Wait(time.Second).Sees("none that is safe to open").WaitsUntilGone("y copy").Press("y").Sees("no URL that is safe to copy")
		if strings.Contains(string(c.Bytes()), "\x1b]52") {
			t.Error("something was copied")
		}
	})
}

func TestAnEmptyJournalAndOneThatCannotBeReadAreReported(t *testing.T) {
	open(t, 80, 24, func() *fakeJournal { return &fakeJournal{} }, func(c *screentest.Console, b *fakeJournal) {
		c.Sees("No links have been created here yet").Press("enter").Sees("No link is selected").Press("c", "y", "down", "end")
		c.Went()
		c.Fits()
		b.links = []journal.LinkRecord{record("0-abc1234", "Dues", time.Hour)}
		c.Press("r").Sees("1 link", "nothing from here yet")
		b.err = errors.New("the file is\x1b[2J gone")
		c.Press("r").Sees("could not be read", "the file is^[[2J gone", "0-abc1234").Fits()
	})
	open(t, 80, 24, func() *fakeJournal { return &fakeJournal{err: errors.New("gone")} }, func(c *screentest.Console, _ *fakeJournal) {
		c.Sees("could not be read", "Nothing loaded yet").Fits()
	})
}
