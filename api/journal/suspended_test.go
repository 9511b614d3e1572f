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
// the payment again. The clock is looked at once more when the body is about to leave: connecting takes time, and a process
// may be stopped meanwhile.
func TestNothingIsSentLaterThanOthersExpect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recorded, body time.Duration
		sent           int32
	}{{time.Second, time.Second, 1}, {0, 15 * time.Second, 1}, {0, 11 * time.Minute, 0}, {0, 12 * time.Minute, 0}, {time.Hour, 0, 0}} {
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
		j := New(Options{})
		defer j.Close()
		rec := NewRecorder(next, j, ledger.Destination{}, nil, false)
		times := []time.Duration{0, c.recorded, c.body}
		rec.now = func() time.Time { now := time.Unix(0, 0).Add(times[0]); times = times[1:]; return now }
		_, err = rec.Finalize(t.Context(), "A1")
		if arrived.Load() != c.sent || errors.Is(err, errSuspended) != (c.sent == 0) || (api.OutcomeOf(err) == api.OutcomeNotSent) != (c.sent == 0) {
			t.Errorf("%+v: %d arrived, %v", c, arrived.Load(), err)
		}
	}
}

type textKey string

func (k textKey) Expose() string { return string(k) }

func TestAnOperationWithoutARuleIsNotSent(t *testing.T) {
	t.Parallel()
	j := New(Options{})
	defer j.Close()
	sent := false
	_, err := record(t.Context(), NewRecorder(nil, j, ledger.Destination{}, nil, false), "Unheard", ledger.Attempt{}, ledger.Payer{},
		func(context.Context, ledger.ID) (int, error) { sent = true; return 0, nil }, func(int) ledger.Result { return ledger.Result{} })
	if !errors.Is(err, api.ErrNotSent) || sent {
		t.Errorf("%v, sent %v", err, sent)
	}
}
