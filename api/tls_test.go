package api

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api/money"
	"paydesk/api/sandbox/faulttest"
	"paydesk/api/timely"
)

type plainKey string

func (k plainKey) Expose() string { return string(k) }

// An issuer signs certificates.
type issuer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newIssuer(t testing.TB) issuer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	return issuer{certificate(t, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, issuer{}, key), key}
}

// certificate signs c for key; without an issuer it is self-signed.
func certificate(t testing.TB, c *x509.Certificate, by issuer, key *ecdsa.PrivateKey) *x509.Certificate {
	c.SerialNumber, c.Subject = big.NewInt(1), pkix.Name{CommonName: "test"}
	if c.NotAfter.IsZero() {
		c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	}
	if by.cert == nil {
		by = issuer{c, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by.cert, &key.PublicKey, by.key)
	noError(t, err)
	created, err := x509.ParseCertificate(der)
	noError(t, err)
	return created
}

// leaf is a certificate for a server on loopback, modified by change.
func leaf(t testing.TB, by issuer, change func(*x509.Certificate)) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	c := &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if change != nil {
		change(c)
	}
	return tls.Certificate{Certificate: [][]byte{certificate(t, c, by, key).Raw}, PrivateKey: key}
}

// networkOf is the transport of net/http below a client's.
func networkOf(hc *http.Client) *http.Transport {
	return hc.Transport.(*http.Transport)
}

// trust writes a file that makes a client trust what by has signed, besides what the machine trusts.
func trust(t testing.TB, by issuer) (file string) {
	file = filepath.Join(t.TempDir(), "ca.pem")
	noError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: by.cert.Raw}), 0o600))
	return file
}

func TestNothingIsSentOverAConnectionThatCannotBeTrusted(t *testing.T) {
	trusted, stranger := newIssuer(t), newIssuer(t)
	good := leaf(t, trusted, nil)
	for name, test := range map[string]struct {
		config *tls.Config
		words  string // "" when the connection is good
	}{
		"good":             {&tls.Config{Certificates: []tls.Certificate{good}}, ""},
		"good over HTTP/2": {&tls.Config{Certificates: []tls.Certificate{good}, NextProtos: []string{"h2", "http/1.1"}}, ""},
		"expired": {&tls.Config{Certificates: []tls.Certificate{leaf(t, trusted, func(c *x509.Certificate) {
			c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
		})}}, "the certificate has expired"},
		"wrong name": {&tls.Config{Certificates: []tls.Certificate{leaf(t, trusted, func(c *x509.Certificate) {
			c.IPAddresses, c.DNSNames = nil, []string{"elsewhere.example"}
		})}}, "the certificate is for another host name"},
		"self-signed":    {&tls.Config{Certificates: []tls.Certificate{leaf(t, issuer{}, nil)}}, "the certificate is self-signed, and this machine does not trust it"},
		"unknown issuer": {&tls.Config{Certificates: []tls.Certificate{leaf(t, stranger, nil)}}, "the certificate is signed by an authority this machine does not trust"},
		"not for servers": {&tls.Config{Certificates: []tls.Certificate{leaf(t, trusted, func(c *x509.Certificate) {
			c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		})}}, "the certificate is not valid"},
		"TLS 1.1": {&tls.Config{Certificates: []tls.Certificate{good}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, "only TLS versions older than 1.2"},
	} {
		t.Run(name, func(t *testing.T) {
			var requests, second atomic.Int32
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				requests.Add(1)
				if r.ProtoMajor == 2 {
					second.Add(1)
				}
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, `{"isSuccess":true,"value":{"status":"completed","paymentReference":"REF0001"}}`)
			}))
			s.TLS, s.EnableHTTP2 = test.config, strings.Contains(name, "HTTP/2")
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.StartTLS()
			defer s.Close()
			c, err := New(Config{BaseURL: s.URL, ListURL: s.URL, Key: plainKey("sk_test_EXAMPLE"), Retries: -1, CAFile: trust(t, trusted)})
			noError(t, err)
			defer c.Close()
			_, posted := c.Finalize(t.Context(), "REF0001")
			_, read := c.Transaction(t.Context(), "REF0001")
			if test.words == "" {
				if posted != nil || read != nil || requests.Load() != 2 {
					t.Errorf("%d requests: %v, %v", requests.Load(), posted, read)
				}
				if n := second.Load(); s.EnableHTTP2 && n != 1 {
					t.Errorf("%d requests by HTTP/2, want the read alone", n)
				}
				return
			}
			for _, err := range []error{posted, read} {
				f, ok := err.(*Failure)
				if !ok || f.Kind != KindTLS || !strings.Contains(f.Error(), test.words) {
					t.Errorf("%v does not say %q", err, test.words)
				}
			}
			if requests.Load() != 0 {
				t.Errorf("%d requests arrived", requests.Load())
			}
		})
	}
}

