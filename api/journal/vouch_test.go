package journal_test

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
)

// A wire answers every request with a status, and counts them.
type wire struct{ requests int }

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.requests++
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	const body = `{"isSuccess":true,"value":{"paymentReference":"x","paymentStatus":"PENDING","status":"completed"}}`
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// A reference that passes for a card number is sent after a restart only where the journal has it as
// that of a payment.
func TestTheJournalVouchesForItsOwnReferencesAlone(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted(typedPAN, "PENDING"))
	w := &wire{}
	const origin = "https://pay.example.com"
	client, err := api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key("sk_test_vouch"), Transport: w})
	noError(t, err)
	rec := journal.NewRecorder(client, j, shop, nil, false)
	for _, c := range []struct {
		name string
		call func(api.Reference) error
	}{
		{"finalize", func(r api.Reference) error { _, err := rec.Finalize(t.Context(), r); return err }},
		{"authenticate", func(r api.Reference) error { _, err := rec.Authenticate(t.Context(), r); return err }},
		{"status", func(r api.Reference) error { _, err := rec.Transaction(t.Context(), r); return err }},
	} {
		name, call := c.name, c.call
		w.requests = 0
		if err := call(typedPAN); w.requests != 1 {
			t.Errorf("%s: the journal's own reference was sent %d times, %v", name, w.requests, err)
		}
		w.requests = 0
		if err := call("4242424242424242"); w.requests != 0 || err == nil {
			t.Errorf("%s: a card number was sent %d times, %v", name, w.requests, err)
		}
	}
}
