package transactions

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // the screen shows times of day
	os.Exit(m.Run())
}

// A host is a program with one screen, which records the routes that the screen opens.
type host struct {
	ui.Clock
	screen *Model
	work   ui.Work
	ctx    context.Context
	went   []nav.Route
}

func (h *host) Init() tea.Cmd { return h.screen.Init(ui.NewScope(h.ctx, &h.work, &h.Clock, h.screen)) }

func (h *host) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		h.screen.Resize(msg.Width, msg.Height-2)
	case ui.Reply:
		return h, h.screen.Update(msg.Msg)
	case nav.Push:
		h.went = append(h.went, msg.To)
	case tea.KeyPressMsg:
		if msg.String() == "esc" {
			h.screen.Back()
			return h, nil
		}
		return h, h.screen.Update(msg)
	case tea.PasteMsg:
		return h, h.screen.Update(msg)
	}
	return h, nil
}

// View is the body, a blank line and the notice: the console's frame is tested elsewhere.
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

// A fakeLister returns what a test sets and records the pages requested.
type fakeLister struct {
	mu     sync.Mutex
	answer func(page, per int) (api.Page, error)
	asked  []int
	takes  time.Duration
}

func (l *fakeLister) Transactions(ctx context.Context, page, per int) (api.Page, error) {
	l.mu.Lock()
	l.asked = append(l.asked, page)
	answer, takes := l.answer, l.takes
	l.mu.Unlock()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return api.Page{}, ctx.Err()
		}
	}
	return answer(page, per)
}

// respond changes the responses from now on, and how long they take.
func (l *fakeLister) respond(answer func(page, per int) (api.Page, error), takes time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer, l.takes = answer, takes
}

func (l *fakeLister) pages() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

func (l *fakeLister) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.asked)
}

// listOf is a list of n rows, paged as specified.
func listOf(n int) *fakeLister {
	return &fakeLister{answer: func(page, per int) (api.Page, error) { return honestPage(n, page, per), nil }}
}

func honestPage(n, page, per int) api.Page {
	p := api.Page{HasMeta: true, Meta: api.Meta{
		Page: page, PageCount: (n + per - 1) / per, Total: n, PerPage: per,
	}}
	for i := (page - 1) * per; i < min(page*per, n); i++ {
		p.Rows = append(p.Rows, row(i))
	}
	return p
}

var (
	words      = []string{"SUCCESSFUL", "PENDING", "FAILED", "Successfull", "INITIATED", "InProgress"}
	currencies = []string{"GBP", "NGN", "JPY", "KWD", "GBP", "XQX"}
)

// row is the i-th row of the list, from 0.
func row(i int) api.Row {
	return rowOf(fmt.Sprintf("txn_%04d", i+1), int64(i)*4999+50, currencies[i%len(currencies)], words[i%len(words)])
}

func rowOf(id string, minor int64, code, word string) api.Row {
	c, err := money.ParseCurrency(code)
	return api.Row{
		ID: api.Clean(id), Amount: money.Amount{Minor: minor, Currency: c}, Known: err == nil,
		Raw: api.Clean(fmt.Sprint(minor)), Currency: api.Clean(code), Status: api.ParseStatus(word),
		Object: api.Clean(fmt.Sprintf("{\n  \"id\": %q,\n  \"amount\": %d,\n  \"currency\": %q,\n  \"status\": %q\n}", id, minor, code, word)),
	}
}

// A console is the screen on a terminal.
type console struct {
	*termtest.Terminal
	*host
}

func browse(t *testing.T, l *fakeLister, w, h int) *console {
	t.Helper()
	host := &host{screen: New(ui.NewTheme(false), l), ctx: t.Context()}
	return &console{termtest.Open(t, host, w, h+2), host}
}

func browse80(t *testing.T, l *fakeLister) *console {
	t.Helper()
	return browse(t, l, 78, 20)
}

func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
