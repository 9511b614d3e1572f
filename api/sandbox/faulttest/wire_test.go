package faulttest_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
)

// exchangeWithFault sends a POST with a fault over a connection of its own, and reads the
// response to its end, but at most so many bytes.
func exchangeWithFault(t *testing.T, fault string, most int64) (wire []byte, ended error) {
	t.Helper()
	s := sandbox.New(sandbox.Options{Faults: faulttest.All()})
	server, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := s.Arm("validate", fault, 1); err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(server.Origin(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := `{"amount":{"currencyCode":"GBP","amount":5}}`
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		"/api/payment/pay/validate", sandbox.KeyHeader, s.Key(), len(body), body)
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	wire, ended = io.ReadAll(io.LimitReader(c, most))
	return wire, ended
}

func TestFaultsAreOnTheWireWhatTheirNamesSay(t *testing.T) {
	true200 := `{"value":{"isValid":true,`
	for _, c := range []struct {
		fault string
		is    func(wire string, ended error) bool
	}{
		{"F8", func(w string, e error) bool { return w == "" && e == nil }},
		{"F9", func(w string, e error) bool { return w == "" && isReset(e) }},
		{"F11", func(w string, e error) bool { return w == "" && e == nil }},
		{"F12", func(w string, e error) bool { return w == "" && isReset(e) }},
		{"F14", func(w string, e error) bool { return strings.HasSuffix(w, "Content-Length: 400\r\n\r\n") && e == nil }},
		{"F15", func(w string, _ error) bool {
			return contentLength(w) > len(bodyOf(w)) && strings.HasPrefix(bodyOf(w), true200)
		}},
		{"F16", func(w string, _ error) bool {
			return strings.Contains(w, "Transfer-Encoding: chunked") && strings.Contains(w, true200) && !strings.Contains(w, "\r\n0\r\n")
		}},
		{"F18", func(w string, _ error) bool {
			return strings.Index(w, "\r\n\r\n") >= 9<<20 && contentLength(w) == len(bodyOf(w))
		}},
		{"F19", func(w string, _ error) bool {
			return strings.Count(w, "HTTP/1.1 103 Early Hints\r\n\r\n") == 1000 && strings.Contains(w, "HTTP/1.1 200 OK\r\n") && strings.Contains(w, true200)
		}},
		{"F20", func(w string, _ error) bool {
			return strings.HasPrefix(w, "HTTP/1.1 502 ") && strings.Contains(w, "<h1>Bad Gateway")
		}},
		{"F21", func(w string, _ error) bool {
			return strings.HasPrefix(w, "HTTP/1.1 200 ") && strings.Contains(w, "text/html")
		}},
		{"F22", func(w string, _ error) bool {
			return strings.Contains(w, "text/plain") && strings.HasPrefix(bodyOf(w), true200)
		}},
		{"F23", func(w string, _ error) bool {
			return contentLength(w) == 0 && bodyOf(w) == "" && strings.Contains(w, "application/json; charset=utf-8")
		}},
		{"F24", func(w string, _ error) bool { return strings.HasPrefix(w, "HTTP/1.1 204 ") && bodyOf(w) == "" }},
		{"F25", func(w string, _ error) bool { return strings.HasPrefix(bodyOf(w), "\ufeff"+true200) }},
		{"F26", func(w string, _ error) bool { return strings.HasPrefix(fromUTF16(bodyOf(w)), "\ufeff"+true200) }},
		{"F27", func(w string, _ error) bool { return strings.HasPrefix(gunzip(bodyOf(w)), true200) }},
		{"F30", func(w string, _ error) bool {
			b := bodyOf(w)
			return strings.HasPrefix(b, true200) && nestingDepth(b) == 10_001
		}},
		{"F32", func(w string, _ error) bool {
			return strings.Contains(w, `"isSuccess":true`) && strings.Contains(w, `"isSuccess":false`)
		}},
		{"F33", func(w string, _ error) bool {
			return strings.Contains(w, `"isSuccess":true`) && strings.Contains(w, `"IsSuccess":false`)
		}},
		{"F34", func(w string, _ error) bool { return strings.Contains(w, "\"message\":\"caf\xe9 \xff\xfe\"") }},
		{"F35", func(w string, _ error) bool { return strings.Contains(w, `"message":"half \ud800 a pair"`) }},
		{"F39", func(w string, _ error) bool { return strings.Contains(w, `"alias":12345`) }},
		{"F40", func(w string, _ error) bool { return strings.Contains(w, `"value":null`) }},
		{"F41", func(w string, _ error) bool { return strings.HasPrefix(bodyOf(w), `{"isSuccess":true`) }},
		{"F42", func(w string, _ error) bool { return strings.HasPrefix(bodyOf(w), `{"value":[{"isValid":true`) }},
		{"F43", func(w string, _ error) bool { return strings.Count(w, true200) == 2 }},
		{"F44", redirects(301, "/_sandbox/astray")}, {"F45", redirects(302, "/_sandbox/astray")}, {"F46", redirects(303, "/_sandbox/astray")},
		{"F47", redirects(307, "/_sandbox/astray")}, {"F48", redirects(308, "/_sandbox/astray")}, {"F49", redirects(307, "/_sandbox/loop")},
		{"F55", func(w string, _ error) bool { return strings.Contains(w, "\r\nRetry-After: 7\r\n") }},
		{"F56", func(w string, _ error) bool {
			return strings.HasPrefix(w, "HTTP/1.1 429 ") && !strings.Contains(w, "Retry-After")
		}},
	} {
		t.Run(c.fault, func(t *testing.T) {
			wire, ended := exchangeWithFault(t, c.fault, 16<<20)
			if !c.is(string(wire), ended) {
				t.Errorf("%d bytes, ended by %v: %.600q", len(wire), ended, wire)
			}
		})
	}
}

// isReset also knows the number of Windows.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.Errno(10054))
}

func redirects(status int, path string) func(string, error) bool {
	return func(w string, _ error) bool {
		return strings.HasPrefix(w, fmt.Sprintf("HTTP/1.1 %d ", status)) && strings.Contains(w, "\r\nLocation: "+path+"\r\n")
	}
}

func bodyOf(wire string) string {
	_, body, _ := strings.Cut(wire, "\r\n\r\n")
	return body
}

// contentLength is the Content-Length of a response.
func contentLength(wire string) int {
	n := -1
	if _, rest, is := strings.Cut(wire, "Content-Length: "); is {
		fmt.Sscan(rest, &n)
	}
	return n
}

func fromUTF16(s string) string {
	var units []uint16
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])|uint16(s[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

func gunzip(s string) string {
	z, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		return err.Error()
	}
	b, _ := io.ReadAll(z)
	return string(b)
}

// nestingDepth is the depth of a JSON document.
func nestingDepth(document string) (most int) {
	depth := 0
	for _, r := range document {
		switch r {
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}
