package api

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crypto/tls"
)

func TestACAFileIsTrustedInAdditionToTheSystem(t *testing.T) {
	own := newIssuer(t)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"isSuccess":true,"value":{"status":"completed"}}`)
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{leaf(t, own, nil)}}
	s.StartTLS()
	defer s.Close()
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	right := write("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.cert.Raw}))
	other := write("other.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: newIssuer(t).cert.Raw}))
	for _, c := range []struct{ file, words string }{
		{right, ""},
		{other, "signed by an authority this machine does not trust"},
		{"", "signed by an authority this machine does not trust"},
		{write("none.pem", []byte("no certificate")), "ca_file cannot be read"},
		{filepath.Join(dir, "missing.pem"), "ca_file cannot be read"},
		{dir, "ca_file cannot be read"},
	} {
		client, err := New(Config{BaseURL: s.URL, ListURL: s.URL, Key: plainKey("sk_test_EXAMPLE"), Retries: -1, CAFile: c.file})
		if err != nil {
			t.Fatal(err)
		}
		_, posted := client.Finalize(t.Context(), "REF0001")
		_, read := client.Transaction(t.Context(), "REF0001")
		for _, err := range []error{posted, read} {
			f, failed := err.(*Failure)
			switch {
			case c.words == "" && err == nil:
			case !failed || f.Kind != KindTLS || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), dir):
				t.Errorf("%s: %v", filepath.Base(c.file), err)
			}
		}
		client.Close()
	}
}
