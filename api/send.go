package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The bounds of an exchange.
const (
	ReadLimit        = 20 * time.Second // a GET, including its retries
	answerTime       = 5 * time.Second  // kept of ReadLimit for the answer, after a wait that the service asked for
	postLimit        = 90 * time.Second // a shorter one would leave more outcomes unknown
	smallBody        = 256 << 10
	pageBody         = 512 << 10 // the authentication check returns markup
	listBody         = 2 << 20
	errorBody        = 64 << 10 // a response that is not a 2xx
	maxInformational = 5        // 1xx responses before the real one
	excerptSize      = 512
)

// A request is one request to be sent.
type request struct {
	origin   *url.URL // c.base or c.list
	path     string   // escaped, with its query
	body     []byte   // nil for a GET; wiped after the exchange
	limit    int64    // of the body of a 2xx
	redactor redactor
	// noRetry is for a GET whose caller polls on a schedule of its own.
	noRetry bool
}

// A response is a response read to its end.
type response struct {
	status     int
	mediaType  string
	body       []byte
	retryAfter time.Duration // Retry-After, 0 without one
	tooLarge   bool          // the body exceeded the limit and is not kept
	encoded    bool          // the body has an encoding that was not requested, and was not read
	redactor   redactor
	received   int64         // bytes of the body that were read
	redirect   string        // where it redirects to, in words; "" for no redirect
	ahead      time.Duration // by which the service's clock is ahead of ours
}

// A transportError says why no complete response arrived.
type transportError struct {
	kind Kind
	text string
	// sent is false only when no connection was made, or the body was withheld, so that no request can have left.
	sent       bool
	gotHeaders bool // the head of a response arrived
}

// get sends a GET and retries it after transient failures, unless the response asks for a wait that leaves no time for another
// try. It waits a little longer than asked, by a random part, so that many consoles do not come back at once.
func (c *Client) get(ctx context.Context, r request) (response, *transportError) {
	ctx, stop := context.WithTimeout(ctx, ReadLimit)
	defer stop()
	end, _ := ctx.Deadline()
	for try := 0; ; try++ {
		a, f := c.exchange(ctx, c.reads, r)
		wait, late := c.config.Backoff(try), false
		if a.retryAfter > 0 {
			wait = a.retryAfter + c.config.Backoff(0)
			late = time.Until(end) < wait+answerTime
		}
		if r.noRetry || late || try >= c.config.Retries || !retryable(a, f) || !c.budget.spend(r.origin.Host, time.Now()) {
			return a, f
		}
		announce(ctx, a, f, Retry{In: wait, Try: try + 2, Of: c.config.Retries + 1})
		select {
		case <-ctx.Done():
			return a, f
		case <-time.After(wait):
		}
	}
}

// post sends a POST exactly once, whatever happens, and wipes the body.
func (c *Client) post(ctx context.Context, r request) (response, *transportError) {
	ctx, stop := context.WithTimeout(ctx, postLimit)
	defer stop()
	a, f := c.exchange(ctx, c.posts, r)
	c.posts.CloseIdleConnections()
	return a, f
}

// exchange sends r once and reads the response.
func (c *Client) exchange(ctx context.Context, hc *http.Client, r request) (response, *transportError) {
	t, _ := ctx.Value(trailContext{}).(*trail)
	t = cmp.Or(t, new(trail))
	t.begin(c, r)
	a, f := c.carry(ctx, hc, r)
	t.end(a, f)
	if f == nil {
		keepAnswer(ctx, a)
	}
	return a, f
}

func (c *Client) carry(ctx context.Context, hc *http.Client, r request) (response, *transportError) {
	var sent atomic.Bool
	body := &wipedBody{b: r.body}
	body.check, _ = ctx.Value(bodyCheckContext{}).(func() error)
	defer body.wipe()
	req, err := c.request(httptrace.WithClientTrace(ctx, trace(&sent)), r, body)
	if err != nil {
		return response{}, &transportError{text: "the request cannot be written"}
	}
	begun := time.Now()
	resp, err := hc.Do(req)
	if withheld := body.withheld(); err != nil && withheld != nil {
		return response{}, &transportError{text: withheld.Error()}
	}
	if err != nil {
		return response{}, diagnose(err, sent.Load())
	}
	defer resp.Body.Close()
	if r.origin == c.base { // the list may be on another host
		c.compareClocks(resp.Header, begun)
	}
	return c.receive(resp, r)
}

// trace records that a connection was made, and bounds the number of 1xx responses.
func trace(sent *atomic.Bool) *httptrace.ClientTrace {
	var n atomic.Int32
	return &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			if n.Add(1) > maxInformational {
				return errors.New("too many informational responses")
			}
			return nil
		},
	}
}

// head is the method, the URL and the headers of a request, all but the key.
func (c *Client) head(r request) (method, target string, h http.Header) {
	method, h = http.MethodGet, http.Header{}
	if r.body != nil {
		method = http.MethodPost
	}
	h.Set("Accept", "application/json")
	h.Set("Accept-Encoding", "identity")
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", c.config.UserAgent)
	return method, r.origin.Scheme + "://" + r.origin.Host + r.origin.EscapedPath() + r.path, h
}

