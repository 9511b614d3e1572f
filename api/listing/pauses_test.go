package listing_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
)

// A scan that is stopped at any point and goes on has every row once, in the order of the list, and asks for no
// page again that it has read.
func TestAScanGoesOnWhereItStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 5))
		const n = 1_321
		l := &list{rows: rows(n), takes: 10 * time.Millisecond}
		whole := 14 * 10 / 4 * time.Millisecond // about what it takes without a stop
		for stops := range 30 {
			l.change(func() { l.asked = nil })
			s := listing.NewScanner(t.Context(), l)
			s.Start()
			cut := 0
			for range stops%5 + 1 {
				time.Sleep(time.Duration(r.Int64N(int64(whole))))
				before := s.State()
				if r.IntN(2) == 0 {
					s.Pause()
				} else {
					s.Suspend()
				}
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
			st := scanned(t, s)
			if st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != n || st.Verdict.Repeated+st.Verdict.Differing > 0 {
				t.Fatalf("stop %d: %+v", stops, st)
			}
			if !slices.Equal(kept(t, st), l.rows) {
				t.Fatalf("stop %d: the rows differ", stops)
			}
			if len(l.requests()) > 14+1+cut {
				t.Fatalf("stop %d: %d requests", stops, len(l.requests()))
			}
		}
	})
}

// Whoever looks at a list has so many of its rows, with their objects, from no more pages than these take, and all of it in the end.
func TestAListIsReadAsFarAsItIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			n := r.IntN(3_000)
			l := &list{rows: rows(n), takes: 10 * time.Millisecond}
			s := listing.NewScanner(t.Context(), l)
			for wanted := 0; wanted < n+100; {
				wanted += 1 + r.IntN(900)
				s.Read(wanted)
				st := scanned(t, s)
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
			if st := scanned(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || !slices.Equal(kept(t, st), l.rows) {
				t.Fatalf("%d rows: %+v", n, st)
			}
		}
	})
}

func TestAListIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(1_000), takes: 10 * time.Millisecond}
		s := listing.NewScanner(t.Context(), l)
		if st := s.State(); st.Phase != listing.Idle || st.Rows.Len() != 0 {
			t.Errorf("%+v", st)
		}
		s.Start()
		if st := scanned(t, s); st.Phase != listing.Done || st.Rows.Len() != 1_000 {
			t.Errorf("read: %+v", st)
		}
		l.change(func() { l.rows = rows(1_200) })
		old := s.State().Rows
		s.Resume() // there is nothing to go on with
		if st := s.State(); st.Phase != listing.Done {
			t.Errorf("%+v", st)
		}
		s.Again(0)
		if st := scanned(t, s); st.Rows.Len() != 1_200 || !st.Verdict.Trusted || old.Len() != 1_000 {
			t.Errorf("read again: %+v, and %d rows before", st, old.Len())
		}
	})
}

// What was read to its end with a key is not trusted with the next one.
func TestAListReadWithAnotherKeyIsNotTrusted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(1_000)}
		s := listing.NewScanner(t.Context(), l)
		s.KeyReplaced() // nothing was read with it
		if st := s.State(); st.Phase != listing.Idle || st.Stale() {
			t.Errorf("nothing read: %+v", st)
		}
		s.Start()
		if st := scanned(t, s); !st.Verdict.Trusted || st.Stale() {
			t.Fatalf("%+v", st)
		}
		n := s.State().N
		s.KeyReplaced()
		st, err := s.Changed(t.Context(), n)
		if err != nil || st.Phase == listing.Done || !st.Stale() || st.Verdict.Trusted || st.Read != 1_000 {
			t.Errorf("%v: %+v", err, st)
		}
		s.Suspend()
		if !s.State().Stale() {
			t.Error("locking the console makes it current")
		}
		l.change(func() { l.rows = rows(1_500)[1_000:] })
		s.Resume()
		if st := scanned(t, s); !st.Verdict.Trusted || st.Stale() || st.Rows.Len() != 500 {
			t.Errorf("read again: %+v", st)
		}
	})
}

// A list that gets shorter while a page fails leaves nothing behind that was read.
func TestPagesBehindTheNewEndAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(2_000), takes: 10 * time.Millisecond}
		failed := 0
		l.answer = func(page int, honest api.Page) (api.Page, error) {
			if page == 6 && failed < 3 {
				failed++
				return api.Page{}, &api.Failure{Kind: api.KindTimeout}
			}
			if page < 6 {
				honest.Meta.PageCount = 20 - 15*(page/5) // page 5 says that it is the last one
			}
			return honest, nil
		}
		s := listing.NewScanner(t.Context(), l)
		s.Start()
		if st := scanned(t, s); st.Phase != listing.Done || st.Rows.Len() < 500 || st.Rows.Len()%100 != 0 {
			t.Errorf("%+v", st)
		}
	})
}

func TestAScanEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		l := &list{rows: rows(1_000), takes: time.Second}
		s := listing.NewScanner(ctx, l)
		s.Start()
		time.Sleep(1500 * time.Millisecond)
		end()
		synctest.Wait()
		if st := s.State(); st.Phase != listing.Paused || st.Why != listing.ByLock || st.Read != 100 {
			t.Errorf("%+v", st)
		}
		s.Resume()
		synctest.Wait()
		if st := s.State(); st.Phase != listing.Paused || len(l.requests()) > 5 {
			t.Errorf("%+v, %v", st, l.requests())
		}
	})
}

// More pages than the limit are a question, asked once.
func TestAThousandPagesAreAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := rows(2_005)
		l := &list{takes: time.Millisecond, answer: func(page int, _ api.Page) (api.Page, error) { // a page has two rows
			meta := api.Meta{Page: page, PageCount: 1_003, Total: len(all), PerPage: 2}
			return api.Page{HasMeta: true, Meta: meta, Rows: all[min(2*page-2, len(all)):min(2*page, len(all))]}, nil
		}}
		s := listing.NewScanner(t.Context(), l)
		s.Start()
		st := scanned(t, s)
		if st.Phase != listing.Paused || st.Why != listing.AtLimit || st.Read != 2_000 || slices.Max(l.requests()) != 1_000 {
			t.Fatalf("%+v", st)
		}
		s.Resume()
		if st = scanned(t, s); st.Phase != listing.Done || st.Read != 2_005 || !st.Verdict.Trusted {
			t.Errorf("%+v", st)
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
		if st.Phase != listing.Waiting || st.Err == nil || st.Page != 7 || st.Width != 2 || st.Until.Sub(began) < 30*time.Second {
			t.Errorf("%+v", st)
		}
		s.Pause()
		s.Resume() // a person does not shorten the wait
		time.Sleep(29 * time.Second)
		if n := len(l.requests()); n != asked {
			t.Errorf("%d requests in the wait", n-asked)
		}
		if st = scanned(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != 5_000 || st.Width != 4 || st.Err != nil {
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
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &list{rows: rows(2_050), takes: 10 * time.Millisecond}
				troubled(l, 9, 100, tc.err)
				s := listing.NewScanner(t.Context(), l)
				s.Start()
				st := scanned(t, s)
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
				if st = scanned(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || st.Rows.Len() != 2_050 {
					t.Errorf("%+v", st)
				}
			})
		})
	}
}

// A service that lets only two requests be under way at once gets no more, after it has said so, but for a try
// now and then.
func TestAScanFindsTheWidthThatAServiceTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(10_000), takes: 20 * time.Millisecond}
		refused := 0
		l.answer = func(_ int, honest api.Page) (api.Page, error) {
			if l.flying > 2 {
				refused++
				return api.Page{}, &api.Refusal{HTTP: 429}
			}
			return honest, nil
		}
		s := listing.NewScanner(t.Context(), l)
		s.Start()
		if st := scanned(t, s); st.Phase != listing.Done || !st.Verdict.Trusted || refused > 40 {
			t.Errorf("%d of %d refused: %+v", refused, len(l.requests()), st)
		}
	})
}

// Those that wait for a change hear of pages four times a second at most, and of the end at once.
func TestChangesAreShownAtAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &list{rows: rows(20_000), takes: 40 * time.Millisecond}
		s := listing.NewScanner(t.Context(), l)
		s.Start()
		began, changes, st := time.Now(), 0, s.State()
		var rates []int
		for st.Phase.Running() {
			st, _ = s.Changed(t.Context(), st.N)
			changes++
			if st.Rate > 0 {
				rates = append(rates, st.Rate)
				if left := time.Duration(20_000-st.Read) * time.Second / 10_000; st.Left < left*8/10 || st.Left > left*12/10+2*time.Second {
					t.Errorf("%v left with %d rows", st.Left, st.Read)
				}
			}
		}
		took := time.Since(began)
		if most := int(took/(250*time.Millisecond)) + 3; changes > most || took > 2500*time.Millisecond {
			t.Errorf("%d changes in %v", changes, took)
		}
		if len(rates) == 0 || rates[len(rates)/2] < 9_000 || rates[len(rates)/2] > 11_000 {
			t.Errorf("%v rows a second", rates)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		if _, err := s.Changed(ctx, s.State().N); err == nil {
			t.Error("nothing changes any more")
		}
	})
}
