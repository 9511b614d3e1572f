package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A State is everything that a controller shows, in one response.
type State struct {
	Payments   []PaymentView `json:"payments"`
	Armed      []ArmedFault  `json:"armed"`
	Switches   []Switch      `json:"switches"`
	Ahead      time.Duration `json:"ahead"`      // in nanoseconds
	Targets    []string      `json:"targets"`    // of webhooks
	Deliveries []Delivery    `json:"deliveries"` // without their bodies
}

// State returns the sandbox's state. The bodies of deliveries are left out: they hold a merchant's
// own texts.
func (s *Sandbox) State() State {
	return State{
		s.Payments(), s.Armed(), s.Switches(), s.Ahead(), s.Webhooks(), withoutBodies(s.Deliveries()),
	}
}

// A Controller controls a sandbox through its control API. Every text that it returns, but a body, can be
// shown on a terminal. Its errors are those of the sandbox, [ErrNoSandbox], and those of its context.
type Controller struct {
	origin string
	Client *http.Client // sends what it asks for
}

const (
	sandboxName = "paydesk-sandbox"
	maxControl  = 16 << 20 // bytes of a response
)

// ErrNoSandbox reports that no sandbox answers at an address, or none that is understood.
var ErrNoSandbox = errors.New("no paydesk sandbox answers there")

// Controller controls this sandbox, without a network.
func (s *Sandbox) Controller() *Controller {
	return &Controller{"http://127.0.0.1", &http.Client{Transport: inProcess{s}}}
}

// Find returns the controller of the sandbox that serves an address such as
// "http://127.0.0.1:8099". It asks loopback addresses only, one question without a key; any other
// address, and any other answer than a sandbox's, is ErrNoSandbox.
func Find(ctx context.Context, address string) (*Controller, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil || !loopbackName(u.Host) {
		return nil, ErrNoSandbox
	}
	c := &Controller{"http://" + u.Host, &http.Client{
		Timeout:       5 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DialContext: dialLoopback, MaxResponseHeaderBytes: maxHeaderBytes},
	}}
	var about struct {
		Is      string
		Control int
	}
	if err := c.call(ctx, http.MethodGet, "about", nil, &about); err != nil {
		return nil, unlessEnded(ctx, ErrNoSandbox)
	}
	if about.Is != sandboxName || about.Control != controlVersion {
		return nil, ErrNoSandbox
	}
	return c, nil
}

// dialLoopback connects to this machine only, whatever localhost resolves to.
func dialLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		conn.Close()
		return nil, ErrNoSandbox
	}
	return conn, nil
}

// State asks for everything that changes.
func (c *Controller) State(ctx context.Context) (v State, err error) {
	err = c.call(ctx, http.MethodGet, "state", nil, &v)
	return v, err
}

// Faults lists all faults.
func (c *Controller) Faults(ctx context.Context) ([]Fault, error) {
	var v struct{ Faults []Fault }
	err := c.call(ctx, http.MethodGet, "faults", nil, &v)
	return v.Faults, err
}

// Change changes a payment: approve, reject, settle, expire or decline. [ErrState] reports that its
// state does not allow it.
func (c *Controller) Change(ctx context.Context, reference, what string) (v PaymentView, err error) {
	err = c.call(ctx, http.MethodPost, "payments/"+url.PathEscape(reference)+"/"+what, nil, &v)
	return v, err
}

// Pay pays an amount in major units into the account of a transfer.
func (c *Controller) Pay(ctx context.Context, reference, amount string) (v PaymentView, err error) {
	body := map[string]any{"amount": amount}
	err = c.call(ctx, http.MethodPost, "payments/"+url.PathEscape(reference)+"/pay", body, &v)
	return v, err
}

// Forward moves the clock on.
func (c *Controller) Forward(ctx context.Context, d time.Duration) error {
	return c.post(ctx, "clock", map[string]any{"forward": d.String()})
}

// Arm arms a fault for an operation and a number of calls, until cleared for 0.
func (c *Controller) Arm(ctx context.Context, operation, fault string, calls int) error {
	return c.post(ctx, "faults", map[string]any{"operation": operation, "fault": fault, "calls": calls})
}

// ClearFaults disarms all faults.
func (c *Controller) ClearFaults(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "faults", nil, nil)
}

