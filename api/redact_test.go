package api_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestACardNumberInARowIsHidden(t *testing.T) {
	c, _ := newClient(t, answer(`{"status":true,"data":[{"id":"a1","amount":100,"currency":"GBP","status":"PENDING","narration":"my card 4242 4242 4242 4242 thanks"}],"meta":{"page":1,"pageCount":1,"total":1,"perPage":20,"skipped":0}}`))
	p, err := c.Transactions(t.Context(), 1, 20)
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
		c, _ := newClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if body[0] != '{' {
				w.Header().Set("Content-Type", "text/html")
			}
			io.WriteString(w, body)
		}))
		f, err := c.Finalize(t.Context(), "REF1")
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
	c, _ := newClient(t, answer(`{"status":true,"data":[{"id":"`+number+`","amount":`+number+`,"currency":"GBP","status":"PENDING"}],"meta":{"page":1,"pageCount":1,"total":1}}`))
	p, err := c.Transactions(t.Context(), 1, 20)
	if err != nil || p.Rows[0].ID.String() != number || p.Rows[0].Raw.String() != number {
		t.Errorf("%+v: %v", p.Rows, err)
	}
}

// TestAnEncodedCardNumberOfAnEarlierRunIsHidden has a client that never had the number: it was sent before
// a restart, or by another console.
func TestAnEncodedCardNumberOfAnEarlierRunIsHidden(t *testing.T) {
	const number = "4242424242424242"
	for how, encoded := range map[string]string{
		"hex": hex.EncodeToString([]byte(number)), "base64": base64.StdEncoding.EncodeToString([]byte(number)), "percent": percent(number),
		"base64 of more": base64.RawURLEncoding.EncodeToString([]byte(`{"n":"` + number + `"}`)),
	} {
		c, _ := newClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodPost {
				fmt.Fprintf(w, `{"isSuccess":true,"message":%[1]q,"value":{"status":"completed %[1]s","message":%[1]q}}`, encoded)
				return
			}
			fmt.Fprintf(w, `{"isSuccess":true,"value":{"paymentReference":%[1]q,"paymentStatus":"X %[1]s","amount":{"currencyCode":"X %[1]s","amount":1}}}`, encoded)
		}))
		got, err := c.Transaction(t.Context(), "REF1")
		f, err2 := c.Finalize(t.Context(), "REF1")
		neverShows(t, everything(got, err)+everything(f, err2), number, how)
		if got.Status.Text.String() != "X <pan …4242>" || !strings.Contains(fmt.Sprint(err2), "the status completed <pan …4242>") {
			t.Errorf("%s: %q, %v", how, got.Status.Text, err2)
		}
	}
}
