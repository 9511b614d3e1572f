package api

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"
)

const (
	dialLimit   = 5 * time.Second
	tlsLimit    = 10 * time.Second
	headerLimit = 64 << 10
)

// clients makes the two roads out: one for reads, which keeps connections and may
// use HTTP/2, and one for POSTs, whose connections are used once, so that the
// transport has no reason to send a request a second time (R41, R59). Neither
// follows a redirect: Go's client would carry the key header to another host
// (R50).
func clients(c Config) (reads, posts *http.Client) {
	return &http.Client{Transport: c.roundTripper(true), CheckRedirect: noRedirect}, &http.Client{Transport: c.roundTripper(false), CheckRedirect: noRedirect}
}

// roundTripper is the way out for reads, or for POSTs.
func (c Config) roundTripper(reads bool) http.RoundTripper {
	switch {
	case c.Transport != nil:
		return c.Transport
	case c.CAFile != "":
		return &caTransport{file: c.CAFile, reads: reads}
	}
	return transport(reads)
}

// noRedirect refuses to follow a redirect.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func transport(reads bool) *http.Transport {
	var versions http.Protocols
	versions.SetHTTP1(true)
	versions.SetHTTP2(reads)
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    tlsLimit,
		Protocols:              &versions,
		DisableKeepAlives:      !reads,
		DisableCompression:     true,
		MaxResponseHeaderBytes: headerLimit,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
	}
}

// proxy takes the environment's proxy for https alone, where it sees no more than
// the name of the host (R57).
func proxy(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// WithoutProxy takes the environment's proxies away from this process, before anybody has
// looked for them.
func WithoutProxy() (err error) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		err = errors.Join(err, os.Unsetenv(name))
	}
	return err
}

// dial connects; what is called localhost must be this machine.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: dialLimit}
	if host, _, err := net.SplitHostPort(address); err == nil && isLoopback(host) {
		d.Control = onlyLoopback
	}
	return d.DialContext(ctx, network, address)
}

func onlyLoopback(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !a.Addr().Unmap().IsLoopback() {
		return errors.New("localhost is not this machine")
	}
	return nil
}
