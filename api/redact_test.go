package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"paydesk/api"
)

func TestACardNumberInARowIsNotShown(t *testing.T) {
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
