package listing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/api/servicetest"
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

// kept are the rows of a scan, without their objects.
func kept(t *testing.T, st listing.State) (all []api.Transaction) {
	t.Helper()
	for row, err := range st.Rows.Each(t.Context(), listing.Search{}) {
		noError(t, err)
		row.Object = api.Text{}
		all = append(all, row.Transaction)
	}
	return all
}

const benchKey = "sk_test_bench01"

// clientOf is a client of a service over loopback.
func clientOf(tb testing.TB, service http.Handler) *api.Client {
	s := httptest.NewServer(service)
	tb.Cleanup(s.Close)
	c, err := api.New(api.Config{BaseURL: s.URL, ListURL: s.URL, Key: servicetest.Key(benchKey)})
	noError(tb, err)
	tb.Cleanup(c.Close)
	return c
}

// done waits until a scan does not go on. At each change it does what is to be done then.
func done(tb testing.TB, s *listing.Scanner, then ...func()) listing.State {
	st := s.State()
	for st.Phase.Running() || st.Why == listing.AtLimit {
		for _, do := range then {
			do()
		}
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

// A scan that is stopped at any point and goes on has every row once, in the order of the list, and asks for no
// page again that it has read.
func TestAScanGoesOnWhereItStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 5))
		const n = 1_321
		l := &list{rows: rows(n), takes: 10 * time.Millisecond}
		whole := 14 * 10 / 4 * time.Millisecond // about what it takes without a stop
		for stops := range 15 {
			l.change(func() { l.asked = nil })
			s := listing.NewScanner(t.Context(), l)
			s.Start()
			cut := 0
			for range stops%5 + 1 {
				time.Sleep(time.Duration(r.Int64N(int64(whole))))
				before := s.State()
				s.Pause()
				if st := s.State(); before.Phase == listing.Reading {
					cut += listing.MostAtOnce
					if st.Phase != listing.Paused || st.Rows.Len() < before.Read {
						t.Fatalf("%+v became %+v", before, st)
					}
					time.Sleep(time.Minute)
					if later := s.State(); later.Read != st.Read || later.N != st.N {
						t.Fatalf("it went on while it was paused: %+v", later)
					}
				}
				s.Resume()
			}
			st := done(t, s)
			if st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != n || st.Verdict.Repeated+st.Verdict.Differing > 0 {
				t.Fatalf("stop %d: %+v", stops, st)
			}
			if !slices.Equal(kept(t, st), l.rows) {
				t.Fatalf("stop %d: the rows differ", stops)
			}
			if len(l.requests()) > 14+1+cut || l.most > 4 {
				t.Fatalf("stop %d: %d requests, %d at once", stops, len(l.requests()), l.most)
			}
		}
	})
}

// Whoever looks at a list has so many of its rows, with their objects, from no more pages than these take, and all of it in the end.
func TestAListIsReadAsFarAsItIsLookedAt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			n := r.IntN(3_000)
			l := &list{rows: rows(n), takes: 10 * time.Millisecond}
			s := listing.NewScanner(t.Context(), l)
			for wanted := 0; wanted < n+100; {
				wanted += 1 + r.IntN(900)
				s.Read(wanted)
				st := done(t, s)
				if most := max((min(wanted, n)+99)/100, 1); st.Phase != listing.Paused || st.Why != listing.Enough || st.Read < min(wanted, n) || st.Pages > most || len(l.requests()) > most {
					t.Fatalf("%d of %d rows: %d pages were asked for, %+v", wanted, n, len(l.requests()), st)
				}
				if st.More != (st.Read < n) {
					t.Fatalf("%d of %d rows are read, and there are more: %v", st.Read, n, st.More)
				}
				if last := st.Read - 1; n > 0 {
					if at, err := st.Rows.At(t.Context(), listing.Search{First: 1}, int32(last)); err != nil || at[0].Object.Empty() || at[0].Position != st.Read {
						t.Fatalf("the last of %d rows is %+v, %v", st.Read, at, err)
					}
				}
			}
			s.Start()
			if st := done(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || !slices.Equal(kept(t, st), l.rows) {
				t.Fatalf("%d rows: %+v", n, st)
			}
		}
	})
}

