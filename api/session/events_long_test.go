package session_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/webhook"
)

// recordings are how long the journal took to record payments, one after the other, until done.
func recordings(t *testing.T, j *journal.Journal, n int, done <-chan struct{}) (took []time.Duration) {
	for i := range n {
		select {
		case <-done:
			return took
		default:
		}
		a := journal.Attempt{
			Kind: journal.Finalize, Destination: journal.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"},
			Reference: api.Reference(fmt.Sprint("REF", n, "-", i)),
		}
		began := time.Now()
		if _, err := j.Begin(t.Context(), a, journal.Payer{}, nil); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	return took
}

func percentile(of []time.Duration, p int) time.Duration {
	slices.Sort(of)
	return of[len(of)*p/100]
}

// flood posts events at a rate from 20 connections.
func flood(t *testing.T, url string, n, perSecond int) {
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	work := make(chan int)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for i := range work {
				body := fmt.Appendf(nil, `{"Event":"payment.success","Data":{"Reference":"R%d","Amount":12.5,"Currency":"GBP","PaymentStatus":"SUCCESSFUL"}}`, i)
				answer, err := http.Post(url, "application/json", bytes.NewReader(body))
				if err != nil || answer.StatusCode != 200 {
					t.Error(answer, err)
					return
				}
				answer.Body.Close()
			}
		})
	}
	for i := range n {
		<-tick.C
		work <- i
	}
	close(work)
	all.Wait()
}

// TestFiguresOfAFlood prints how long the journal takes to record a payment while 500 events a second arrive, are stored
// and asked about. With PAYDESK_LONG=1.
func TestFiguresOfAFlood(t *testing.T) {
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("takes a minute")
	}
	dir := t.TempDir() + "/state"
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	alone := recordings(t, j, 1000, nil)
	store := webhook.New(webhook.Options{Dir: dir})
	defer store.Close()
	path := must(webhook.Path(dir, "shop"))
	r := must(webhook.Listen(t.Context(), webhook.ReceiverOptions{Address: "127.0.0.1:0", Path: path, Keep: func(ctx context.Context, h http.Header, body []byte) error {
		_, err := store.Keep(ctx, "shop", h, body)
		return err
	}}))
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var verifying sync.WaitGroup
	verifying.Go(func() {
		_ = webhook.Verify(ctx, store, "shop", asker(func(api.Reference) webhook.Answer {
			time.Sleep(time.Second) // sixteen at once are more than the scheduler would let pass
			return webhook.Answer{At: time.Now(), Status: api.ParseStatus("SUCCESSFUL")}
		}))
	})
	done := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(done)
		flood(t, r.URL(), 10_000, 500)
	}()
	meanwhile := recordings(t, j, 1_000_000, done)
	t.Logf("10,000 events in %s, %+v", time.Since(began).Round(time.Millisecond), r.Counts())
	for _, p := range []int{50, 95, 99} {
		t.Logf("p%d of a payment's begin: %s alone, %s in the flood", p, percentile(alone, p), percentile(meanwhile, p))
	}
	cancel()
	verifying.Wait()
	f := must(store.Find(t.Context(), webhook.Search{Profile: "shop", Limit: 1}))
	if f.Total != 10_000 {
		t.Errorf("%d events", f.Total)
	}
}
