package api

import (
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
)

// maxCAFile is how large a file of certificates may be, in bytes.
const maxCAFile = 1 << 20

// errCAFile stands for whatever keeps a file of certificates from being used: its path is
// not for errors.
var errCAFile = errors.New("the certificates of ca_file cannot be read")

// A caTransport road trusts the certificates of a file besides those of the system (R57). It
// reads them with its first request, since making a client opens no file.
type caTransport struct {
	file  string
	reads bool

	once      sync.Once
	transport *http.Transport
	err       error
}

// RoundTrip implements [http.RoundTripper].
func (r *caTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	r.once.Do(r.open)
	if r.err != nil {
		return nil, r.err
	}
	return r.transport.RoundTrip(q)
}

// CloseIdleConnections ends the connections that are kept.
func (r *caTransport) CloseIdleConnections() {
	r.once.Do(func() { r.err = errCAFile }) // nothing was asked, and nothing will be
	if r.transport != nil {
		r.transport.CloseIdleConnections()
	}
}

func (r *caTransport) open() {
	pool, err := loadRoots(r.file)
	if err != nil {
		r.err = err
		return
	}
	r.transport = transport(r.reads)
	r.transport.TLSClientConfig.RootCAs = pool
}

// loadRoots is the system's certificates and those of a file.
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
