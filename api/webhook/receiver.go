package webhook

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/time/rate"

	"paydesk/api"
	"paydesk/api/httpserver"
)

// DefaultAddress receives webhooks unless the profile or the command names another.
const DefaultAddress = "127.0.0.1:8425"

// ReceiverOptions say where webhooks are received and what becomes of them.
type ReceiverOptions struct {
	Address    string // host:port; port 0 chooses a free one
	AnyAddress bool   // allow an address that is not loopback
	Path       string // the secret path: see [Path]
	// keep stores a delivery; nil means that it is durable. It is called from many goroutines, and does not end with
	// the connection.
	keep func(ctx context.Context, h http.Header, body []byte) error
}

// Receive receives the webhooks of a profile, and keeps them, until ctx ends or the receiver is closed. The error is
// [ErrAddress], [ErrNotLoopback], an [*InUse], or one of the system's.
func (s *Store) Receive(ctx context.Context, profile string, o ReceiverOptions) (*Receiver, error) {
	o.keep = func(ctx context.Context, h http.Header, body []byte) error {
		_, err := s.Keep(ctx, profile, h, body)
		return err
	}
	r, err := listen(ctx, o, defaultLimits())
	if err == nil { // the trouble of an earlier one is not its own
		s.trouble.Store(nil)
		s.changes.touch()
	}
	return r, err
}

// Counts describe what a receiver did since it was started.
type Counts struct {
	Kept     int64 // answered 200
	Rejected int64 // not stored because of what the request was: path, method, size, rate
	Failed   int64 // answered 503: could not be stored
}

// A Receiver is an HTTP server for webhooks.
type Receiver struct {
	options ReceiverOptions
	limits  limits
	url     string
	server  *httpserver.Server
	rate    *rate.Limiter   // of requests to the secret path
	keeping context.Context // of what is being stored
	giveUp  context.CancelFunc

	kept, rejected, failed atomic.Int64
}

// ErrNotLoopback is the error of an address that others can reach, without AnyAddress.
var ErrNotLoopback = errors.New("the address is not a loopback address")

// ErrAddress reports a text that cannot be listened on as an address.
var ErrAddress = errors.New("the address for webhooks must be HOST:PORT with a port up to 65535, such as " + DefaultAddress)

// An InUse is the error of an address that another program listens on.
type InUse struct {
	Address string
	Ours    bool // it is a receiver of paydesk with the same path
}

// Error says what listens there, and what to do.
func (e *InUse) Error() string {
	if e.Ours {
		return "Another paydesk receives the webhooks of this profile at " + e.Address + "."
	}
	return "Another program uses " + e.Address + ". Choose another address with --listen or with webhook_listen in the profile."
}

func listen(ctx context.Context, o ReceiverOptions, l limits) (*Receiver, error) {
	address, err := checkAddress(o.Address, o.AnyAddress)
	if err != nil {
		return nil, err
	}
	if !isPath(o.Path) {
		return nil, errors.New("a receiver needs a secret path")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if api.IsInUse(err) {
		return nil, &InUse{address, Probe(ctx, "http://"+address+o.Path) == Ours}
	}
	if err != nil {
		return nil, fmt.Errorf("webhooks cannot be received: %w", err)
	}
	r := &Receiver{
		options: o, limits: l, url: "http://" + httpserver.Host(listener.Addr()) + o.Path,
		rate: rate.NewLimiter(rate.Limit(l.rate), l.burst),
	}
	r.keeping, r.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	r.server = httpserver.Start(netutil.LimitListener(listener, l.connections), r.newServer(), closeLimit)
	context.AfterFunc(ctx, func() { r.Close() })
	return r, nil
}

func (r *Receiver) newServer() *http.Server {
	return &http.Server{
		Handler:           r,
		ReadHeaderTimeout: r.limits.header,
		ReadTimeout:       r.limits.read,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       r.limits.idle,
		MaxHeaderBytes:    16<<10 - 4096, // net/http allows 4096 more

		DisableGeneralOptionsHandler: true, // it would answer OPTIONS * with 200
	}
}

// checkAddress rejects an address that others can reach, unless any is allowed. A name other than localhost could be
// any host's. localhost becomes an address, whatever the system's file of hosts says of it.
func checkAddress(address string, any bool) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if _, no := strconv.ParseUint(port, 10, 16); err != nil || no != nil {
		return "", ErrAddress
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	if !any && !api.IsLoopback(host) {
		return "", fmt.Errorf("%w: other machines could send to it; use one such as %s, or allow it with --insecure-any-address "+
			"or with webhook_any_address in the profile", ErrNotLoopback, DefaultAddress)
	}
	return net.JoinHostPort(host, port), nil
}

// URL returns where webhooks are to be posted, with the secret path.
func (r *Receiver) URL() string { return r.url }

// Counts returns what the receiver did so far.
func (r *Receiver) Counts() Counts {
	return Counts{Kept: r.kept.Load(), Rejected: r.rejected.Load(), Failed: r.failed.Load()}
}

// closeLimit is the longest that requests under way are waited for at the end.
const closeLimit = 5 * time.Second

// Close ends the receiver. Requests whose header has come are answered first, for at most five seconds. It may run twice: the
// end of Receive's context closes the receiver too.
func (r *Receiver) Close() error {
	defer r.giveUp()
	return r.server.Close()
}

// ServeHTTP answers one request. Nothing of a request is in its answer, and no answer has a body or lets a page of
// another origin read it.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	status := r.answer(w, q)
	r.count(q, status)
	w.WriteHeader(status)
}