func TestTheTransportOfPOSTsCannotReplay(t *testing.T) {
	r, p := networkOf(Config{}.client(true)), networkOf(Config{}.client(false))
	if !p.DisableKeepAlives || p.Protocols.HTTP2() || p.Protocols.UnencryptedHTTP2() || !p.Protocols.HTTP1() {
		t.Error("the transport of POSTs keeps connections or speaks HTTP/2")
	}
	for _, tr := range []*http.Transport{r, p} {
		if tr.TLSClientConfig.MinVersion != tls.VersionTLS12 || tr.TLSClientConfig.InsecureSkipVerify || !tr.DisableCompression || tr.MaxResponseHeaderBytes != 64<<10 || tr.TLSHandshakeTimeout != 10*time.Second {
			t.Error("a transport is looser than it should be")
		}
	}
	c, err := New(Config{BaseURL: "https://a.example", ListURL: "https://b.example", Key: plainKey("sk_test_EXAMPLE")})
	noError(t, err)
	body := []byte("{}")
	req, err := c.request(t.Context(), request{origin: c.base, path: "/x", body: body}, &wipedBody{b: body})
	if err != nil || req.GetBody != nil || req.ContentLength != 2 {
		t.Errorf("%v: the body can be had again, or its length is not known", err)
	}
	foreign, _ := ParseOrigin("https://c.example")
	if _, err := c.request(t.Context(), request{origin: foreign, path: "/x"}, &wipedBody{}); err == nil {
		t.Error("the key goes to an origin that is not configured")
	}
}

// A body is wiped after the exchange, and a late reader gets an error instead of wiped bytes.
func TestTheRequestIsWipedAfterTheExchange(t *testing.T) {
	b := []byte("4242424242424242")
	body := &wipedBody{b: b}
	half := make([]byte, 8)
	if n, err := body.Read(half); n != 8 || err != nil {
		t.Fatal(n, err)
	}
	body.wipe()
	if n, err := body.Read(half); n != 0 || err == nil || err == io.EOF {
		t.Errorf("read %d bytes and %v after it was wiped", n, err)
	}
	if strings.Trim(string(b), "\x00") != "" {
		t.Errorf("left %q", b)
	}
}

// A transport copies a body through a buffer, and leaves that to the collector as it is.
func TestWhatABodyIsCopiedThroughKeepsNothingOfIt(t *testing.T) {
	const sent = `{"number":"4242424242424242","cvv":"123"}`
	body := &wipedBody{b: []byte(sent)}
	var got strings.Builder
	buffer := make([]byte, 64)
	n, err := io.CopyBuffer(struct{ io.Writer }{&got}, io.LimitReader(body, int64(len(sent))), buffer)
	if got.String() != sent || n != int64(len(sent)) || err != nil {
		t.Errorf("%d bytes written, %v: %q", n, err, got.String())
	}
	if left := strings.Trim(string(buffer), "\x00"); left != "}" {
		t.Errorf("left %q", left)
	}
}

func TestTheBufferOfAPaymentIsEmptyAfterIt(t *testing.T) {
	pound, err := money.ParseCurrency("GBP")
	noError(t, err)
	for name, answer := range map[string]string{"answered": "HTTP/1.1 200 OK\r\n\r\n", "closed": ""} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		noError(t, err)
		go func() {
			defer ln.Close()
			c, err := ln.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, answer)
			c.Close()
		}()
		c, err := New(Config{BaseURL: "http://" + ln.Addr().String(), ListURL: "http://127.0.0.1", Key: plainKey("sk_test_EXAMPLE")})
		noError(t, err)
		body, _, err := c.initiationBytes(Initiation{Amount: money.Amount{Minor: 1, Currency: pound}, Channel: ChannelTransfer})
		if err != nil || len(body) == 0 {
			t.Fatal(err)
		}
		c.post(t.Context(), request{origin: c.base, path: "/x", body: body, limit: smallBody})
		if strings.Trim(string(body), "\x00") != "" {
			t.Errorf("%s: left %q", name, body)
		}
	}
}

