package listing_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
)

const benchKey = "sk_test_bench01"

type secret string

func (s secret) Expose() string { return string(s) }

// served is a sandbox over loopback, with so many rows, and a client of it.
func served(tb testing.TB, n int) (*httptest.Server, *api.Client) {
	s := httptest.NewServer(sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: n}))
	tb.Cleanup(s.Close)
	return s, clientAt(tb, s.URL)
}

func clientAt(tb testing.TB, url string) *api.Client {
	c, err := api.New(api.Config{BaseURL: url, ListURL: url, Key: secret(benchKey)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// clientOf is a client of a service over loopback.
func clientOf(tb testing.TB, service http.Handler) *api.Client {
	s := httptest.NewServer(service)
	tb.Cleanup(s.Close)
	return clientAt(tb, s.URL)
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

// fetched asks for pages with nothing but net/http, four at once, and discards them.
func fetched(tb testing.TB, s *httptest.Server, pages int) {
	numbers := make(chan int)
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	defer client.CloseIdleConnections()
	for range listing.MostAtOnce {
		all.Go(func() {
			for n := range numbers {
				r, err := http.NewRequestWithContext(context.Background(), "GET", fmt.Sprintf("%s/v1/api/transactions?page=%d&perPage=100", s.URL, n), nil)
				if err != nil {
					tb.Error(err)
					return
				}
				r.Header.Set(sandbox.KeyHeader, benchKey)
				a, err := client.Do(r)
				if err != nil {
					tb.Error(err)
					return
				}
				io.Copy(io.Discard, a.Body)
				a.Body.Close()
			}
		})
	}
	for n := range pages {
		numbers <- n + 1
	}
	close(numbers)
	all.Wait()
}

const benchRows = 100_000

// BenchmarkBareClient is what the sandbox needs to serve the list.
func BenchmarkBareClient(b *testing.B) {
	s, _ := served(b, benchRows)
	began := processorTime()
	for b.Loop() {
		fetched(b, s, benchRows/100)
	}
	b.ReportMetric(float64((processorTime()-began).Milliseconds())/float64(b.N), "cpu-ms/op")
}

// BenchmarkScan is a scan of the same list.
func BenchmarkScan(b *testing.B) {
	_, c := served(b, benchRows)
	b.ReportAllocs()
	began := processorTime()
	for b.Loop() {
		s := listing.NewScanner(b.Context(), c)
		s.Start()
		if st := done(b, s); st.Rows.Len() != benchRows || !st.Verdict.Trusted {
			b.Fatalf("%+v", st)
		}
	}
	b.ReportMetric(float64((processorTime()-began).Milliseconds())/float64(b.N), "cpu-ms/op")
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
