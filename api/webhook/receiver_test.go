package webhook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const secretPath = "/hooks/abcdefghijklmnopqrstuvwxyz"

// A box has what a receiver stored.
type box struct {
	mu     sync.Mutex
	header []http.Header
	body   []string
	fails  error
}

func (b *box) keep(_ context.Context, h http.Header, body []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fails != nil {
		return b.fails
	}
	b.header, b.body = append(b.header, h), append(b.body, string(body))
	return nil
}

func (b *box) bodies() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.body)
}

// receive starts a receiver.
func receive(t testing.TB, change func(*ReceiverOptions, *limits)) (*Receiver, *box) {
	t.Helper()
	b := &box{}
	o, l := ReceiverOptions{Address: "127.0.0.1:0", Path: secretPath, keep: b.keep}, defaultLimits()
	l.idle = 100 * time.Millisecond // the connections of a test stay open to its end
	if change != nil {
		change(&o, &l)
	}
	r, err := listen(t.Context(), o, l)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	return r, b
}

func (r *Receiver) host() string {
	return strings.TrimSuffix(strings.TrimPrefix(r.URL(), "http://"), secretPath)
}

func connect(t testing.TB, r *Receiver) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", r.host())
	must(t, err)
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

// answered reads a response and checks that it tells nothing. Status 0 means that none came.
func answered(t testing.TB, c net.Conn) http.Response {
	t.Helper()
	a, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: "POST"})
	if err != nil {
		return http.Response{}
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	// What net/http rejects by itself has its own fixed text.
	if a.Header.Get("Content-Type") == "" && (len(body) > 0 || err != nil) {
		t.Errorf("HTTP %d has the body %q, %v", a.StatusCode, body, err)
	}
	for name, values := range a.Header {
		if !slices.Contains([]string{"Date", "Content-Length", "Connection", "Allow", "Retry-After", receiverHeader, "Content-Type"}, name) {
			t.Errorf("HTTP %d has the header %s: %q", a.StatusCode, name, values)
		}
	}
	return *a
}

// say sends a request as it is written and returns the status of the response.
func say(t testing.TB, r *Receiver, raw string) int {
	t.Helper()
	c := connect(t, r)
	go io.WriteString(c, raw)
	return answered(t, c).StatusCode
}

func post(body string, header ...string) string {
	return "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(header, "") +
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func TestAnEventIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	r, b := receive(t, nil)
	kinds := []string{"application/json", "multipart/form-data; boundary=x", "\xff", ""}
	bodies := []string{`{"Event":"PaymentSuccessful"}`, "not JSON", "", "a\x00b\xff", strings.Repeat("x", 64<<10)}
	for _, kind := range kinds {
		for _, body := range bodies {
			if status := say(t, r, post(body, "Content-Type: "+kind+"\r\n", "X-Twice: 1\r\nX-Twice: 2\r\n")); status != 200 {
				t.Fatalf("%q of %d bytes: HTTP %d", kind, len(body), status)
			}
			i := len(b.body) - 1
			if b.body[i] != body || b.header[i].Get("Content-Type") != kind || len(b.header[i]["X-Twice"]) != 2 {
				t.Errorf("%q %q became %v %q", kind, body, b.header[i], b.body[i])
			}
		}
	}
	chunks := "3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\nX-End: 1\r\n\r\n"
	if status := say(t, r, "POST "+secretPath+"?from=a&b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"+chunks); status != 200 || b.body[len(b.body)-1] != `{"a":1}` {
		t.Errorf("HTTP %d, %q", status, b.body)
	}
	if got := r.Counts(); got != (Counts{Kept: int64(len(kinds)*len(bodies) + 1)}) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNotAnEventIsRejected(t *testing.T) {
	t.Parallel()
	r, b := receive(t, nil)
	upper := strings.ToUpper(secretPath)
	for _, c := range []struct {
		name, raw string
		want      int
		rejected  int64
	}{
		{"another path", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 404, 1},
		{"a shorter path", "POST " + secretPath[:len(secretPath)-1] + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 404, 1},
		{"upper case", "POST " + upper + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 404, 1},
		{"dots", "POST /x/.." + secretPath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 404, 1},
		{"an escaped path", "POST /hooks/%61" + secretPath[8:] + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 404, 1},
		{"a probe", "GET " + secretPath + " HTTP/1.1\r\nHost: x\r\n\r\n", 405, 0},
		{"another method", "PUT " + secretPath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1", 405, 1},
		{"a preflight", "OPTIONS " + secretPath + " HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", 405, 1},
		{"too large", post(strings.Repeat("x", 64<<10+1)), 413, 1},
		{"too large in chunks", "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1000\r\n"+strings.Repeat("x", 4096)+"\r\n", 17), 413, 1},
		{"a bad chunk", "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, 1},
		{"two lengths", "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1", 400, 0},
		{"an unknown encoding", "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: <script>\r\n\r\n", 501, 0},
		{"no host", "POST " + secretPath + " HTTP/1.1\r\nContent-Length: 1\r\n\r\n1", 400, 0},
		{"long headers", post("1", "X-Long: "+strings.Repeat("a", 17<<10)+"\r\n"), 431, 0},
		{"no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, 0},
	} {
		before := r.Counts().Rejected
		if status := say(t, r, c.raw); status != c.want || r.Counts().Rejected-before != c.rejected {
			t.Errorf("%s: HTTP %d, %d counted", c.name, status, r.Counts().Rejected-before)
		}
	}
	if got := b.bodies(); len(got) > 0 || r.Counts().Kept != 0 {
		t.Errorf("kept: %q", got)
	}
}

func TestWhatCannotBeStoredIsAnswered503(t *testing.T) {
	t.Parallel()
	panics := false
	b := &box{fails: errors.New("the disk is full: 4242424242424242")}
	r, _ := receive(t, func(o *ReceiverOptions, _ *limits) {
		o.keep = func(ctx context.Context, h http.Header, body []byte) error {
			if panics {
				panic("a card number")
			}
			return b.keep(ctx, h, body)
		}
	})
	if status := say(t, r, post("1")); status != 503 {
		t.Errorf("HTTP %d", status)
	}
	panics = true
	if status := say(t, r, post("2")); status != 503 {
		t.Errorf("a panic: HTTP %d", status)
	}
	panics = false
	b.fails = nil
	if status := say(t, r, post("3")); status != 200 {
		t.Errorf("afterwards: HTTP %d", status)
	}
	if got := r.Counts(); got != (Counts{Kept: 1, Failed: 2}) {
		t.Errorf("%+v", got)
	}
}

// A disk that stalls ends in 503, whether or not the sender waits; what came completely is stored when it has left.
func TestADiskThatStallsIsAnswered503(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	r, _ := receive(t, func(o *ReceiverOptions, l *limits) {
		l.keep = 50 * time.Millisecond
		o.keep = func(ctx context.Context, _ http.Header, _ []byte) error {
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}
	})
	if status := say(t, r, post("1")); status != 503 {
		t.Errorf("HTTP %d", status)
	}
	<-ended
	c := connect(t, r)
	io.WriteString(c, post("2"))
	c.Close()
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
}

func FuzzReceiver(f *testing.F) {
	f.Add([]byte(post(`{"Event":"payment.success"}`, "Content-Type: application/json\r\n")))
	f.Add([]byte("POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"))
	f.Add([]byte("GET " + secretPath + " HTTP/1.0\r\n\r\n"))
	f.Add([]byte(post("\x1b]0;x\x07<script>\u202e", "User-Agent: <script>\xff\r\n", "Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n")))
	r, _ := receive(f, nil)
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := connect(t, r)
		before := r.Counts().Kept
		go func() {
			c.Write(raw)
			c.(*net.TCPConn).CloseWrite()
		}()
		status := answered(t, c).StatusCode
		if kept := r.Counts().Kept > before; status == 200 && !kept || kept && !bytes.Contains(raw, []byte(secretPath)) {
			t.Errorf("HTTP %d, kept: %v", status, kept)
		}
	})
}

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "example.com:0", "localhost.example:0", "[::ffff:192.0.2.1]:0"} {
		_, err := listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath}, defaultLimits())
		if !errors.Is(err, ErrNotLoopback) || !strings.Contains(err.Error(), "--insecure-any-address") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:65536", "::1:80"} {
		_, err := listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath, AnyAddress: true}, defaultLimits())
		if !errors.Is(err, ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, path := range []string{"", "/", "/hooks/", "/hooks/short", secretPath + "x"} {
		if _, err := listen(t.Context(), ReceiverOptions{Address: "127.0.0.1:0", Path: path}, defaultLimits()); err == nil {
			t.Errorf("the path %q is taken", path)
		}
	}
	for address, any := range map[string]bool{"localhost:0": false, "LOCALHOST:0": false, "[::ffff:127.0.0.1]:0": false, "0.0.0.0:0": true} {
		r, err := listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath, AnyAddress: any, keep: (&box{}).keep}, defaultLimits())
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if status := say(t, r, post("1")); status != 200 || !strings.HasPrefix(r.URL(), "http://127.") {
			t.Errorf("%s: %s, HTTP %d", address, r.URL(), status)
		}
		r.Close()
	}
}

