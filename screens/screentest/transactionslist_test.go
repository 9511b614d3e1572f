package screentest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/screentest"
	"paydesk/screens/transactions"
)

// A fakeLister returns what a test sets and records the pages requested.
type fakeLister struct {
	mu        sync.Mutex
	answer    func(page, per int) (api.Page, error)
	asked     []int
	takes     time.Duration
	differing map[api.Reference]ledger.Mismatch // payments about which an answer differed
	looks     time.Duration                     // for these
	unread    error                             // the journal's
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
	p, err := answer(page, per)
	if api.IsBulk(ctx) {
		p.Rows = slices.Clone(p.Rows)
		for i := range p.Rows {
			p.Rows[i].Object = api.Text{}
		}
	}
	return p, err
}

func (l *fakeLister) Differing(ctx context.Context) (map[api.Reference]ledger.Mismatch, error) {
	l.mu.Lock()
	differing, takes, unread := l.differing, l.looks, l.unread
	l.mu.Unlock()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return differing, unread
}

// breakJournal makes the journal unreadable, or readable again.
func (l *fakeLister) breakJournal(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unread = err
}

// differ sets about which payments an answer differed, and how long it takes to look for them.
func (l *fakeLister) differ(differing map[api.Reference]ledger.Mismatch, takes time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.differing, l.looks = differing, takes
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

// growing is a list of n rows that has one more after every four answers.
func growing(n int) *fakeLister {
	l, reads := &fakeLister{}, 0
	l.answer = func(page, per int) (api.Page, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		reads++
		return honestPage(n+reads/4, page, per), nil
	}
	return l
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
func row(i int) api.Transaction {
	return rowOf(fmt.Sprintf("txn_%04d", i+1), int64(i)*4999+50, currencies[i%len(currencies)], words[i%len(words)])
}

func rowOf(id string, minor int64, code, word string) api.Transaction {
	c, err := money.ParseCurrency(code)
	return api.Transaction{
		ID: api.Clean(id), Amount: money.Amount{Minor: minor, Currency: c}, Known: err == nil,
		Raw: api.Clean(fmt.Sprint(minor)), Currency: api.Clean(code), Status: api.ParseStatus(word),
		Object: api.Clean(fmt.Sprintf("{\n  \"id\": %q,\n  \"amount\": %d,\n  \"currency\": %q,\n  \"status\": %q\n}", id, minor, code, word)),
	}
}

// A console is the screen on a terminal.
type console struct {
	*screentest.Console
	scans  *listing.Scanner
	folder string // for files
}

func browse(t *testing.T, l *fakeLister) *console {
	t.Helper()
	m := transactions.New(screentest.Theme, l, transactions.Options{Scans: listing.NewScanner(t.Context(), l)})
	return &console{Console: screentest.OpenBare(t, m, 78, 20, 2)}
}

// scanning is the screen over a list whose first page was read, with a scanner of it and a folder for files.
func scanning(t *testing.T, l *fakeLister, w, h int) *console {
	t.Helper()
	c := &console{scans: listing.NewScanner(t.Context(), l), folder: t.TempDir()}
	c.Console = screentest.Open(t, transactions.New(screentest.Theme, l, transactions.Options{Scans: c.scans}), w, h)
	c.Wait(time.Second)
	return c
}
