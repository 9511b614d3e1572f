package session_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/session"
)

// A slow service answers a payment when it is let.
type slow struct {
	api.Service
	answer chan struct{}
}

func (s slow) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	<-s.answer
	return s.Service.Initiate(ctx, in)
}

// A completed scan is kept by itself, but not while a payment is being sent.
func TestAScanIsKeptOnceNoPaymentWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := sandbox.New(sandbox.Options{Seed: 7})
		const origin = "https://payments.example"
		client := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(service.Key()), Transport: wire{service}}))
		j := journal.New(journal.Options{})
		defer j.Close()
		remembered := listing.NewMirror(listing.MirrorOptions{})
		defer remembered.Close()
		held := slow{client, make(chan struct{})}
		s := session.Open(t.Context(), session.Options{
			Client: held, Journal: j, Key: key(service.Key()), Mirror: remembered,
			Place: ledger.Destination{Profile: "shop", Environment: "SANDBOX", Host: "payments.example"},
			Gate:  session.GateOptions{Evidence: []session.Evidence{session.WordEvidence(session.ByProfile, "sandbox")}},
		})
		paid := make(chan error)
		go func() {
			_, err := s.Initiate(t.Context(), payment())
			paid <- err
		}()
		synctest.Wait()
		s.Scans.Start()
		time.Sleep(20 * time.Second) // later its body would not leave any more
		synctest.Wait()
		if p := s.Scans.State().Kept; p.Step != listing.Held {
			t.Errorf("a payment is being sent: step %d, %v", p.Step, p.Err)
		}
		close(held.answer)
		if err := <-paid; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if p := s.Scans.State().Kept; p.Step != listing.Kept || !p.Summary.First || p.Summary.Rows != 0 {
			t.Errorf("step %d, %v: %+v", p.Step, p.Err, p.Summary)
		}
	})
}
