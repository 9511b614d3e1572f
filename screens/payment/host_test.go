package payment

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/api/watch"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // the screen shows times of day
	os.Exit(m.Run())
}

const reference = api.Reference("K7Q2M9XA")

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // the start of a synctest bubble

// A host is a program with one screen; it records what the screen requested of the console.
type host struct {
	ui.Clock
	screen *Model
	work   ui.Work
	ctx    context.Context
	went   []nav.Route
	cancel context.CancelFunc
}

// inside is done on the event loop, where the screen is used.
type inside func(*Model)

func (h *host) Init() tea.Cmd { return h.screen.Init(ui.NewScope(h.ctx, &h.work, &h.Clock, h.screen)) }

func (h *host) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		h.screen.Resize(msg.Width, msg.Height-2)
	case ui.Reply:
		return h, h.screen.Update(msg.Msg)
	case nav.Push:
		h.went = append(h.went, msg.To)
	case nav.Replace:
		h.went = append(h.went, msg.To)
	case tea.KeyPressMsg:
		if msg.String() == "esc" {
			h.screen.Back()
			return h, nil
		}
		return h, h.screen.Update(msg)
	case tea.PasteMsg:
		return h, h.screen.Update(msg)
	case inside:
		msg(h.screen)
	}
	return h, nil
}

// View is the body, a rule and the notice: the console's frame is tested elsewhere.
func (h *host) View() tea.View {
	body, cursor := h.screen.View()
	lines := strings.Split(body, "\n")
	for len(lines) < h.screen.H {
		lines = append(lines, "")
	}
	v := tea.NewView(strings.Join(append(lines, "", h.screen.Notice().Text), "\n"))
	v.AltScreen, v.Cursor = true, cursor
	return v
}

// A script is a service with scripted responses.
type script struct {
	mu     sync.Mutex
	answer func(n int) (api.Transaction, error) // n counts the requests from 1
	asked  []time.Time
	open   int
	most   int           // the most requests in flight at one time
	takes  time.Duration // the time of a response
	jitter func(time.Duration) time.Duration
}

func (s *script) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	s.mu.Lock()
	s.asked = append(s.asked, time.Now())
	n := len(s.asked)
	s.open++
	s.most = max(s.most, s.open)
	answer, takes := s.answer, s.takes
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.open--; s.mu.Unlock() }()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return api.Transaction{}, ctx.Err()
		}
	}
	return answer(n)
}

// slow makes every response from now on take d.
func (s *script) slow(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = d
}

// at is the time of the i-th request, from 0.
func (s *script) at(i int) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[i]
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// says reports status words in turn, and the last one forever.
func says(words ...string) func(int) (api.Transaction, error) {
	return func(n int) (api.Transaction, error) {
		return transaction(words[min(n, len(words))-1], "12.50"), nil
	}
}

func transaction(word, amount string) api.Transaction {
	return api.Transaction{Reference: reference, Status: api.ParseStatus(word), Amount: pounds(amount), HasAmount: true}
}

func pounds(s string) money.Amount {
	a, err := money.Parse(s, currency("GBP"))
	if err != nil {
		panic(err)
	}
	return a
}

func currency(code string) money.Currency {
	c, err := money.ParseCurrency(code)
	if err != nil {
		panic(err)
	}
	return c
}

// payments has at most one entry.
type payments struct {
	mu    sync.Mutex
	entry *session.Entry
}

func (p *payments) Find(r api.Reference) (session.Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entry == nil || p.entry.Reference != r {
		return session.Entry{}, false
	}
	return *p.entry, true
}

func (p *payments) Flow(r api.Reference) flow.Flow {
	if e, ours := p.Find(r); ours {
		return e.Flow
	}
	return flow.InitiatedElsewhere()
}

func (p *payments) Subject(r api.Reference) watch.Subject {
	e, _ := p.Find(r)
	return e.Subject()
}

func (p *payments) change(f func(*session.Entry)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.entry)
}

// card is an entry of a card payment, made a second before the bubble's time.
func card(link api.Alias) *payments {
	paid := api.Payment{Reference: reference, Status: api.ParseStatus("INITIATED"), Amount: pounds("12.50"), HasAmount: true}
	return &payments{entry: &session.Entry{
		Started: start.Add(-time.Second), SeenAt: start.Add(-time.Second), Requested: pounds("12.50"),
		Channel: api.ChannelCard, Link: link, Masked: "•••• 4242", Reference: reference,
		Flow: flow.Begin(api.ChannelCard, link).Initiated(paid), Payment: paid, Status: paid.Status,
	}}
}

// transfer is an entry of a transfer whose account expires after d.
func transfer(d time.Duration) *payments {
	paid := api.Payment{
		Reference: reference, Status: api.ParseStatus("REQUIRE_USER_OFFLINE_ACTION"), Amount: pounds("12.50"), HasAmount: true,
		Transfer: &api.Transfer{Expiration: api.Timestamp{Time: start.Add(d), Zoned: true}},
	}
	return &payments{entry: &session.Entry{
		Started: start.Add(-time.Second), SeenAt: start.Add(-time.Second), Requested: pounds("12.50"),
		Channel: api.ChannelTransfer, Reference: reference,
		Flow: flow.Begin(api.ChannelTransfer, "").Initiated(paid), Payment: paid, Status: paid.Status,
	}}
}

// A console is the screen on a terminal.
type console struct {
	*termtest.Terminal
	*host
}

// watchOn opens the screen in a body of w×h; jitter is always the longest.
func watchOn(t *testing.T, s *script, p *payments, r api.Reference, w, h int) *console {
	t.Helper()
	jitter := s.jitter
	if jitter == nil {
		jitter = func(d time.Duration) time.Duration { return d - 1 }
	}
	ctx, cancel := context.WithCancel(t.Context())
	scheduler := watch.New(ctx, struct {
		*script
		*payments
	}{s, p}, jitter)
	m := New(ui.NewTheme(false), scheduler, p, &Settings{Bell: true}, r)
	host := &host{screen: m, ctx: ctx, cancel: cancel}
	t.Cleanup(cancel)
	return &console{termtest.Open(t, host, w, h+2), host}
}

func watch80(t *testing.T, s *script, p *payments) *console {
	t.Helper()
	return watchOn(t, s, p, reference, 78, 20)
}
