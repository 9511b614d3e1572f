package journal_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
)

// latencies are how long something took each time.
type latencies struct {
	mu  sync.Mutex
	all []time.Duration
}

func (l *latencies) add(began time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, time.Since(began))
}

func (l *latencies) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.all)
	if len(l.all) == 0 {
		return "none"
	}
	of := func(share float64) time.Duration {
		return l.all[int(share*float64(len(l.all)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("%d, p50 %v, p99 %v, most %v", len(l.all), of(0.5), of(0.99), of(1))
}

// A desk is one of many consoles: it records payments, and reads again what others have changed as a console does.
type desk struct {
	*journal.Journal
	*recording
	begins, ends, reads *latencies
	failed              *atomic.Int64
}

// record records a payment that succeeds.
func (d desk) record(ctx context.Context, t testing.TB, a ledger.Attempt, ref string) {
	began := time.Now()
	a, err := d.Begin(ctx, a, ledger.Payer{Email: ref + "@example.org"}, nil)
	d.begins.add(began)
	if err == nil {
		began = time.Now()
		err = d.End(ctx, a.ID, accepted(ref, "SUCCESSFUL"))
		d.ends.add(began)
	}
	if err != nil {
		if d.failed.Add(1) < 5 {
			t.Log(err)
		}
	}
}

// follow reads again what others have changed, at most once a second.
func (d desk) follow(ctx context.Context) {
	changes := make(chan struct{}, 1)
	go d.Follow(ctx, func() {
		select {
		case changes <- struct{}{}:
		default:
		}
	})
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		select {
		case <-changes:
			began := time.Now()
			_, _ = d.Unfinished(ctx, here)
			_, _ = d.Pins(ctx, here)
			_, _ = d.Recent(ctx, here, 20)
			d.reads.add(began)
		default:
		}
	}
}

// fiftyConsoles records twenty payments a second by fifty consoles together.
func fiftyConsoles(t *testing.T, c postgres.Config, o journal.Options, lasts time.Duration) {
	const consoles, rate = 50, 20
	d := desk{begins: new(latencies), ends: new(latencies), reads: new(latencies), failed: new(atomic.Int64)}
	ctx, stop := context.WithTimeout(t.Context(), lasts)
	defer stop()
	var all sync.WaitGroup
	var recorded, tries atomic.Int64
	for k := range consoles {
		all.Go(func() {
			d := d
			o := o
			o.Dir, o.Operator = t.TempDir(), ledger.Operator{User: fmt.Sprint("user", k), Host: fmt.Sprint("desk", k)}
			d.Journal, d.recording = open(t, c, o)
			go d.follow(ctx)
			tick := time.NewTicker(time.Second * consoles / rate)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					n := recorded.Add(1)
					a := initiation(t, time.Now().UnixMicro())
					a.Destination = here
					d.record(t.Context(), t, a, fmt.Sprintf("FIFTY%d", n))
				case <-ctx.Done():
					tries.Add(d.writes.Load() - d.done.Load())
					return
				}
			}
		})
	}
	all.Wait()
	j, _ := open(t, c, o)
	p, err := j.Find(t.Context(), journal.Filter{Service: here, Query: asks("reference:FIFTY* status:successful")}, journal.Search{}, 0, 1)
	for err == nil && !p.Complete {
		p, err = j.Find(t.Context(), journal.Filter{Service: here, Query: asks("reference:FIFTY* status:successful")}, p.Search, p.Count, 1)
	}
	noError(t, err)
	t.Logf("%d consoles, %v: %.1f payments a second; begin %v; end %v; reading again %v; %d transactions were repeated", consoles, lasts,
		float64(recorded.Load())/lasts.Seconds(), d.begins, d.ends, d.reads, tries.Load())
	if d.failed.Load() != 0 || int64(p.Count) != recorded.Load() {
		t.Errorf("%d recorded, %d failed, %d are there", recorded.Load(), d.failed.Load(), p.Count)
	}
}

// purgeBesideOthers deletes what is older than 300 days while a console records.
func purgeBesideOthers(t *testing.T, c postgres.Config, o journal.Options) {
	d := desk{begins: new(latencies), ends: new(latencies), reads: new(latencies), failed: new(atomic.Int64)}
	d.Journal, d.recording = open(t, c, o)
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() {
		for n := time.Now().UnixMicro(); ctx.Err() == nil; n++ { // an amount is not sent twice
			a := initiation(t, n)
			a.Destination = here
			d.record(t.Context(), t, a, fmt.Sprintf("BESIDE%d", n))
		}
	})
	purger, batches := open(t, c, o)
	batches.timed = new(latencies)
	began := time.Now()
	done, err := purger.Purge(t.Context(), time.Now().AddDate(0, 0, -300))
	took := time.Since(began)
	stop()
	writing.Wait()
	noError(t, err)
	t.Logf("%d attempts deleted in %v, batches of 1000: %v; beside it begin %v; end %v", done.Attempts, took.Round(time.Millisecond), batches.timed, d.begins, d.ends)
	if d.failed.Load() != 0 {
		t.Errorf("%d payments could not be recorded beside it", d.failed.Load())
	}
}
