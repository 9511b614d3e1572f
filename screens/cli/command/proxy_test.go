//go:build linux

package command_test

import (
	"bufio"
	"bytes"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paydesk/api/sandbox"
)

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
	must(t, err)
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
	box := sandbox.New(sandbox.Options{Key: canary, Transactions: 3})
	s := httptest.NewTLSServer(box) // whose certificate is for example.com
	t.Cleanup(func() { s.Close(); box.Close() })
	roots := filepath.Join(t.TempDir(), "roots.pem")
	must(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	p := newProxy(t, s.Listener.Addr().String())
	h := newHost(t, "env", "https://example.com")
	h.Env["PAYDESK_SECRET_KEY"], h.Env["SSL_CERT_FILE"] = canary, roots
	h.Env["HTTPS_PROXY"] = "http://ada:passw0rd@" + p.l.Addr().String()
	said, status := h.run("", "doctor")
	for _, words := range []string{"through the proxy http://***@" + p.l.Addr().String(), "TLS 1.3, certificate by ", "ok       status path"} {
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
		if line != "CONNECT example.com:443" {
			t.Errorf("the proxy received: %s", line)
		}
	}
	if len(p.lines) < 2 || p.seen.Len() == 0 || bytes.Contains(p.seen.Bytes(), []byte("CANARY")) || bytes.Contains(p.seen.Bytes(), []byte("X-Api")) {
		t.Errorf("%d tunnels, in which it read %d bytes", len(p.lines), p.seen.Len())
	}
}