func TestACAFileThatCannotBeReadIsNamedByItsSetting(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.pem")
	noError(t, os.WriteFile(none, []byte("no certificate"), 0o600))
	for _, file := range []string{none, filepath.Join(dir, "missing.pem"), dir} {
		c, err := New(Config{BaseURL: "https://127.0.0.1:1", ListURL: "https://127.0.0.1:1", Key: plainKey("sk_test_EXAMPLE"), Retries: -1, CAFile: file})
		noError(t, err)
		_, posted := c.Finalize(t.Context(), "REF0001")
		_, read := c.Transaction(t.Context(), "REF0001")
		for _, err := range []error{posted, read} {
			f, failed := err.(*Failure)
			if !failed || f.Kind != KindTLS || !strings.Contains(err.Error(), "ca_file cannot be read") || strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
		c.Close()
	}
}

func TestAddressesByTheirParts(t *testing.T) {
	for text, want := range map[string]string{
		"https://bank.example":                  "",
		"https://bank.example:8443/3ds?a=b&c#d": "",
		"http://127.0.0.1:8099/bank/x":          "",
		"":                                      "there is no URL",
		"https://" + strings.Repeat("a", 2041):  "the URL is longer than 2048 characters",
		"http://localhost.evil.test/":           "the URL does not begin with https://",
		"https://:443/":                         "the URL has no valid host",
		"https://bank.example:65536/":           "the URL has no valid host",
		"https://u:p@bank.example/":             "the URL contains a user name",
		"https://bank.example/'x":               "the URL contains a space, a quote, a backslash or a non-ASCII character",
		"https://bank.example\\@evil.test/":     "the URL contains a space, a quote, a backslash or a non-ASCII character",
		"https://bank.example/%zz":              "the URL cannot be parsed",
	} {
		_, err := ParseAddress(text)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%.60q: %v, want %v", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "bank") {
			t.Errorf("the reason quotes: %v", err)
		}
	}
	a, _ := ParseAddress("https://bank.example:8443?x=/y#z")
	if a.Host() != "bank.example:8443" || (Address{}).Host() != "" || !(Address{}).IsZero() || a.IsZero() {
		t.Errorf("host %q", a.Host())
	}
}

// Each part of the query that is redirect=true or redirect=false is changed, and nothing else. The first of them is the value.
func TestWithRedirectChangesItsPartsAndNothingElse(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"redirect=true", "redirect=false", "a=%2F", "b=+", "redirect=", "redirect", "Redirect=true", "redirect=TRUE", "%72edirect=true", "a?redirect=true",
		"x", "", "redirect=true?", "c=redirect=true",
	})
	rapid.Check(t, func(t *rapid.T) {
		parts, first := rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), ""
		fragment := rapid.SampledFrom([]string{"", "#", "#redirect=true", "#?redirect=true&"}).Draw(t, "fragment")
		address := func() string {
			if len(parts) == 0 {
				return "https://bank.example/redirect=true" + fragment
			}
			return "https://bank.example/redirect=true?" + strings.Join(parts, "&") + fragment
		}
		a, err := ParseAddress(address())
		if err != nil {
			t.Fatalf("%v", err)
		}
		for i, p := range parts {
			if p == "redirect=true" || p == "redirect=false" {
				first, parts[i] = cmp.Or(first, p), "redirect=false"
			}
		}
		value, present := a.Redirect()
		if off := a.WithRedirect(false).String(); off != address() || present != (first != "") || value != (first == "redirect=true") {
			t.Fatalf("%q is %v, %v, and off it is %q", a, value, present, off)
		}
		if on := a.WithRedirect(true); on.WithRedirect(false) != a.WithRedirect(false) || on.Host() != a.Host() {
			t.Fatalf("%q does not go back: %q", a, on)
		}
	})
}

func FuzzParseAddress(f *testing.F) {
	for _, h := range faulttest.Texts("url") {
		f.Add(h.Text)
	}
	for _, h := range faulttest.Texts("bidi", "confusable", "csi", "osc8", "invisible") {
		f.Add("https://bank.example/" + h.Text)
	}
	for _, s := range []string{"https://bank.example:8443/3ds?redirect=true&x=%20#y", "http://127.0.0.1:1/", "https://[::1]/"} {
		f.Add(s)
	}
	shape := regexp.MustCompile(`^(?i:https?)://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?([/?#][!#-&(-\[\]-_a-~]*)?$`)
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			if !a.IsZero() {
				t.Fatalf("%q is refused and given", s)
			}
			return
		}
		if a.String() != s || len(s) > 2048 || !shape.MatchString(s) || Clean(s).String() != s {
			t.Fatalf("%q is accepted as %q", s, a)
		}
	})
}

func TestEachOperationOfTheServiceHasItsRule(t *testing.T) {
	service := reflect.TypeFor[Service]()
	if n := service.NumMethod(); n != len(rules) {
		t.Errorf("%d methods and %d rules", n, len(rules))
	}
	for m := range service.Methods() {
		r := Operation(m.Name).Rule()
		if sends := map[string]bool{"Initiate": true, "CreateLink": true, "Finalize": true}[m.Name]; r.Allowed == 0 || r.Sends() != sends {
			t.Errorf("%s has no rule, or another one: %+v", m.Name, r)
		} else if sends && r.Allowed != WhenUnlocked {
			t.Errorf("%s changes something: it must be allowed only when unlocked", m.Name)
		}
	}
}

var noError = timely.Must
