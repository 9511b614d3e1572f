//go:build linux

package command_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api/sandbox"
)

// newTLSSandbox returns a sandbox behind TLS with the name payments.example, and the file with
// its certificate authority.
func newTLSSandbox(t *testing.T) (address, roots string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "payments.example"}, DNSNames: []string{"payments.example"},
		IsCA: true, BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(99 * 24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	roots = filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
	s := httptest.NewUnstartedServer(box)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	t.Cleanup(func() { s.Close(); box.Close() })
	return s.Listener.Addr().String(), roots
}

// A proxy makes tunnels to one address and records what it can read.
type proxy struct {
	to string
	l  net.Listener

	mu    sync.Mutex
	lines []string
	seen  bytes.Buffer // what goes through
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{to: to, l: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p
}

func (p *proxy) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	p.mu.Lock()
	p.lines = append(p.lines, r.Method+" "+r.RequestURI)
	p.mu.Unlock()
	if p.to == "" {
		_, _ = io.WriteString(c, "HTTP/1.1 403 Forbidden\r\n\r\n")
		return
	}
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer out.Close()
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(c, out)
		c.Close()
	}()
	_, _ = io.Copy(out, io.TeeReader(in, p))
}

func (p *proxy) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Write(b)
}

func TestAProxySeesNamesAndNeverTheKey(t *testing.T) {
	address, roots := newTLSSandbox(t)
	p := newProxy(t, address)
	h := newHost(t, "env", "https://payments.example")
	h.Env["PAYDESK_SECRET_KEY"], h.Env["SSL_CERT_FILE"] = canary, roots
	h.Env["HTTPS_PROXY"] = "http://ada:passw0rd@" + p.l.Addr().String()
	said, status := h.run("", "doctor")
	for _, words := range []string{"through the proxy http://***@" + p.l.Addr().String(), "TLS 1.3, certificate by CN=payments.example, valid for 98 more days", "ok       status path"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(words), " ")) {
			t.Errorf("it does not say %q", words)
		}
	}
	if status != 0 || strings.Contains(said, "passw0rd") || strings.Contains(said, "ada") {
		t.Errorf("%d: %s", status, said)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		if line != "CONNECT payments.example:443" {
			t.Errorf("the proxy received: %s", line)
		}
	}
	if len(p.lines) < 2 || p.seen.Len() == 0 || bytes.Contains(p.seen.Bytes(), []byte("CANARY")) || bytes.Contains(p.seen.Bytes(), []byte("X-Api")) {
		t.Errorf("%d tunnels, in which it read %d bytes", len(p.lines), p.seen.Len())
	}
}

func TestAProxyThatRefusesIsNamed(t *testing.T) {
	p := newProxy(t, "")
	h := newHost(t, "env", "https://payments.example")
	h.Env["PAYDESK_SECRET_KEY"], h.Env["HTTPS_PROXY"] = canary, "http://"+p.l.Addr().String()
	said, status := h.run("", "doctor")
	if status != 1 || !strings.Contains(said, "failed   reach base_url") || !strings.Contains(said, "the proxy may be down") {
		t.Errorf("%d: %s", status, said)
	}
}