// answer stores an event and returns the status to answer with. Where storing panics, the value may contain anything,
// so that it goes nowhere.
func (r *Receiver) answer(w http.ResponseWriter, q *http.Request) (status int) {
	defer func() {
		if recover() != nil {
			status = http.StatusServiceUnavailable
		}
	}()
	if subtle.ConstantTimeCompare([]byte(q.URL.EscapedPath()), []byte(r.options.Path)) != 1 { // the query does not count
		return http.StatusNotFound
	}
	if status := r.admit(w, q); status != http.StatusOK {
		return status
	}
	body, status := r.body(w, q)
	if status == http.StatusOK && r.keep(q, body) != nil {
		return http.StatusServiceUnavailable
	}
	return status
}

// admit checks what can be checked before the body is read. Only requests with the right path count for the rate: no
// others can use it up.
func (r *Receiver) admit(w http.ResponseWriter, q *http.Request) (status int) {
	switch {
	case q.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		w.Header().Set(receiverHeader, "1")
		return http.StatusMethodNotAllowed
	case q.ContentLength > maxBody:
		return http.StatusRequestEntityTooLarge
	case !r.rate.AllowN(r.limits.now(), 1):
		w.Header().Set("Retry-After", "1")
		return http.StatusTooManyRequests
	}
	return http.StatusOK
}

// body reads a body as it is, whatever its type.
func (r *Receiver) body(w http.ResponseWriter, q *http.Request) (body []byte, status int) {
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))
	timeout := net.Error(nil)
	switch {
	case err == nil:
		return body, http.StatusOK
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, http.StatusRequestEntityTooLarge
	case errors.As(err, &timeout) && timeout.Timeout():
		return nil, http.StatusRequestTimeout
	}
	return nil, http.StatusBadRequest
}

// keep stores an event. It goes on when the sender leaves: what was sent completely is stored.
func (r *Receiver) keep(q *http.Request, body []byte) error {
	ctx, cancel := context.WithTimeout(r.keeping, r.limits.keep)
	defer cancel()
	return r.options.keep(ctx, q.Header, body)
}

// count counts an answer. A GET of the secret path is a [Probe], which stores nothing.
func (r *Receiver) count(q *http.Request, status int) {
	switch {
	case status == http.StatusOK:
		r.kept.Add(1)
	case status == http.StatusServiceUnavailable:
		r.failed.Add(1)
	case status != http.StatusMethodNotAllowed || q.Method != http.MethodGet:
		r.rejected.Add(1)
	}
}

// maxBody limits the body of an event, in bytes.
const maxBody = 64 << 10

// limits bound what others can make a receiver do. Tests have shorter ones.
type limits struct {
	header, read, idle time.Duration // of a request's headers, of all of it, between two requests
	keep               time.Duration // how long storing may take
	connections        int
	rate, burst        int // requests a second to the secret path, and how many may come at once
	now                func() time.Time
}

func defaultLimits() limits {
	return limits{
		header: 5 * time.Second, read: 10 * time.Second, idle: 5 * time.Second, keep: 10 * time.Second,
		connections: 128, rate: 2000, burst: 4000, now: time.Now,
	}
}
