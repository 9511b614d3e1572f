package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
)

// A rawConn is a connection to a server that misbehaves below HTTP.
type rawConn struct {
	*net.TCPConn
	r        *bufio.Reader
	requests *atomic.Int32
}

// readRequest reads a whole request and counts it.
func (l *rawConn) readRequest() {
	r, err := http.ReadRequest(l.r)
	if err != nil {
		return
	}
	io.Copy(io.Discard, r.Body)
	l.requests.Add(1)
}

func (l *rawConn) write(s string) error {
	_, err := io.WriteString(l, s)
	return err
}

func (l *rawConn) reset() { l.SetLinger(0) }

// discard keeps the connection until the other side gives up.
func (l *rawConn) discard() { io.Copy(io.Discard, l.r) }

// A signalReader signals the first byte it reads.
type signalReader struct {
	io.Reader
	onRead func()
}

func (e signalReader) Read(p []byte) (n int, err error) {
	if n, err = e.Reader.Read(p); n > 0 {
		e.onRead()
	}
	return n, err
}

// listen handles each connection with behave and counts whole requests. It closes received at the
// first byte of any.
func listen(t *testing.T, behave func(*rawConn)) (address string, requests *atomic.Int32, received <-chan struct{}) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	requests = new(atomic.Int32)
	first := make(chan struct{})
	onRead := sync.OnceFunc(func() { close(first) })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				behave(&rawConn{c.(*net.TCPConn), bufio.NewReader(signalReader{c, onRead}), requests})
			}()
		}
	}()
	return ln.Addr().String(), requests, first
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// respond reads the request and writes a response.
func respond(s string) func(*rawConn) {
	return func(l *rawConn) { l.readRequest(); l.write(s) }
}

// drip writes begin and then spaces, one by one, until the other side is gone.
func drip(begin string) func(*rawConn) {
	return func(l *rawConn) {
		l.readRequest()
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for err := l.write(begin); err == nil; err = l.write(" ") {
			<-ticker.C
		}
	}
}

// The faults of networks and servers that the sandbox does not have, with the outcome of a POST after each. sent is false
// where not a byte of it can have left.
var faults = []struct {
	name   string
	behave func(*rawConn)
	scheme string // http when empty
	sent   bool
	kind   api.Kind
}{
	{name: "TLS to a plain port", scheme: "https", behave: func(l *rawConn) { l.r.Peek(1); l.write("HTTP/1.1 400 Bad Request\r\n\r\n") }, kind: api.KindTLS},
	{name: "TLS and silence", scheme: "https", behave: (*rawConn).discard, kind: api.KindTimeout},
	{name: "TLS and closed", scheme: "https", behave: func(*rawConn) {}, kind: api.KindConnect},
	{name: "accept then close", behave: func(*rawConn) {}, sent: true, kind: api.KindProtocol},
	{name: "a byte, then reset", behave: func(l *rawConn) { l.r.Peek(1); l.reset() }, sent: true, kind: api.KindProtocol},
	{name: "accept and silence", behave: (*rawConn).discard, sent: true, kind: api.KindTimeout},
	{name: "half a head", behave: respond("HTTP/1.1 200 OK\r\nContent-Ty"), sent: true, kind: api.KindProtocol},
	{name: "refusal cut short", behave: respond("HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"isSuccess\":false}"), sent: true, kind: api.KindProtocol},
	{name: "no chunks", behave: respond(head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), sent: true, kind: api.KindProtocol},
	{name: "drip of a head", behave: drip("HTTP/1.1 200 OK\r\nX:"), sent: true, kind: api.KindTimeout},
	{name: "no HTTP", behave: respond("SSH-2.0-server\r\n\r\n"), sent: true, kind: api.KindProtocol},
	{name: "switching protocols", behave: respond("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), sent: true, kind: api.KindHTTP},
	{name: "a redirect to a malformed address", behave: respond("HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: ::%zz\r\n\r\n"), sent: true, kind: api.KindProtocol},
}

// A cancelOn is a context that expires a moment after the server has received a request. For faults
// that never end this is neither too early on a busy machine nor needlessly late.
type cancelOn struct {
	context.Context
	over chan struct{}
}

func (p cancelOn) Done() <-chan struct{} { return p.over }

func (p cancelOn) Err() error {
	select {
	case <-p.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func waitFor(t *testing.T, k api.Kind, received <-chan struct{}) context.Context {
	if k != api.KindTimeout {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		t.Cleanup(stop)
		return ctx
	}
	p := cancelOn{t.Context(), make(chan struct{})}
	go func() {
		defer close(p.over)
		select {
		case <-received:
			<-time.After(50 * time.Millisecond)
		case <-p.Context.Done():
		}
	}()
	return p
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
				address, requests, received := listen(t, f.behave)
				c := client(t, configFor(f.scheme, address))
				err := try(waitFor(t, f.kind, received), c, operation)
				want := "failure"
				if f.sent && slices.Contains(writes, operation) {
					want = "unresolved"
				}
				if got := outcomeOf(err); got != want || kindOf(err) != f.kind {
					t.Errorf("%s of kind %d, want %s of kind %d: %v", got, kindOf(err), want, f.kind, err)
				}
				if n := requests.Load(); n > 1 || n > 0 && !f.sent {
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

func configFor(scheme, address string) api.Config {
	if scheme == "" {
		scheme = "http"
	}
	return api.Config{BaseURL: scheme + "://" + address, ListURL: scheme + "://" + address, Retries: -1}
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
	address, requests, _ := listen(t, func(l *rawConn) { l.readRequest(); stop(); l.discard() })
	_, err := client(t, configFor("", address)).Initiate(ctx, cardInitiation())
	if !errors.Is(err, api.ErrUnresolved) || kindOf(err) != api.KindCancelled || requests.Load() != 1 {
		t.Errorf("%d requests, %v", requests.Load(), err)
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
