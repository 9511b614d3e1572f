package api

import (
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
)

// maxCAFile is the maximum size of a certificate file, in bytes.
const maxCAFile = 1 << 20

// errCAFile replaces every error of reading the certificate file, because those quote its path.
var errCAFile = errors.New("the certificates in ca_file cannot be read")

// A caTransport trusts the certificates of a file in addition to those of the system. It reads the
// file at its first request, because creating a client does no I/O.
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

// CloseIdleConnections closes idle connections. Without an earlier request it also prevents later
// ones.
func (r *caTransport) CloseIdleConnections() {
	r.once.Do(func() { r.err = errCAFile })
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
