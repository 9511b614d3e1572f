package webhook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/query"
)

// The limits of a sending.
const (
	sendLimit = 10 * time.Second // until the response was read
	maxAnswer = 64 << 10         // of the response, which is dropped
)

// A Target receives the events that are passed on. The zero value is none.
type Target struct {
	Where  query.Query // which events it is sent as they arrive; the zero value is all
	url    string
	client *http.Client
	limit  time.Duration
}

// ParseTarget checks a URL: http or https, on loopback, or one of those that the profile names. An error does not quote
// it, as a URL may have a secret in it.
func ParseTarget(text string, named []string) (Target, error) {
	u, err := api.ParseTarget(text)
	if err != nil {
		return Target{}, fmt.Errorf("a target %w", err)
	}
	here := api.IsLoopback(u.Hostname())
	switch {
	case here && isPath(u.EscapedPath()):
		return Target{}, errors.New("paydesk itself receives webhooks at that URL: they would be forwarded in a loop")
	case !here && !slices.ContainsFunc(named, func(n string) bool { return sameTarget(u, n) }):
		return Target{}, errors.New("the target is not on this machine; if it may have the events, add its URL to webhook_targets in the profile")
	}
	return Target{url: u.String(), client: newClient(), limit: sendLimit}, nil
}

// sameTarget reports whether a URL is the one that a profile names: the same scheme, host, port, path and query.
func sameTarget(u *url.URL, named string) bool {
	n, err := api.ParseTarget(named)
	path := func(u *url.URL) string { return cmp.Or(u.EscapedPath(), "/") }
	return err == nil && api.OriginOf(n) == api.OriginOf(u) && path(n) == path(u) && n.RawQuery == u.RawQuery
}

// String is the URL.
func (t Target) String() string { return t.url }

// notSentMasked is the problem of a masked event, which is not sent.
const notSentMasked = "Not sent: a card number or a key in it was masked, so it differs from what arrived."

// Send sends an event to a target exactly as it came, once. It does not store the result. A masked event is not sent: the
// problem of the result says so.
func (t Target) Send(ctx context.Context, d Detail) Forward {
	f := Forward{At: time.Now(), Target: t.url}
	switch {
	case d.Masked:
		f.Problem = notSentMasked
		return f
	case t.client == nil:
		f.Problem = "There is no target."
		return f
	}
	limited, cancel := context.WithTimeout(ctx, t.limit)
	defer cancel()
	t.post(limited, d, &f)
	if f.Status == 0 && ctx.Err() != nil {
		f.Problem = "It was ended before the target answered."
	}
	return f
}

func (t Target) post(ctx context.Context, d Detail, f *Forward) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(d.Body))
	if err != nil {
		f.Problem = "The URL of the target cannot be used."
		return
	}
	r.Header = sentHeader(d.Header)
	a, err := t.client.Do(r)
	f.Took = time.Since(f.At)
	if err != nil {
		f.Problem = t.problem(err)
		return
	}
	defer a.Body.Close()
	io.CopyN(io.Discard, a.Body, maxAnswer) // some servers report a response that is not read
	if f.Status = a.StatusCode; f.Status/100 != 2 {
		f.Problem = "The target answered HTTP " + strconv.Itoa(f.Status) + "."
	}
}

// problem says why there is no answer. The error itself would quote the URL.
func (t Target) problem(err error) string {
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return "The target did not answer within " + strconv.FormatFloat(t.limit.Seconds(), 'f', -1, 64) + " seconds."
	}
	if op, is := errors.AsType[*net.OpError](err); is && op.Op == "dial" {
		return "The target could not be reached."
	}
	return "The target gave no answer that can be read."
}

// hopByHop are headers of one connection (RFC 9110, 7.6.1), and those that belong to the new request.
var hopByHop = []string{
	"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// sentHeader is the header as it came, without what belongs to the connection that it came by, and without credentials,
// which are not stored.
func sentHeader(came http.Header) http.Header {
	drop := slices.Clone(hopByHop)
	for _, line := range came["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			drop = append(drop, http.CanonicalHeaderKey(strings.TrimSpace(name)))
		}
	}
	h := http.Header{"User-Agent": nil} // or the transport writes its own
	for name, values := range came {
		if slices.Contains(drop, http.CanonicalHeaderKey(name)) || strings.Contains(name, "<") { // no header has a masked name
			continue
		}
		for _, v := range values {
			if v != hidden {
				h[name] = append(h[name], v)
			}
		}
	}
	return h
}
