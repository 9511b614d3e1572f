package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"paydesk/api"
)

func TestACardNumberInARowIsHidden(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"status":true,"data":[{"id":"a1","amount":100,"currency":"GBP","status":"PENDING","narration":"my card 4242 4242 4242 4242 thanks"}],"meta":{"page":1,"pageCount":1,"total":1,"perPage":20,"skipped":0}}`)
	}))
	defer server.Close()
	p, err := client(t, api.Config{BaseURL: server.URL, ListURL: server.URL}).Transactions(t.Context(), 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(p.Rows[0].Object.Block(200, 50), "\n")
	if strings.Contains(shown, "4242 4242") || !strings.Contains(shown, "<pan …4242>") {
		t.Error(shown)
	}
}

// TestACardNumberInAMessageIsHidden has the service, a payer or a gateway quote a card number in
// free text.
func TestACardNumberInAMessageIsHidden(t *testing.T) {
	const quoted = "card 5555 5555 5555 4444 was declined"
	answers := map[string]string{
		"a message":     `{"isSuccess":true,"value":{"status":"completed","message":"` + quoted + `"}}`,
		"a status":      `{"isSuccess":true,"value":{"status":"` + quoted + `"}}`,
		"a reason":      `{"isSuccess":false,"failures":["` + quoted + `"],"value":null}`,
		"no JSON":       "<html>" + quoted,
		"an odd answer": strings.Repeat("=", 505) + quoted, // the number is where the excerpt ends
	}
	for name, body := range answers {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if body[0] != '{' {
				w.Header().Set("Content-Type", "text/html")
			}
			io.WriteString(w, body)
		}))
		f, err := client(t, api.Config{BaseURL: server.URL, ListURL: server.URL}).Finalize(t.Context(), "REF1")
		server.Close()
		shown := strings.Join([]string{f.Status.String(), f.Message.String()}, " ")
		if err != nil {
			shown = err.Error()
			for _, line := range describeError(err) {
				shown += line
			}
		}
		if strings.Contains(shown, "5555 5555") || name != "an odd answer" && !strings.Contains(shown, "4444>") {
			t.Errorf("%s: %s", name, shown)
		}
	}
}

func TestIdentifiersAreShownUnchanged(t *testing.T) {
	const number = "4111111111111111" // one number in ten of this length passes for a card's
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"status":true,"data":[{"id":"`+number+`","amount":`+number+`,"currency":"GBP","status":"PENDING"}],"meta":{"page":1,"pageCount":1,"total":1}}`)
	}))
	defer server.Close()
	p, err := client(t, api.Config{BaseURL: server.URL, ListURL: server.URL}).Transactions(t.Context(), 1, 20)
	if err != nil || p.Rows[0].ID.String() != number || p.Rows[0].Raw.String() != number {
		t.Errorf("%+v: %v", p.Rows, err)
	}
}
