package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/output"
)

// A sale is a command that collects a payment, and its input.
type sale struct {
	card string
	args []string
}

// byCardOf is a payment in GBP with a test card. Two of one amount look like duplicates.
func byCardOf(card string, minor int64) sale {
	amount := fmt.Sprintf("%d.%02d", minor/100, minor%100)
	return sale{card, byCard("--currency", "GBP", "--amount", amount, "--return-url", "https://shop.example/back")}
}

// aTransfer is a transfer of 4,000.00 NGN.
func aTransfer() sale { return sale{"", byTransfer("--yes")} }

// made initiates a payment, and returns its reference.
func made(h *clitest.Host, s sale) string {
	h.T.Helper()
	r := h.RunWith(s.card, with(s.args, "--no-wait", "--json")...)
	return read[output.Initiated](clitest.Result{T: h.T, Out: lines(r)[0]}).Reference
}

// hasMade checks how many payments the service has.
func hasMade(h *clitest.Host, payments int) {
	h.T.Helper()
	if n := len(h.Sandbox.Payments()); n != payments {
		h.T.Errorf("%d payments were made, not %d", n, payments)
	}
}

// through makes a server that is between paydesk and the sandbox the service of the profile.
func through(h *clitest.Host, serve http.HandlerFunc) {
	h.T.Helper()
	s := httptest.NewServer(serve)
	h.T.Cleanup(s.Close)
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", s.URL, s.URL))
}

// rewritten answers as the sandbox does, with another text.
func rewritten(h *clitest.Host, w http.ResponseWriter, r *http.Request, change func(string) string) {
	answer := httptest.NewRecorder()
	h.Sandbox.ServeHTTP(answer, r)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.Code)
	io.WriteString(w, change(answer.Body.String()))
}

// between changes the answers to initiations, also where no command waits for them any more. It returns how many there were.
func between(h *clitest.Host, change func(string) string) *atomic.Int64 {
	h.T.Helper()
	var sent atomic.Int64
	through(h, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pay/initiate") {
			h.Sandbox.ServeHTTP(w, r)
			return
		}
		sent.Add(1)
		rewritten(h, w, r, change)
	})
	return &sent
}
