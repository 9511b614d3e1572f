package api

import (
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
)

// mostRoots is how large a file of certificates may be, in bytes.
const mostRoots = 1 << 20

// errRoots stands for whatever keeps a file of certificates from being used: its path is
// not for errors.
var errRoots = errors.New("the certificates of ca_file cannot be read")

// A caTransport road trusts the certificates of a file besides those of the system (R57). It
// reads them with its first request, since making a client opens no file.
type caTransport struct {
	file  string
	reads bool

	once sync.Once
	road *http.Transport
	err  error
}

// RoundTrip implements [http.RoundTripper].
func (r *caTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	r.once.Do(r.open)
	if r.err != nil {
		return nil, r.err
	}
	return r.road.RoundTrip(q)
}

// CloseIdleConnections ends the connections that are kept.
func (r *caTransport) CloseIdleConnections() {
	r.once.Do(func() { r.err = errRoots }) // nothing was asked, and nothing will be
	if r.road != nil {
		r.road.CloseIdleConnections()
	}
}

func (r *caTransport) open() {
	pool, err := roots(r.file)
	if err != nil {
		r.err = err
		return
	}
	r.road = transport(r.reads)
	r.road.TLSClientConfig.RootCAs = pool
}

// roots is the system's certificates and those of a file.
func roots(file string) (*x509.CertPool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errRoots
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostRoots))
	if err != nil {
		return nil, errRoots
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(b) {
		return nil, errRoots
	}
	return pool, nil
}
