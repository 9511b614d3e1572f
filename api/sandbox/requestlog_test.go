package sandbox

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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

// The log never contains a card number or the key, wherever the request has them.
func TestTheLogHoldsNoCardAndNoKey(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var log logRecorder
		s := New(Options{Key: testKey, Log: log.add})
		number := drawNumber(r)
		secret := rapid.SampledFrom([]string{number, testKey, "987"}).Draw(r, "secret")
		field := rapid.SampledFrom([]string{"paymentRequestProps.card.number", "paymentRequestProps.card.cvv", "narration", "reference", "channel"}).Draw(r, "field")
		ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), field, secret)))
		for _, path := range []string{
			"/" + secret, initiatePath + "/" + secret, statusPath + secret, checkPath + secret, listPath + "?page=" + secret, listPath + "?" + secret + "=1",
			bankPath + secret, linkPath + secret, controlPath + secret, controlPath + "payments/" + secret + "/approve", controlPath + "?" + secret,
		} {
			ask(s, rapid.SampledFrom([]string{"GET", "POST", "M" + strings.ReplaceAll(secret, "_", "")}).Draw(r, "method"), path, secret)
		}
		lines := log.all()
		if len(lines) != 12 {
			r.Fatalf("%d lines", len(lines))
		}
		for _, line := range lines {
			plain := logLine.ReplaceAllString(line, "$1$3") // without times, which are digits
			if strings.Contains(plain, secret) || strings.Contains(plain, number) {
				r.Fatalf("the log line is %s", line)
			}
		}
	})
}
