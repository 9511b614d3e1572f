package api

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

// maxCAFile is the maximum size of a certificate file, in bytes.
const maxCAFile = 1 << 20

// errCAFile replaces every error of reading the certificate file, because those quote its path.
var errCAFile = errors.New("the certificates in ca_file cannot be read")

// A caTransport trusts the certificates of a file in addition to those of the system. It reads the
// file at its first request, because creating a client does no I/O.
type caTransport struct {
	open   func() (*http.Transport, error) // opens it once
	opened atomic.Bool
}

func newCATransport(file string, t *http.Transport) *caTransport {
	return &caTransport{open: sync.OnceValues(func() (*http.Transport, error) {
		var err error
		t.TLSClientConfig.RootCAs, err = loadRoots(file)
		return t, err
	})}
}

// RoundTrip implements [http.RoundTripper].
func (r *caTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	r.opened.Store(true)
	t, err := r.open()
	if err != nil {
		return nil, err
	}
	return t.RoundTrip(q)
}

// NewClientConn calls the one of [http.Transport].
func (r *caTransport) NewClientConn(ctx context.Context, scheme, address string) (*http.ClientConn, error) {
	r.opened.Store(true)
	t, err := r.open()
	if err != nil {
		return nil, err
	}
	return t.NewClientConn(ctx, scheme, address)
}

// CloseIdleConnections closes idle connections, of which there are none before the first request.
func (r *caTransport) CloseIdleConnections() {
	if r.opened.Load() {
		t, _ := r.open()
		t.CloseIdleConnections()
	}
}

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