func TestAnAddressInUseTellsByWhom(t *testing.T) {
	t.Parallel()
	r, _ := receive(t, nil)
	for path, ours := range map[string]bool{secretPath: true, "/hooks/zbcdefghijklmnopqrstuvwxyz": false} {
		_, err := listen(t.Context(), ReceiverOptions{Address: r.host(), Path: path}, defaultLimits())
		used, is := errors.AsType[*InUse](err)
		if !is || used.Ours != ours || used.Address != r.host() || !strings.Contains(err.Error(), r.host()) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := r.Counts(); got.Rejected != 1 {
		t.Errorf("of a probe with the right path and one with another: %+v", got)
	}
}

func TestRequestsUnderWayAreAnsweredBeforeTheEnd(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}), make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	r, err := listen(ctx, ReceiverOptions{Address: "127.0.0.1:0", Path: secretPath, keep: func(ctx context.Context, _ http.Header, _ []byte) error {
		begun <- struct{}{}
		<-end
		return ctx.Err()
	}}, defaultLimits())
	must(t, err)
	silent := []net.Conn{connect(t, r), connect(t, r)}
	status := make(chan int)
	for range 2 {
		go func() { status <- say(t, r, post("1")) }()
		<-begun
	}
	leave() // its context, in place of Close
	<-r.server.Done()
	for range 2 {
		end <- struct{}{}
		if got := <-status; got != 200 {
			t.Errorf("HTTP %d", got)
		}
	}
	if err := r.Close(); err != nil {
		t.Errorf("the end: %v", err)
	}
	for _, c := range silent {
		if n, err := c.Read(make([]byte, 1)); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a connection stays: %v", err)
		}
	}
	if c, err := net.Dial("tcp", r.host()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

func TestATunnelLineCanBePasted(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:8425":         "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST",
		"0.0.0.0:8425":           "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST",
		"[::1]:8425":             "ssh -N -R '127.0.0.1:8425:[::1]:8425' HOST",
		"[fe80::1%$(reboot)]:80": "ssh -N -R '127.0.0.1:80:[fe80::1]:80' HOST",
		"127.0.0.1:80;reboot":    "",
	} {
		if got := TunnelLine(address); got != want {
			t.Errorf("%q: %q", address, got)
		}
	}
}