// troubled answers the first n requests for some page with an error.
func troubled(l *list, page, n int, err error) {
	l.change(func() {
		l.answer = func(asked int, honest api.Page) (api.Page, error) {
			if asked == page && n > 0 {
				n--
				return api.Page{}, err
			}
			return honest, nil
		}
	})
}

func TestAScanWaitsAsLongAsTheServiceAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(5_000), takes: 10 * time.Millisecond}
		troubled(l, 7, 1, &api.Refusal{HTTP: 429, RetryAfter: 30 * time.Second})
		s := listing.NewScanner(t.Context(), l)
		began := time.Now()
		s.Start()
		time.Sleep(100 * time.Millisecond)
		st := s.State()
		asked := len(l.requests())
		if st.Phase != listing.Waiting || st.Err == nil || st.Page != 7 || s.Width() != 2 || st.Until.Sub(began) < 30*time.Second {
			t.Errorf("%+v", st)
		}
		s.Pause()
		s.Resume() // a person does not shorten the wait
		time.Sleep(29 * time.Second)
		if n := len(l.requests()); n != asked {
			t.Errorf("%d requests in the wait", n-asked)
		}
		if st = done(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != 5_000 || s.Width() != 4 || st.Err != nil {
			t.Errorf("%+v", st)
		}
	})
}

// In trouble that lasts a scan asks less and less, and then waits for a person, with the rows it has.
func TestAScanInTroubleGivesUpAndKeepsItsRows(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		asks int // for the page
	}{
		"broken":          {&api.Failure{Kind: api.KindHTTP, HTTP: 503}, 5},
		"silent":          {&api.Failure{Kind: api.KindTimeout}, 5},
		"key rejected":    {&api.Refusal{HTTP: 401}, 1},
		"no such page":    {&api.Refusal{HTTP: 404}, 1},
		"nothing is sent": {api.ErrNotSent, 1},
		"for 5 minutes":   {&api.Refusal{HTTP: 429, RetryAfter: 5 * time.Minute}, 5},
		"for 6 minutes":   {&api.Refusal{HTTP: 429, RetryAfter: 6 * time.Minute}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &list{rows: rows(2_050), takes: 10 * time.Millisecond}
				troubled(l, 9, 100, tc.err)
				s := listing.NewScanner(t.Context(), l)
				s.Start()
				st := done(t, s)
				if st.Phase != listing.Paused || st.Why != listing.ByProblem || !errors.Is(st.Err, tc.err) || st.Page != 9 || st.Read > 800 || tc.asks > 1 && st.Read != 800 {
					t.Errorf("%+v", st)
				}
				asked := l.requests()
				asks := len(slices.DeleteFunc(slices.Clone(asked), func(n int) bool { return n != 9 }))
				if asks != tc.asks || slices.Max(asked) > 9+12 {
					t.Errorf("%d requests for the page, %v", asks, asked)
				}
				troubled(l, 9, 0, nil)
				s.Resume()
				if st = done(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != 2_050 {
					t.Errorf("%+v", st)
				}
			})
		})
	}
}

// Those that wait for a change hear of pages four times a second at most, and of the end at once.
func TestChangesAreShownAtAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(20_000), takes: 40 * time.Millisecond}
		s := listing.NewScanner(t.Context(), l)
		s.Start()
		began, changes, st := time.Now(), 0, s.State()
		for st.Phase.Running() {
			st, _ = s.Changed(t.Context(), st.N)
			changes++
			if left := time.Duration(20_000-st.Read) * time.Second / 10_000; st.Rate > 0 && (st.Left < left*8/10 || st.Left > left*12/10+2*time.Second) {
				t.Errorf("%v left with %d rows", st.Left, st.Read)
			}
		}
		took := time.Since(began)
		if most := int(took/(250*time.Millisecond)) + 3; changes > most || took > 2500*time.Millisecond {
			t.Errorf("%d changes in %v", changes, took)
		}
	})
}
