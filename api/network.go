package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

const (
	dialLimit   = 5 * time.Second
	tlsLimit    = 10 * time.Second
	headerLimit = 64 << 10
)

// client returns the client for reads, which keeps connections and may use HTTP/2, or that for POSTs,
// which uses each connection once, so that the transport has no reason to repeat a request. Neither
// follows redirects: Go's client would carry the key header to another host.
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
	t := &http.Transport{
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
	}
	if c.CAFile != "" {
		roots, err := loadRoots(c.CAFile)
		if err != nil {
			t.DialContext = func(context.Context, string, string) (net.Conn, error) { return nil, err }
		}
		t.TLSClientConfig.RootCAs = roots
	}
	return t
}

// maxCAFile is the maximum size of a certificate file, in bytes.
const maxCAFile = 1 << 20

// errCAFile replaces every error of reading the certificate file, because those quote its path.
var errCAFile = errors.New("the certificates in ca_file cannot be read")

// loadRoots returns the system's certificates and those of a file.
func loadRoots(file string) (*x509.CertPool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errCAFile
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxCAFile))
	if err != nil {
		return nil, errCAFile
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(b) {
		return nil, errCAFile
	}
	return pool, nil
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
	d := Dialer(address)
	d.Timeout = dialLimit
	return d.DialContext(ctx, network, address)
}
