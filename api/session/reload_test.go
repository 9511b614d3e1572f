package session_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/api/session"
)

// A fakeStore is a journal with the contents that a test needs.
type fakeStore struct {
	left     []journal.Attempt
	recent   []journal.Attempt
	found    []journal.Lookup
	payments map[api.Reference]journal.Attempt
	done     []api.Reference
	pins     []api.Reference
	events   []journal.Event
	err      error
	asked    int // for a payment
	reads    int // of timelines
}

func (m *fakeStore) CardLike(context.Context) ([]api.Reference, error) { return nil, nil }

func (m *fakeStore) KnownPayments(context.Context, []api.Reference) (map[api.Reference]bool, error) {
	return nil, m.err
}

func (m *fakeStore) Recent(context.Context, int) ([]journal.Attempt, error) { return m.recent, m.err }

func (m *fakeStore) Lookups(context.Context, int) ([]journal.Lookup, error) { return m.found, m.err }

func (m *fakeStore) Differing(context.Context) ([]api.Reference, error) { return nil, m.err }

func (m *fakeStore) Lookup(_ context.Context, r api.Reference) (journal.Lookup, error) {
	for _, l := range m.found {
		if l.Reference == r {
			return l, m.err
		}
	}
	return journal.Lookup{}, journal.ErrNotFound
}

func (m *fakeStore) Mismatches(context.Context, []api.Reference) (map[api.Reference]journal.Mismatch, error) {
	return nil, m.err
}

func (m *fakeStore) Pins(context.Context) (all []journal.Pin, err error) {
	for _, r := range m.pins {
		all = append(all, journal.Pin{Reference: r, At: begun})
	}
	return all, m.err
}

func (m *fakeStore) Pin(_ context.Context, all ...api.Reference) error {
	for _, r := range all {
		if !slices.Contains(m.pins, r) {
			m.pins = append(m.pins, r)
		}
	}
	return m.err
}

func (m *fakeStore) Unpin(_ context.Context, all ...api.Reference) error {
	m.pins = slices.DeleteFunc(m.pins, func(r api.Reference) bool { return slices.Contains(all, r) })
	return m.err
}

func (m *fakeStore) Made(_ context.Context, from, to time.Time) ([]journal.Made, error) {
	return []journal.Made{{Open: journal.Sum{Payments: int(to.Sub(from) / time.Hour)}}}, m.err
}

func (m *fakeStore) Respelled(context.Context, api.Reference) (api.Reference, error) { return "", nil }

func (m *fakeStore) Unfinished(context.Context) ([]journal.Attempt, error) { return m.left, m.err }

func (m *fakeStore) Payment(_ context.Context, r api.Reference) (journal.Attempt, error) {
	m.asked++
	a, known := m.payments[r]
	if !known {
		return a, journal.ErrNotFound
	}
	return a, nil
}

func (m *fakeStore) Timeline(context.Context, api.Reference) ([]journal.Event, error) {
	m.reads++
	return m.events, m.err
}

func (m *fakeStore) CustomerDone(_ context.Context, r api.Reference) error {
	m.done = append(m.done, r)
	return nil
}

var begun = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// journalled is a payment that an earlier run made.
func journalled(r api.Reference, status string) journal.Attempt {
	return journal.Attempt{
		ID: journal.ID("id-" + r), Kind: journal.Initiate, At: begun, Channel: api.ChannelCard, Card: "4242",
		Reference: r, Outcome: journal.Accepted, Status: api.ParseStatus(status), StatusAt: begun,
	}
}

func reloaded(t *testing.T, m *fakeStore) *session.Tracker {
	t.Helper()
	d := session.NewTracker(&service{payment: initiated, status: "PENDING"}, m)
	if err := d.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAPaymentOfAnEarlierRunContinuesWhereItWas(t *testing.T) {
	address, err := api.ParseAddress("https://bank.example/check")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*journal.Attempt)
		next   flow.Step
	}{
		{"at the bank", func(a *journal.Attempt) { a.BankAuth, a.Challenged = address, true }, flow.Authorise},
		{"at a bank whose URL was not stored", func(a *journal.Attempt) { a.Challenged = true }, flow.Authorise},
		{"at a transfer", func(a *journal.Attempt) { a.Channel, a.Account = api.ChannelTransfer, &api.Transfer{} }, flow.Authorise},
		{"done, through a link", func(a *journal.Attempt) { a.Challenged, a.CustomerDone, a.Link = true, true, "0-abc" }, flow.Finalize},
		{"finalized", func(a *journal.Attempt) {
			a.Challenged, a.CustomerDone, a.Link, a.Finalized = true, true, "0-abc", true
		}, flow.Verify},
		{"nothing required", func(*journal.Attempt) {}, flow.Verify},
	} {
		a := journalled("ref-1", "INITIATED")
		c.change(&a)
		e := onlyEntry(t, reloaded(t, &fakeStore{left: []journal.Attempt{a}}))
		if e.Flow.Next() != c.next || e.Masked != "•••• 4242" || !e.Started.Equal(begun) || e.Unresolved {
			t.Errorf("%s: %+v, next %v", c.name, e, e.Flow.Next())
		}
	}
}