// request builds the HTTP request of r. The key is set here and nowhere else, and only for the two
// configured origins.
func (c *Client) request(ctx context.Context, r request, body *wipedBody) (*http.Request, error) {
	method, target, head := c.head(r)
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return nil, err
	}
	if r.body != nil {
		// For a body of this type GetBody stays nil, so that nothing can be replayed.
		req.Body, req.ContentLength = body, int64(len(r.body))
	}
	req.Header = head
	if !c.isConfigured(req.URL) {
		return nil, errors.New("not a configured origin")
	}
	req.Header.Set(c.config.KeyHeader, c.config.Key.Expose())
	return req, nil
}

// isConfigured reports whether u is at one of the configured origins.
func (c *Client) isConfigured(u *url.URL) bool {
	return u.Scheme == c.base.Scheme && u.Host == c.base.Host || u.Scheme == c.list.Scheme && u.Host == c.list.Host
}

// receive reads a response to its end, within bounds.
func (c *Client) receive(resp *http.Response, r request) (response, *transportError) {
	a := response{
		status:     resp.StatusCode,
		mediaType:  resp.Header.Get("Content-Type"),
		retryAfter: retryAfter(resp.Header, time.Now()),
		redactor:   r.redactor,
		ahead:      time.Duration(c.ahead.Load()),
	}
	a.redactor.key, a.redactor.sent = c.config.Key.Expose(), &c.sent
	switch a.status {
	case 301, 302, 303, 307, 308: // none is followed: see [Config.client]
		a.redirect = c.redirectWords(r.origin, resp.Header.Get("Location"))
	}
	if e := strings.Join(resp.Header.Values("Content-Encoding"), ","); e != "" && !strings.EqualFold(e, "identity") {
		a.encoded = true
		return a, nil
	}
	limit := r.limit
	if !a.ok() {
		limit = errorBody
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	a.received = int64(len(body))
	if err != nil {
		f := diagnose(err, true)
		f.gotHeaders = true
		return a, f
	}
	if int64(len(body)) > limit {
		a.tooLarge = true
		return a, nil
	}
	a.body = body
	return a, nil
}

// ok reports whether the status is a 2xx.
func (a response) ok() bool { return a.status/100 == 2 }

// A wipedBody is a request body that can be read once and is overwritten after the exchange. The
// transport may still be writing it then, hence the lock; it gets an error instead of wiped bytes.
// The last byte is read apart: the transport copies the body through one buffer, which it leaves to the collector
// as it is, and by then all of the rest has been written from there.
type wipedBody struct {
	mu    sync.Mutex
	b     []byte
	at    int
	wiped bool
	check func() error // before the first byte; nil for none
	err   error        // of check
}

type bodyCheckContext struct{}

// WithBodyCheck has check called when the first byte of the body of a POST is about to leave. After an error the body is
// withheld, and nothing was sent.
func WithBodyCheck(ctx context.Context, check func() error) context.Context {
	return context.WithValue(ctx, bodyCheckContext{}, check)
}

func (b *wipedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.wiped:
		return 0, io.ErrClosedPipe
	case b.at == len(b.b):
		return 0, io.EOF
	case b.at == 0 && b.check != nil && b.err == nil:
		b.err = b.check()
	}
	if b.err != nil {
		return 0, b.err
	}
	last := len(b.b) - 1
	if b.at == last {
		clear(p[:cap(p)])
	}
	n := copy(p, b.b[b.at:max(last, b.at+1)])
	b.at += n
	return n, nil
}

// withheld returns why no byte may be read.
func (b *wipedBody) withheld() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// Close does nothing: the exchange wipes the body.
func (b *wipedBody) Close() error { return nil }

func (b *wipedBody) wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.b)
	b.wiped = true
}

// A Call is an operation with what it concerns, for [Client.Curl].
type Call struct {
	Operation     Operation
	Reference     Reference // of [OpTransaction]
	Page, PerPage int       // of [OpTransactions]
	Link          LinkDraft // of [OpCreateLink]
}

// A Curl is a request as the arguments of the program curl. The key is not among them, because every user of
// a machine can see arguments: curl reads the header KeyHeader from its standard input (-H @-).
type Curl struct {
	KeyHeader string
	Args      [][]string // option and value, at the end the URL
}

// Curl is the request of a call as the client would send it. It sends nothing, and refuses what the client would not send.
func (c *Client) Curl(of Call) (Curl, error) {
	r, err := c.requestOf(of)
	if err != nil {
		return Curl{}, err
	}
	method, target, head := c.head(r)
	args := [][]string{{"-sS"}, {"-g"}, {"-X", method}, {"-H", "@-"}}
	for _, name := range slices.Sorted(maps.Keys(head)) {
		args = append(args, []string{"-H", name + ": " + head.Get(name)})
	}
	if r.body != nil {
		args = append(args, []string{"--data-raw", string(r.body)})
	}
	return Curl{KeyHeader: c.config.KeyHeader, Args: append(args, []string{target})}, nil
}

// requestOf is the request of a call.
func (c *Client) requestOf(of Call) (request, error) {
	switch of.Operation {
	case OpTransaction:
		r, err := c.forURL(context.Background(), of.Reference)
		if err == nil && r.LooksLikeCard() { // one of the service's own: the client may send it, but it stays in no history of a shell
			err = notSent("this reference looks like a card number")
		}
		return c.statusRequest(r), err
	case OpTransactions:
		return c.listRequest(clampPaging(of.Page, of.PerPage)), nil
	case OpCreateLink:
		return c.linkRequest(of.Link)
	}
	return request{}, errors.New("this operation has no curl command")
}
