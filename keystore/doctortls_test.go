package keystore_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/api/servicetest"
	"paydesk/api/timely"
)

func TestMain(m *testing.M) {
	timely.SpareDisk()
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		os.Unsetenv(name)
	}
	os.Exit(m.Run())
}

// sign makes a certificate for 127.0.0.1, modified by change, and a file by which a client trusts it. It is self-signed
// unless change names another issuer.
func sign(t *testing.T, change func(c, issuer *x509.Certificate)) (of tls.Certificate, file string) {
	t.Helper()
	key, err1 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	other, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, errors.Join(err1, err2))
	c := x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "service"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90*24*time.Hour + time.Hour),
	}
	issuer := c
	signer := key
	if change(&c, &issuer); issuer.Subject.CommonName != c.Subject.CommonName {
		signer = other
	}
	der, err := x509.CreateCertificate(rand.Reader, &c, &issuer, &key.PublicKey, signer)
	must(t, err)
	file = filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// The words for what is wrong with a connection are those of the client; what to do is the doctor's.
func TestTLSErrorsAreReportedInWordsAPersonUnderstands(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(c, issuer *x509.Certificate) // nil for no TLS at all
		trusted bool
		want    string
	}{
		"good":          {func(_, _ *x509.Certificate) {}, true, "ok: TLS 1.3, certificate by CN=service, valid for 90 more days"},
		"ends soon":     {func(c, _ *x509.Certificate) { c.NotAfter = time.Now().Add(50 * time.Hour) }, true, "warning: valid for 2 more days"},
		"expired":       {func(c, _ *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, true, "failed: The certificate has expired or is not valid yet. / check the clock"},
		"wrong name":    {func(c, _ *x509.Certificate) { c.IPAddresses = nil }, true, "failed: check that base_url names the host"},
		"self-signed":   {func(_, _ *x509.Certificate) {}, false, "failed: self-signed"},
		"unknown CA":    {func(_, i *x509.Certificate) { i.Subject.CommonName = "Stranger" }, false, "failed: if your company runs its own CA"},
		"no TLS at all": {nil, false, "failed: does not speak TLS. / check the port in base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
			defer box.Close()
			s := httptest.NewUnstartedServer(http.Handler(box))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			config := api.Config{Key: servicetest.Key(canary)}
			if c.change == nil {
				s.Start()
			} else {
				certificate, file := sign(t, c.change)
				s.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
				if c.trusted {
					config.CAFile = file
				}
				s.StartTLS()
			}
			defer s.Close()
			config.BaseURL = "https://" + s.Listener.Addr().String()
			config.ListURL = config.BaseURL
			found, rest := find(t, config), map[string]string{"key accepted": "ok", "status path": "ok"}
			expect(t, found, map[string]string{"TLS of base_url": c.want})
			if found["TLS of base_url"].State == "failed" {
				rest = map[string]string{"reach base_url": "ok: accepts connections", "key accepted": "skipped", "status path": "skipped", "clock": "skipped"}
			}
			expect(t, found, rest)
		})
	}
}
