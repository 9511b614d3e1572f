package sandbox

import (
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A logRecorder records log lines.
type logRecorder struct {
	mu    sync.Mutex
	lines []string
}

func (n *logRecorder) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

func (n *logRecorder) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lines)
}

var logLine = regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3} (.*) [0-9.]+(ns|µs|ms|s)(.*)$`)

func TestEachRequestIsOneReadableLine(t *testing.T) {
	var log logRecorder
	s := New(Options{Key: testKey, Log: log.add})
	s.Arm("link", "error-500", 1)
	s.Arm("validate", "not-reached", 1)
	ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), "reference", "A1")))
	ask(s, "GET", statusPath+"A1", "")
	ask(s, "GET", checkPath+"A1", "")
	ask(s, "GET", listPath+"?page=2&perPage=4242424242424242", "")
	ask(s, "GET", "/bank/A1?token=secret", "")
	ask(s, "GET", "/pay/0-abc", "")
	ask(s, "POST", makeLinkPath, mustJSON(draft("mug")))
	aborts(func() { ask(s, "POST", validatePath, `{}`) })
	ask(s, "GET", "/4242424242424242", "")
	ask(s, "BREW", listPath, "")
	ask(s, "POST", "/API/payment/pay/Initiate", "{}")
	ask(s, "POST", controlPath+"payments/A1/approve", "")
	ask(s, "POST", controlPath+"A1", "")
	var got []string
	for _, line := range log.all() {
		got = append(got, logLine.ReplaceAllString(line, "$1$3"))
	}
	want := []string{
		"POST /api/payment/pay/initiate 200",
		"GET /api/payment/transactions/{reference} 200",
		"GET /api/payment/pay/get-auth-3ds 200",
		"GET /v1/api/transactions 400",
		"GET /bank/{reference} 404",
		"GET /pay/{alias} 404",
		"POST /api/payment/payment-link 500 fault error-500",
		"POST /api/payment/pay/validate - fault not-reached",
		"GET (nothing here) 404",
		"OTHER /v1/api/transactions 405",
		"POST /api/payment/pay/initiate 422",
		"POST /_sandbox/payments/{reference}/approve 403",
		"POST /_sandbox/(nothing here) 403",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
