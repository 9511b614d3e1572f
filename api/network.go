package api

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"paydesk/api/origin"
)

const (
	dialLimit   = 5 * time.Second
	tlsLimit    = 10 * time.Second
	headerLimit = 64 << 10
)

// client returns the client for reads, which keeps connections and may use HTTP/2, or that for POSTs,
// which uses each connection once, so that the transport has no reason to repeat a request. Neither follows redirects: Go's client would carry the key header to another host.
func (c Config) client(reads bool) *http.Client {
	return &http.Client{Transport: c.roundTripper(reads), CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// roundTripper is the transport for reads, or for POSTs.
func (c Config) roundTripper(reads bool) http.RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	var versions http.Protocols
	versions.SetHTTP1(true)
	versions.SetHTTP2(reads)
	return &transport{caFile: c.CAFile, Transport: &http.Transport{
		Proxy:                  proxy,
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: c.sessions},
		TLSHandshakeTimeout:    tlsLimit,
		Protocols:              &versions,
		DisableKeepAlives:      !reads,
		DisableCompression:     true,
		MaxResponseHeaderBytes: headerLimit,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
	}}
}

// proxy returns the environment's proxy for https alone, where the proxy sees only the host name.
func proxy(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// WithoutProxy removes the proxy variables from this process's environment. It must run before the
// first request, because net/http reads them once.
func WithoutProxy() (err error) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		err = errors.Join(err, os.Unsetenv(name))
	}
	return err
}

// dial connects.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := origin.Dialer(address)
	d.Timeout = dialLimit
	return d.DialContext(ctx, network, address)
}
