package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// A PingResult has what a request to an origin revealed, whatever answered there.
type PingResult struct {
	HTTP int
	// TLS is the version, Issuer the signer of the certificate, and Until its expiry. TLS is ""
	// over plain HTTP on loopback.
	TLS    string
	Issuer Text
	Until  time.Time
	// Ahead tells how far the service's clock is ahead of ours, to about a second, when the response
	// has a Date.
	Ahead    time.Duration
	HasAhead bool
}

// opPing names a [Ping] in the request log. It is no operation of the service.
const opPing Operation = "Ping"

// Ping requests the root of an origin of c, once, through the transport of reads and without the
// key. Any response will do. Its error is a [*Failure].
func Ping(ctx context.Context, c Config, address string) (found PingResult, err error) {
	u, err := ParseOrigin(address)
	if err != nil {
		return PingResult{}, notSent("the service URL " + err.Error())
	}
	ctx, stop := context.WithTimeout(ctx, ReadLimit)
	defer stop()
	var sent atomic.Bool
	r, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace(&sent)), http.MethodGet, u.String()+"/", nil)
	if err != nil {
		return PingResult{}, notSent("the service URL cannot be requested")
	}
	r.Header.Set("User-Agent", cmp.Or(c.UserAgent, defaultAgent))
	client := http.Client{Transport: c.roundTripper(true)}
	defer client.CloseIdleConnections()
	begun := time.Now()
	seen := trail{give: c.Observe, begun: true, Exchange: Exchange{
		At: begun, Operation: opPing, Method: r.Method, Host: u.Host, Path: r.URL.EscapedPath(), Try: 1,
	}}
	defer func() {
		seen.Took, seen.Status = time.Since(begun), found.HTTP
		seen.report(err)
	}()
	got, err := client.Transport.RoundTrip(r) // does not follow redirects
	if err != nil {
		return PingResult{}, failure(response{}, diagnose(err, sent.Load()))
	}
	defer got.Body.Close()
	took := time.Since(begun)
	seen.Received, _ = io.CopyN(io.Discard, got.Body, errorBody)
	found = PingResult{HTTP: got.StatusCode}
	found.Ahead, found.HasAhead = clockAhead(got.Header, begun, took)
	if got.TLS != nil && len(got.TLS.PeerCertificates) > 0 {
		leaf := got.TLS.PeerCertificates[0]
		found.TLS, found.Issuer, found.Until = tls.VersionName(got.TLS.Version), Clean(leaf.Issuer.String()), leaf.NotAfter
	}
	return found, nil
}

// MaxSkew is how far the service's clock and ours may differ before paydesk warns.
const MaxSkew = 2 * time.Minute

// clockAhead returns how far the service's clock is ahead of ours, by the head of a response that took so long. A Date is
// truncated to whole seconds; one from a cache says nothing.
func clockAhead(h http.Header, begun time.Time, took time.Duration) (ahead time.Duration, known bool) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" {
		return 0, false
	}
	return date.Add(500 * time.Millisecond).Sub(begun.Add(took / 2).Round(0)), true
}

// compareClocks keeps how far the service's clock is ahead of ours. A difference within what a response can tell changes
// nothing, so that a countdown does not jump.
func (c *Client) compareClocks(h http.Header, begun time.Time) {
	took := time.Now().Round(0).Sub(begun.Round(0)) // with the time that the machine slept
	ahead, known := clockAhead(h, begun, took)
	if was := time.Duration(c.ahead.Load()); known && (ahead-was).Abs() > took/2+time.Second {
		c.ahead.Store(int64(ahead))
	}
}

// ProxyFor returns the proxy through which an origin is reached, with its credentials masked; ""
// when there is none. The error quotes nothing.
func ProxyFor(address string) (string, error) {
	u, err := ParseOrigin(address)
	if err != nil {
		return "", notSent("the service URL " + err.Error())
	}
	p, err := proxy(&http.Request{URL: u})
	switch {
	case err != nil:
		return "", notSent("the proxy URL in the environment cannot be parsed")
	case p == nil:
		return "", nil
	}
	mask := ""
	if p.User != nil {
		mask = "***@"
	}
	return Clean(p.Scheme + "://" + mask + p.Host).Line(0), nil
}
