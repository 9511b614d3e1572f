package listing_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/money"
)

// A list is a service's list in this process.
type list struct {
	mu     sync.Mutex
	rows   []api.Transaction
	takes  time.Duration
	asked  []int
	flying int
	most   int // that were asked for at once
	answer func(page int, honest api.Page) (api.Page, error)
}

func rowOf(id string, minor int64, code, status string) api.Transaction {
	c, err := money.ParseCurrency(code)
	r := api.Transaction{ID: api.Clean(id), Raw: api.Clean(fmt.Sprint(minor)), Currency: api.CleanASCII(code), Status: api.ParseStatus(status)}
	if err == nil {
		r.Amount, r.Known = money.Amount{Minor: minor, Currency: c}, true
	}
	return r
}

// uuid is the id of the n-th row.
func uuid(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n*2654435761&0xffffffff, n) }

func rows(n int) (all []api.Transaction) {
	for i := range n {
		all = append(all, rowOf(uuid(i), int64(100+i*37%5000), []string{"GBP", "NGN", "JPY"}[i%3], []string{"SUCCESSFUL", "FAILED", "PENDING"}[i%7%3]))
	}
	return all
}

func (l *list) Transactions(ctx context.Context, page, per int) (api.Page, error) {
	l.mu.Lock()
	l.asked = append(l.asked, page)
	l.flying++
	l.most = max(l.most, l.flying)
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.flying--
	}()
	select {
	case <-time.After(l.takes):
	case <-ctx.Done():
		return api.Page{}, &api.Failure{Kind: api.KindCancelled}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.rows)
	p := api.Page{HasMeta: true, Meta: api.Meta{Page: page, PageCount: (n + per - 1) / per, Total: n, PerPage: per}}
	p.Rows = l.rows[min((page-1)*per, n):min(page*per, n)]
	if !api.IsBulk(ctx) {
		p.Rows = slices.Clone(p.Rows)
		for i := range p.Rows {
			p.Rows[i].Object = api.Clean("{}")
		}
	}
	if l.answer != nil {
		return l.answer(page, p)
	}
	return p, nil
}

// change changes the list while it may be read.
func (l *list) change(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// requests are the pages that were asked for.
func (l *list) requests() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

// kept are the rows of a scan.
func kept(t *testing.T, st listing.State) (all []api.Transaction) {
	t.Helper()
	if err := st.Rows.Each(t.Context(), listing.Search{}, func(row listing.Listed) error {
		all = append(all, row.Transaction)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

const benchKey = "sk_test_bench01"

type secret string

func (s secret) Expose() string { return string(s) }

// clientOf is a client of a service over loopback.
func clientOf(tb testing.TB, service http.Handler) *api.Client {
	s := httptest.NewServer(service)
	tb.Cleanup(s.Close)
	c, err := api.New(api.Config{BaseURL: s.URL, ListURL: s.URL, Key: secret(benchKey)})
	noError(tb, err)
	tb.Cleanup(c.Close)
	return c
}

// counted notes which pages are asked for.
type counted struct {
	listing.Source
	mu    sync.Mutex
	asked []int
}

func (c *counted) Transactions(ctx context.Context, page, per int) (api.Page, error) {
	c.mu.Lock()
	c.asked = append(c.asked, page)
	c.mu.Unlock()
	return c.Source.Transactions(ctx, page, per)
}

// done waits until a scan does not go on.
func done(tb testing.TB, s *listing.Scanner) listing.State {
	st := s.State()
	for st.Phase.Running() || st.Why == listing.AtLimit {
		if st.Why == listing.AtLimit {
			s.Resume()
		}
		var err error
		if st, err = s.Changed(tb.Context(), st.N); err != nil {
			tb.Error(err)
			return st
		}
	}
	return st
}
