package keystore_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/api/timely"
)

// An authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// trusted is the only authority that this process trusts: TestMain makes it the system's.
var trusted authority

func TestMain(m *testing.M) {
	timely.SpareDisk()
	folder, err := os.MkdirTemp("", "paydesk-probe-")
	if err == nil {
		trusted, err = newAuthority("Paydesk Test Authority")
	}
	file := filepath.Join(folder, "roots.pem")
	if err == nil {
		err = os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: trusted.cert.Raw}), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("SSL_CERT_FILE", file)
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		os.Unsetenv(name)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

func newAuthority(name string) (authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return authority{}, err
	}
	c, err = x509.ParseCertificate(der)
	return authority{c, key}, err
}

// sign makes a certificate for 127.0.0.1, modified by change; without an authority it is
// self-signed.
func sign(t *testing.T, by authority, change func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "service"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90*24*time.Hour + time.Hour),
	}
	if change != nil {
		change(c)
	}
	if by.cert == nil {
		by = authority{c, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by.cert, &key.PublicKey, by.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLSErrorsAreReportedInWordsAPersonUnderstands(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes the authorities it trusts from SSL_CERT_FILE")
	}
	stranger, err := newAuthority("Stranger")
	if err != nil {
		t.Fatal(err)
	}
	good := sign(t, trusted, nil)
	for name, c := range map[string]struct {
		config *tls.Config
		want   map[string]string
	}{
		"good": {&tls.Config{Certificates: []tls.Certificate{good}},
			map[string]string{"TLS of base_url": "ok: TLS 1.3, certificate by CN=Paydesk Test Authority, valid for 90 more days", "key accepted": "ok", "status path": "ok"}},
		"ends soon": {&tls.Config{Certificates: []tls.Certificate{sign(t, trusted, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(50 * time.Hour) })}},
			map[string]string{"TLS of base_url": "warning: valid for 2 more days", "key accepted": "ok"}},
		"expired": {&tls.Config{Certificates: []tls.Certificate{sign(t, trusted, func(c *x509.Certificate) {
			c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
		})}}, map[string]string{"TLS of base_url": "failed: The certificate has expired or is not valid yet. / check the clock"}},
		"wrong name": {&tls.Config{Certificates: []tls.Certificate{sign(t, trusted, func(c *x509.Certificate) {
			c.IPAddresses, c.DNSNames = nil, []string{"elsewhere.example"}
		})}}, map[string]string{"TLS of base_url": "failed: The certificate is for another host name. / check that base_url names the host"}},
		"self-signed":   {&tls.Config{Certificates: []tls.Certificate{sign(t, authority{}, nil)}}, map[string]string{"TLS of base_url": "failed: self-signed"}},
		"unknown CA":    {&tls.Config{Certificates: []tls.Certificate{sign(t, stranger, nil)}}, map[string]string{"TLS of base_url": "failed: signed by an authority this machine does not trust. / if your company runs its own CA"}},
		"no TLS at all": {nil, map[string]string{"TLS of base_url": "failed: does not speak TLS. / check the port in base_url"}},
	} {
		t.Run(name, func(t *testing.T) {
			box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
			defer box.Close()
			s := httptest.NewUnstartedServer(http.Handler(box))
			s.TLS, s.Config.ErrorLog = c.config, log.New(io.Discard, "", 0)
			address := "https://"
			if c.config == nil {
				s.Start()
			} else {
				s.StartTLS()
			}
			defer s.Close()
			address += s.Listener.Addr().String()
			found := find(t, api.Config{BaseURL: address, ListURL: address, Key: secret(canary)})
			expect(t, found, c.want)
			if found["TLS of base_url"].State == "failed" {
				expect(t, found, map[string]string{"reach base_url": "ok: accepts connections", "key accepted": "skipped", "status path": "skipped", "clock": "skipped"})
			}
		})
	}
}
