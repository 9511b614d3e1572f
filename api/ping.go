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

// A PingResult is what reaching an origin showed, whatever answered there.
type PingResult struct {
	HTTP int
	// TLS, Issuer and Until are of the encryption: its version, who signed the
	// certificate, and when that ends. TLS is "" over plain HTTP on loopback.
	TLS    string
	Issuer Text
	Until  time.Time
	// Ahead is how far the service's clock is ahead of ours, to about a second, when
	// the answer told it (R49).
	Ahead    time.Duration
	HasAhead bool
}

// Ping asks an origin of c for its first page, once, without the key and by the road
// of all reads (R50). Any answer will do. Its error is a [*Failure].
func Ping(ctx context.Context, c Config, origin string) (PingResult, error) {
	u, err := parseOrigin(origin)
	if err != nil {
		return PingResult{}, notSent("the address of the service: " + err.Error())
	}
	ctx, stop := context.WithTimeout(ctx, readLimit)
	defer stop()
	var sent atomic.Bool
	r, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace(&sent)), http.MethodGet, u.String()+"/", nil)
	if err != nil {
		return PingResult{}, notSent("the address of the service cannot be asked")
	}
	r.Header.Set("User-Agent", cmp.Or(c.UserAgent, defaultAgent))
	road := http.Client{Transport: c.roundTripper(true)}
	defer road.CloseIdleConnections()
	begun := time.Now()
	got, err := road.Transport.RoundTrip(r) // which follows no redirect
	if err != nil {
		return PingResult{}, failure(response{}, diagnose(err, sent.Load()))
	}
	defer got.Body.Close()
	took := time.Since(begun)
	_, _ = io.CopyN(io.Discard, got.Body, errorBody)
	seen := PingResult{HTTP: got.StatusCode}
	// A Date is whole seconds, cut off; one that was kept on the way says nothing.
	if date, err := http.ParseTime(got.Header.Get("Date")); err == nil && got.Header.Get("Age") == "" {
		seen.Ahead, seen.HasAhead = date.Add(500*time.Millisecond).Sub(begun.Add(took/2).Round(0)), true
	}
	if got.TLS != nil && len(got.TLS.PeerCertificates) > 0 {
		leaf := got.TLS.PeerCertificates[0]
		seen.TLS, seen.Issuer, seen.Until = tls.VersionName(got.TLS.Version), Clean(leaf.Issuer.String()), leaf.NotAfter
	}
	return seen, nil
}

// ProxyFor says by which proxy an origin is asked, without the credentials that its
// address may hold (R57); "" when there is none. The error quotes nothing.
func ProxyFor(origin string) (string, error) {
	u, err := parseOrigin(origin)
	if err != nil {
		return "", notSent("the address of the service: " + err.Error())
	}
	p, err := proxy(&http.Request{URL: u})
	switch {
	case err != nil:
		return "", notSent("the address of the proxy in the environment cannot be read")
	case p == nil:
		return "", nil
	}
	mask := ""
	if p.User != nil {
		mask = "***@"
	}
	return Clean(p.Scheme + "://" + mask + p.Host).Line(0), nil
}