// SetSwitch sets one switch.
func (c *Controller) SetSwitch(ctx context.Context, name, value string) error {
	return c.post(ctx, "switches", map[string]any{name: value})
}

// Reset forgets everything that happened.
func (c *Controller) Reset(ctx context.Context) error { return c.post(ctx, "reset", nil) }

func (c *Controller) post(ctx context.Context, path string, body any) error {
	return c.call(ctx, http.MethodPost, path, body, nil)
}

// call makes one call and reads its response into v, unless that is nil.
func (c *Controller) call(ctx context.Context, method, path string, body, v any) error {
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(encodeJSON(body))
	}
	r, err := http.NewRequestWithContext(ctx, method, c.origin+controlPath+path, sent)
	if err != nil {
		return ErrNoSandbox
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := c.Client.Do(r)
	if err != nil {
		return unlessEnded(ctx, ErrNoSandbox)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, maxControl+1))
	doc, is := parse(text)
	complete := err == nil && len(text) <= maxControl && a.Header.Get("Content-Type") == jsonType
	if !complete || !is || !doc.printable() {
		return unlessEnded(ctx, ErrNoSandbox)
	}
	if a.StatusCode != http.StatusOK {
		return refused(doc.member("error").stringValue())
	}
	if v != nil && json.Unmarshal(text, v) != nil {
		return ErrNoSandbox
	}
	return nil
}

// unlessEnded is err, or why ctx ended. An error of the network is not returned: it quotes addresses.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// refused is the reason in the words of a refusal: see [sentence].
func refused(text string) error {
	if text == "" {
		return ErrNoSandbox
	}
	return reason(strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], "."))
}

// printable reports whether every name and string can be shown on a terminal as it is.
func (n *node) printable() bool {
	shows := func(text string) bool {
		return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	}
	if !shows(n.stringValue()) {
		return false
	}
	return !slices.ContainsFunc(n.members, func(m member) bool { return !shows(m.name) || !m.printable() })
}

// inProcess sends requests to a sandbox without a network.
type inProcess struct{ sandbox *Sandbox }

// RoundTrip implements [http.RoundTripper].
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Host, r.RemoteAddr = r.URL.Host, "127.0.0.1:0"
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &response{header: http.Header{}}
	p.sandbox.ServeHTTP(w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}, nil
}

// A response is one that is kept in memory.
type response struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (w *response) Header() http.Header         { return w.header }
func (w *response) WriteHeader(status int)      { w.status = status }
func (w *response) Write(b []byte) (int, error) { return w.body.Write(b) }

// SetWebhooks sends events to each of these URLs from now on, to none without any.
func (c *Controller) SetWebhooks(ctx context.Context, targets []string) error {
	return c.post(ctx, "webhook", map[string]any{"addresses": targets})
}

// ChangeWebhooks sends events to one URL more, and no longer to another; "" for none.
func (c *Controller) ChangeWebhooks(ctx context.Context, add, remove string) error {
	return c.post(ctx, "webhook", map[string]any{"add": add, "remove": remove})
}

// Body returns the raw body of a delivery. Clean it before showing it.
func (c *Controller) Body(ctx context.Context, id string) ([]byte, error) {
	var v struct{ Base64 []byte }
	err := c.call(ctx, http.MethodGet, "webhooks/"+url.PathEscape(id)+"/body", nil, &v)
	return v.Base64, err
}

// Redeliver sends an event again.
func (c *Controller) Redeliver(ctx context.Context, id string) error {
	return c.post(ctx, "webhooks/"+url.PathEscape(id)+"/redeliver", nil)
}

// RedeliverFailed sends all events again that were not delivered, and returns how many.
func (c *Controller) RedeliverFailed(ctx context.Context) (int, error) {
	var v struct{ Sent int }
	err := c.call(ctx, http.MethodPost, "webhooks/redeliver", nil, &v)
	return v.Sent, err
}

// SendSample sends an event of no payment, in the style of the switch webhook.style for "".
func (c *Controller) SendSample(ctx context.Context, event, style string) error {
	return c.post(ctx, "webhooks", map[string]any{"event": event, "style": style})
}

// Send sends a body that a person wrote to one URL, to each for "".
func (c *Controller) Send(ctx context.Context, body []byte, target string) error {
	return c.post(ctx, "webhooks/send", map[string]any{"base64": body, "target": target})
}
