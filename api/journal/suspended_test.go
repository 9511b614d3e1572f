package journal

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A laptop that is closed between the record and the request must not send when it is opened: a colleague may have sent
// the payment again.
func TestNothingIsSentAfterASuspension(t *testing.T) {
	t.Parallel()
	for slept, sent := range map[time.Duration]bool{time.Second: true, time.Hour: false} {
		store := &fakeStore{}
		sends := &countedService{}
		rec := newRecorder(sends, store, ledger.Destination{}, nil, false)
		times := []time.Time{time.Unix(0, 0), time.Unix(0, 0).Add(slept)}
		rec.now = func() time.Time { now := times[0]; times = times[1:]; return now }
		_, err := rec.CreateLink(t.Context(), api.LinkDraft{})
		if sends.links == 1 != sent || errors.Is(err, api.ErrNotSent) == sent {
			t.Errorf("after %v: sent %d times, %v", slept, sends.links, err)
		}
	}
}

type countedService struct {
	api.Service
	links int
}

func (s *countedService) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	s.links++
	return api.Link{}, nil
}

// The clock is looked at once more when the body is about to leave: connecting takes time, and a process may be stopped
// meanwhile.
func TestNothingIsSentWhenTheBodyIsLate(t *testing.T) {
	t.Parallel()
	for late, sent := range map[time.Duration]int32{15 * time.Second: 1, 11 * time.Minute: 0, 12 * time.Minute: 0} {
		var arrived atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err == nil {
				arrived.Add(1)
			}
			io.WriteString(w, `{"isSuccess":false,"error":"no"}`)
		}))
		defer server.Close()
		next, err := api.New(api.Config{BaseURL: server.URL, ListURL: server.URL, Key: api.Secret(textKey("k"))})
		if err != nil {
			t.Fatal(err)
		}
		defer next.Close()
		store := &fakeStore{}
		rec := newRecorder(next, store, ledger.Destination{}, nil, false)
		times := []time.Time{time.Unix(0, 0), time.Unix(0, 0), time.Unix(0, 0).Add(late)}
		rec.now = func() time.Time { now := times[0]; times = times[1:]; return now }
		_, err = rec.Finalize(t.Context(), "A1")
		if arrived.Load() != sent || errors.Is(err, errSuspended) != (sent == 0) {
			t.Errorf("%v late: %d arrived, %v", late, arrived.Load(), err)
		}
	}
}

type textKey string

func (k textKey) Expose() string { return string(k) }
