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

// A transport is one of [http.Transport] that trusts the certificates of a file in addition to those of the system. It
// reads the file at its first request, because creating a client does no I/O.
type transport struct {
	*http.Transport
	caFile string // "" for none
	once   sync.Once
	err    error // of reading it
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	if err := t.trust(); err != nil {
		return nil, err
	}
	return t.Transport.RoundTrip(q)
}

// trust reads the file.
func (t *transport) trust() error {
	t.once.Do(func() {
		if t.caFile != "" {
			t.TLSClientConfig.RootCAs, t.err = loadRoots(t.caFile)
		}
	})
	return t.err
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
