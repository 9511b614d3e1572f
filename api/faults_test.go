package api_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/sandbox"
)

// listen answers each connection with the same bytes, closes it, and counts the requests that arrive whole.
func listen(t *testing.T, answer string) (address string, requests *atomic.Int32) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { ln.Close() })
	requests = new(atomic.Int32)
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				from := bufio.NewReader(c)
				if b, err := from.Peek(1); err == nil && b[0] != tlsHandshake {
					if r, err := http.ReadRequest(from); err == nil {
						io.Copy(io.Discard, r.Body)
						requests.Add(1)
					}
				}
				io.WriteString(c, answer)
			}()
		}
	}()
	return ln.Addr().String(), requests
}

// tlsHandshake is the first byte of a client that speaks TLS.
const tlsHandshake = 22

// The faults of networks and servers that the sandbox does not have, with the outcome of a POST after each.
var faults = []struct {
	name, answer string
	scheme       string // http when empty: else not a byte of a request can have left
	kind         api.Kind
}{
	{"TLS to a plain port", "HTTP/1.1 400 Bad Request\r\n\r\n", "https", api.KindTLS},
	{"closed", "", "", api.KindProtocol},
	{"refusal cut short", "HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"isSuccess\":false}", "", api.KindProtocol},
	{"no chunks", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "", api.KindProtocol},
	{"no HTTP", "SSH-2.0-server\r\n\r\n", "", api.KindProtocol},
	{"switching protocols", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "", api.KindHTTP},
	{"a redirect to a malformed address", "HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: ::%zz\r\n\r\n", "", api.KindProtocol},
}

var (
	writes = []string{"initiate", "link", "finalize"}
	reads  = []string{"validate", "authenticate", "transaction", "transactions"}
)

// A payment is sent at most once, and its outcome is right; a request that changes nothing never ends unresolved.
func TestEveryFaultHasItsOutcomeAndNothingIsSentTwice(t *testing.T) {
	for _, f := range faults {
		for _, operation := range append(writes, reads...) {
			t.Run(f.name+"/"+operation, func(t *testing.T) {
				t.Parallel()
				address, requests := listen(t, f.answer)
				origin := cmp.Or(f.scheme, "http") + "://" + address
				err := try(t.Context(), client(t, api.Config{BaseURL: origin, ListURL: origin, Retries: -1}), operation)
				want := "failure"
				if f.scheme == "" && slices.Contains(writes, operation) {
					want = "unresolved"
				}
				if got := outcomeOf(err); got != want || kindOf(err) != f.kind {
					t.Errorf("%s of kind %d, want %s of kind %d: %v", got, kindOf(err), want, f.kind, err)
				}
				if n := requests.Load(); n > 1 || n > 0 && f.scheme != "" {
					t.Errorf("%d requests arrived", n)
				}
				for _, word := range []string{"failed", "declined", "rejected"} {
					if want == "unresolved" && strings.Contains(err.Error(), word) {
						t.Errorf("an unresolved outcome is called %s: %v", word, err)
					}
				}
				checkNoSecret(t, err)
			})
		}
	}
}

// checkNoSecret fails when an error contains a secret of the request or a URL.
func checkNoSecret(t *testing.T, err error) {
	t.Helper()
	for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err)} {
		for _, hidden := range []string{string(secret), pan, "4242 4242 4242 4242", "127.0.0.1", "http://", "https://", "/api/", "ada@example.com", "Obi"} {
			if strings.Contains(text, hidden) {
				t.Errorf("the error tells %q: %s", hidden, text)
			}
		}
	}
}

func TestCancellingAfterTheConnectionIsMadeLeavesThePaymentUnresolved(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c, place := newClient(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}))
	_, err := c.Initiate(ctx, cardInitiation())
	if !errors.Is(err, api.ErrUnresolved) || kindOf(err) != api.KindCancelled || place.count() != 1 {
		t.Errorf("%d requests, %v", place.count(), err)
	}
}

func TestACallThatWasCancelledBeforeItBeganSendsNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c, place := newClient(t, http.NotFoundHandler())
	for _, operation := range writes {
		if err := try(ctx, c, operation); outcomeOf(err) != "failure" || kindOf(err) != api.KindCancelled {
			t.Errorf("%s: %v", operation, err)
		}
	}
	if place.count() != 0 {
		t.Errorf("%d requests", place.count())
	}
}

// No normal payment is taken for a mismatch, whether the service states its fees and the total, and
// adds them to the amount that it reports later, or not.
func TestNoNormalPaymentIsAMismatch(t *testing.T) {
	s, c := connect(t, sandbox.Options{Seed: 7, Settle: time.Hour})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		extras := []string{"off", "on"}[i%2]
		noError(t, s.SetSwitch("initiate.extras", extras))
		in := payment()
		in.Amount.Minor = 100 + random.Int64N(1_000_000)
		p, err := c.Initiate(t.Context(), in)
		if err != nil || !p.Difference.IsZero() || p.Fees.Minor == 0 || (p.Total.Minor > 0) != (extras == "on") {
			t.Fatalf("%v: %+v: %v", in.Amount, p, err)
		}
		s.Settle(string(p.Reference))
		now, err := c.Transaction(t.Context(), p.Reference)
		noError(t, err)
		asked := api.Asked{Reference: p.Reference, Amount: in.Amount, Fees: p.Fees, Total: p.Total, Status: now.Status}
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v: %s", in.Amount, d.Words(asked))
		}
		if d := now.Compare(api.Asked{Reference: p.Reference, Amount: in.Amount}); !d.IsZero() {
			t.Fatalf("%v without stated fees: %s", in.Amount, d.What)
		}
		now.Amount.Minor += p.Fees.Minor
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v with fees: %s", in.Amount, d.Words(asked))
		}
		if now.Amount.Minor++; now.Compare(asked).What != api.AmountDiffers {
			t.Fatalf("%v: one minor unit more than the fees is no mismatch", in.Amount)
		}
	}
}
