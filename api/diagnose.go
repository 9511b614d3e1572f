package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// diagnose says once what kind of fault err is (R55), in words that hold no
// address: the texts of net, url and x509 repeat hosts and paths, so they are
// replaced and not quoted.
func diagnose(err error, sent bool) *transportError {
	f := &transportError{sent: sent}
	var dns *net.DNSError
	var slow net.Error
	switch tlsText := tlsWords(err); {
	case errors.Is(err, context.Canceled):
		f.kind = KindCancelled
	case errors.As(err, &dns):
		f.kind, f.text = KindDNS, dnsWords(dns)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		f.kind, f.text = KindTimeout, "the time ran out before there was a connection"
		if sent {
			f.text = "the time ran out while waiting for the answer"
		}
	case tlsText != "":
		f.kind, f.text = KindTLS, tlsText
	case !sent:
		f.kind, f.text = KindConnect, connectionWords(err, "no connection was made")
	case strings.Contains(err.Error(), "headers exceeded"):
		f.kind, f.text = KindTooLarge, "the headers of the answer are too large"
	default:
		f.kind, f.text = KindProtocol, connectionWords(err, "the connection broke off before a whole answer")
	}
	return f
}

const dnsNotFound = "there is no such host"

func dnsWords(e *net.DNSError) string {
	switch {
	case e.IsNotFound:
		return dnsNotFound
	case e.IsTimeout:
		return "the name server did not answer"
	}
	return "the name server could not say"
}

// tlsWords says what is wrong with the encryption; "" when that is not it.
func tlsWords(err error) string {
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, errCAFile):
		return errCAFile.Error()
	case errors.As(err, &name):
		return "the certificate is for another name"
	case errors.As(err, &authority) && signsItself(authority.Cert):
		return "the certificate is signed by itself, and so by nobody this machine trusts"
	case errors.As(err, &authority):
		return "the certificate is signed by nobody this machine trusts"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired, or is not valid yet"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "the certificate is not valid"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "the server does not speak TLS"
	}
	_, words, found := strings.Cut(err.Error(), "tls: ")
	switch {
	case !found:
		return ""
	case strings.Contains(words, "protocol version"):
		return "the server speaks only a version of TLS that is too old; 1.2 is the least"
	}
	return "tls: " + words
}

func signsItself(c *x509.Certificate) bool {
	return c != nil && c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// connectionWords says how a connection ended, or otherwise what is given.
func connectionWords(err error, otherwise string) string {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer was cut short"
	case errors.Is(err, io.EOF):
		return "the connection was closed without an answer"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "what came is not HTTP"
	}
	return otherwise
}
