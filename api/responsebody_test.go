package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"paydesk/api"
)

func TestABodyOfExactlyTheLimitIsRead(t *testing.T) {
	fill := func(size int) http.Handler {
		body := `{"isSuccess":true,"value":{"status":"completed","message":""}}`
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, body+strings.Repeat(" ", size-len(body)))
		})
	}
	for _, test := range []struct {
		operation string
		limit     int
	}{{"finalize", 256 << 10}, {"transaction", 256 << 10}, {"validate", 256 << 10}, {"authenticate", 512 << 10}} {
		c, _ := newClient(t, fill(test.limit))
		if err := try(t.Context(), c, test.operation); err != nil {
			t.Errorf("%s of %d bytes: %v", test.operation, test.limit, err)
		}
		c, _ = newClient(t, fill(test.limit+1))
		if err := try(t.Context(), c, test.operation); kindOf(err) != api.KindTooLarge {
			t.Errorf("%s of %d bytes: %v", test.operation, test.limit+1, err)
		}
	}
}