func TestAnUnansweredFinalizeIsKnownAfterARestart(t *testing.T) {
	a := journalled("ref-1", "PENDING")
	a.Link, a.FinalizeUnresolvedAt = "0-abc", begun
	lost := journal.Attempt{ID: "id-f", Kind: journal.Finalize, At: begun, Reference: "ref-1", Outcome: journal.Unresolved}
	e := onlyEntry(t, reloaded(t, &fakeStore{left: []journal.Attempt{lost, a}}))
	if e.Kind != journal.Initiate || e.Flow.WhyNot(flow.Finalize, begun.Add(time.Second)) == "" || e.Flow.WhyNot(flow.Finalize, begun.Add(time.Minute)) != "" {
		t.Errorf("%+v", e)
	}
	// For a payment that was made elsewhere, the finalize itself is listed.
	if e := onlyEntry(t, reloaded(t, &fakeStore{left: []journal.Attempt{lost}})); !e.Unresolved || e.Kind != journal.Finalize || e.ID != "id-f" {
		t.Errorf("%+v", e)
	}
}

func TestWhatIsReloadedTwiceIsListedOnce(t *testing.T) {
	m := &fakeStore{left: []journal.Attempt{journalled("ref-2", "INITIATED"), {ID: "id-9", Kind: journal.Initiate, At: begun.Add(time.Hour), Outcome: journal.Unresolved}}}
	d := reloaded(t, m)
	d.Initiate(t.Context(), initiation(t, "")) // ref-1, which the journal lists from now on, too
	m.left = append(m.left, journalled("ref-1", "INITIATED"))
	for range 2 {
		if err := d.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, e := range d.All() {
		got = append(got, string(e.Reference)+string(e.ID))
	}
	if want := []string{"ref-1id-ref-1", "id-9", "ref-2id-ref-2"}; !slices.Equal(got, want) {
		t.Errorf("listed are %q, want %q", got, want)
	}
}

func TestAResolvedAttemptIsNoLongerListed(t *testing.T) {
	m := &fakeStore{left: []journal.Attempt{{ID: "id-9", Kind: journal.Initiate, At: begun, Outcome: journal.Unresolved}}}
	d := reloaded(t, m)
	m.left = nil
	if d.Reload(t.Context()); len(d.All()) != 0 {
		t.Errorf("%+v", d.All())
	}
	found := journalled("ref-7", "")
	found.Outcome, found.Decision, found.ID = journal.Unresolved, journal.Found, "id-9"
	m.left = []journal.Attempt{found}
	d.Reload(t.Context())
	if e := onlyEntry(t, d); e.Unresolved || e.Reference != "ref-7" {
		t.Errorf("%+v", e)
	}
}

func TestWhatBecameFinalInAnotherConsoleIsFinalHere(t *testing.T) {
	m := &fakeStore{left: []journal.Attempt{journalled("ref-1", "PENDING")}}
	d := reloaded(t, m)
	final := journalled("ref-1", "SUCCESSFUL")
	final.StatusAt = begun.Add(time.Minute)
	m.left, m.payments = nil, map[api.Reference]journal.Attempt{"ref-1": final}
	d.Reload(t.Context())
	if e := onlyEntry(t, d); e.Open() || e.Status.State != api.Successful {
		t.Errorf("%+v", e)
	}
}

func TestAnOlderStatusDoesNotReplaceANewerOne(t *testing.T) {
	m := &fakeStore{left: []journal.Attempt{journalled("ref-1", "INITIATED")}}
	d := reloaded(t, m)
	d.Transaction(t.Context(), "ref-1") // PENDING, now
	d.Reload(t.Context())
	if e := onlyEntry(t, d); e.Status.State != api.Pending {
		t.Errorf("%+v", e)
	}
}

func TestTheJournalRecordsTheCustomerBeforeTheNextRequest(t *testing.T) {
	m := &fakeStore{}
	d := session.NewTracker(&service{payment: challenge, status: "PENDING"}, m)
	d.Initiate(t.Context(), initiation(t, "0-abc"))
	d.CustomerDone("ref-1")
	if len(m.done) != 0 {
		t.Error("it was written at once")
	}
	d.Transaction(t.Context(), "ref-1")
	d.Transaction(t.Context(), "ref-1")
	if !slices.Equal(m.done, []api.Reference{"ref-1"}) {
		t.Error(m.done)
	}
}

func TestAnUnreadableJournalIsReported(t *testing.T) {
	broken := errors.New("no disk")
	d := session.NewTracker(&service{}, &fakeStore{err: broken})
	if err := d.Reload(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := session.NewTracker(&service{}, nil).Reload(t.Context()); err != nil {
		t.Error(err)
	}
}

// Whatever a person decided about a lost payment, the latest decision is what is listed.
func TestTheListFollowsTheLatestDecision(t *testing.T) {
	lost := journal.Attempt{ID: "id-9", Kind: journal.Initiate, At: begun, Outcome: journal.Unresolved}
	found := journalled("ref-7", "SUCCESSFUL")
	found.ID, found.Outcome, found.Decision = "id-9", journal.Unresolved, journal.Found
	again := journalled("ref-8", "PENDING")
	again.ID, again.Outcome, again.Decision = "id-9", journal.Unresolved, journal.Found
	m := &fakeStore{left: []journal.Attempt{lost}}
	d := reloaded(t, m)
	for _, c := range []struct {
		left       []journal.Attempt
		unresolved bool
		reference  api.Reference
	}{
		{[]journal.Attempt{found}, false, "ref-7"}, {[]journal.Attempt{again}, false, "ref-8"},
		{[]journal.Attempt{lost}, true, ""}, {[]journal.Attempt{found}, false, "ref-7"},
	} {
		m.left = c.left
		d.Reload(t.Context())
		if e := onlyEntry(t, d); e.Unresolved != c.unresolved || e.Reference != c.reference {
			t.Errorf("%+v, want %+v", e, c)
		}
	}
	m.left = nil // it was not found after all
	if d.Reload(t.Context()); len(d.All()) != 0 {
		t.Errorf("%+v", d.All())
	}
}

func TestAFinalizeOfAnotherConsoleIsKnownHere(t *testing.T) {
	a := journalled("ref-1", "PENDING")
	a.Link = "0-abc"
	m := &fakeStore{left: []journal.Attempt{a}}
	d := reloaded(t, m)
	for _, finalized := range []bool{true, false, true} { // a person took it back, and decided so again
		m.left[0].Finalized = finalized
		d.Reload(t.Context())
		if e := onlyEntry(t, d); e.Flow.IsFinalized() != finalized || e.Flow.State() != api.Pending {
			t.Errorf("finalized %v: %+v", finalized, e.Flow)
		}
	}
}

func TestTheLatestPaymentsAreThoseMadeFoundAndLookedUp(t *testing.T) {
	gone := journalled("ref-1", "SUCCESSFUL")
	store := &fakeStore{recent: []journal.Attempt{gone}, found: []journal.Lookup{{
		Reference: "ref-2", At: begun, AnsweredAt: begun.Add(time.Hour), Status: api.ParseStatus("PENDING"), StatusAt: begun.Add(time.Hour),
	}}}
	d := session.NewTracker(&service{}, store)
	all, err := d.Recent(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if e := all[0]; e.Reference != "ref-1" || e.ID != gone.ID || e.Open() || e.Asks() || e.LookedUp {
		t.Errorf("%+v", e)
	}
	if e := all[1]; e.Reference != "ref-2" || !e.LookedUp || e.Open() || !e.Asks() || !e.SeenAt.Equal(begun.Add(time.Hour)) {
		t.Errorf("%+v", e)
	}
	if all[0].Is(all[1]) || !all[0].Is(session.Entry{Kind: journal.Initiate, Reference: "ref-1"}) {
		t.Error("entries are taken for others")
	}
	store.err = errors.New("no disk")
	if all, err := d.Recent(t.Context()); err == nil {
		t.Error(all)
	}
	if all, err := session.NewTracker(&service{}, nil).Recent(t.Context()); len(all) != 0 || err != nil {
		t.Error(all, err)
	}
}
