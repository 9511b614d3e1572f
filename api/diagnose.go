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

// diagnose classifies a transport error. Its texts are our own: those of net, url and x509 repeat
// hosts and paths.
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
		f.kind, f.text = KindTimeout, "timed out before a connection was made"
		if sent {
			f.text = "timed out while waiting for the response"
		}
	case tlsText != "":
		f.kind, f.text = KindTLS, tlsText
	case !sent:
		f.kind, f.text = KindConnect, connectionWords(err, "no connection was made")
	case strings.Contains(err.Error(), "headers exceeded"):
		f.kind, f.text = KindTooLarge, "the response headers are too large"
	default:
		f.kind, f.text = KindProtocol, connectionWords(err, "the connection broke before the response was complete")
	}
	return f
}

const dnsNotFound = "no such host"

func dnsWords(e *net.DNSError) string {
	switch {
	case e.IsNotFound:
		return dnsNotFound
	case e.IsTimeout:
		return "the name server did not answer"
	}
	return "the name server failed"
}

// tlsWords describes a TLS error; it returns "" for any other.
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
		return "the certificate is for another host name"
	case errors.As(err, &authority) && signsItself(authority.Cert):
		return "the certificate is self-signed, and this machine does not trust it"
	case errors.As(err, &authority):
		return "the certificate is signed by an authority this machine does not trust"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not valid yet"
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
		return "the server supports only TLS versions older than 1.2"
	}
	return "tls: " + words
}

func signsItself(c *x509.Certificate) bool {
	return c != nil && c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// connectionWords describes how a connection ended, or returns otherwise.
func connectionWords(err error, otherwise string) string {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the response was cut off"
	case errors.Is(err, io.EOF):
		return "the connection was closed without a response"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "the response is not HTTP"
	}
	return otherwise
}
