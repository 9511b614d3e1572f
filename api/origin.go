package api

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// placeholder stands for the reference of a payment in a path.
const placeholder = "{reference}"

// ParseOrigin parses the origin of a service and its base path, without trailing slashes. It must be
// https, or http on loopback, without user information, query and fragment: anything else would send
// the key to the wrong place or in the clear.
func ParseOrigin(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case s == "":
		return nil, errors.New("must be a URL, such as https://payments.example")
	case lacksScheme(s) != "":
		return nil, errors.New("must begin with a scheme: add " + lacksScheme(s))
	case !IsVisible(s) || strings.Contains(s, `\`) || err != nil: // URL parsers read \ in more than one way
		return nil, errors.New("must be a valid URL: in ASCII, without spaces, such as https://payments.example")
	case strings.ContainsAny(s, "?#"):
		return nil, errors.New("must have no ? and no #: it is an address without a query or fragment")
	case u.User != nil:
		return nil, errors.New("must have no @: it is an address without a user or password")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("must begin with https://")
	case u.Hostname() == "" || strings.HasSuffix(u.Host, ":"):
		return nil, errors.New("must name a host, such as https://payments.example")
	case !IsHost(u.Hostname()):
		return nil, errors.New("must name a host: by its name, such as payments.example, or by its IP address without a zone (%)")
	case !IsPort(u.Port()):
		return nil, errors.New("must have a valid port: from 1 to 65535, or none")
	case u.Scheme == "http" && !IsLoopback(u.Hostname()):
		return nil, errors.New("must begin with https:// (http:// is for this machine only, such as http://127.0.0.1:8080)")
	case hasDotSegment(u.EscapedPath()):
		return nil, errors.New("must have a plain path, with no . and no .. as a part of it")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// IsInUse reports whether another program listens at an address, by the error of listening there. Windows calls it 10048.
func IsInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.Errno(10048))
}

// lacksScheme returns the scheme that a text lacks to be an address; "" where something else is wrong.
func lacksScheme(s string) string {
	u, err := url.Parse("//" + s)
	switch {
	case strings.Contains(s, "//") || err != nil || u.User != nil || !IsVisible(s) || !IsHost(u.Hostname()) || !IsPort(u.Port()):
		return ""
	case IsLoopback(u.Hostname()):
		return "http://"
	case strings.Contains(u.Hostname(), "."):
		return "https://"
	}
	return ""
}

// ParseTarget parses a URL that events are passed on to.
func ParseTarget(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case !IsVisible(s) || err != nil || len(s) > maxAddress || u.Scheme != "http" && u.Scheme != "https" || !IsHost(u.Hostname()) ||
		strings.HasSuffix(u.Host, ":") || !IsPort(u.Port()):
		return nil, errors.New("must be a URL in ASCII that begins with https:// or http://, such as http://127.0.0.1:3000/hooks")
	case u.User != nil:
		return nil, errors.New("must not contain a user or password (@)")
	case strings.Contains(s, "#"):
		return nil, errors.New("must not have a fragment (#)")
	}
	return u, nil
}

// OriginOf returns the scheme, host and port of a URL, without the port that its scheme has anyway.
func OriginOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if usual, is := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]; is {
		host = strings.TrimSuffix(host, usual)
	}
	return u.Scheme + "://" + host
}

// CheckPath checks a path such as /api/payment/transactions/{reference}, and its query.
func CheckPath(s string) error {
	segments, _, _ := strings.Cut(s, "?")
	u, err := url.Parse("https://payments.example" + strings.ReplaceAll(segments, placeholder, "a"))
	switch {
	case !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//"):
		return errors.New("must begin with one /")
	case !IsVisible(s) || strings.ContainsAny(s, `\#`):
		return errors.New(`must contain only ASCII characters, no spaces, no \ and no #`)
	case strings.Count(s, placeholder) != 1:
		return errors.New("must contain {reference} exactly once")
	case err != nil || u.Host != "payments.example" || hasDotSegment(segments):
		return errors.New("must be a path such as /api/payment/transactions/{reference}")
	}
	return nil
}

// standardHeaders cannot carry the key, because that would change how a request is sent: Go's
// transport repeats a POST by itself when it carries an idempotency key.
var standardHeaders = []string{
	"idempotency-key", "x-idempotency-key", "host", "content-length", "content-type", "content-encoding",
	"transfer-encoding", "connection", "accept", "accept-encoding", "user-agent", "trailer", "upgrade", "te",
	"expect", "cookie",
}

// CheckHeader checks the name of the header that carries the key.
func CheckHeader(name string) error {
	switch {
	case !isToken(name, 64, "!#$%&'*+-.^_`|~"): // as a header is named (RFC 9110)
		return errors.New("must be the name of a header, such as X-Api")
	case slices.Contains(standardHeaders, strings.ToLower(name)):
		return errors.New("must not be a header that HTTP itself uses; the service has one for keys, such as X-Api")
	}
	return nil
}

// IsVisible reports whether s is not empty and consists of visible ASCII characters.
func IsVisible(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// IsHost reports whether host is an IP address without a zone, which means something on one machine
// only, or a name without empty or oversized labels (RFC 1035).
func IsHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	ok := len(host) <= 253 && !strings.ContainsAny(host, ":%")
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		ok = ok && label != "" && len(label) <= 63
	}
	return ok
}

// IsPort reports whether s is "" or a port that can be connected to.
func IsPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

// IsLoopback reports whether a host is localhost or a loopback IP address.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// hasDotSegment reports whether a path contains . or .. segments, which servers resolve.
func hasDotSegment(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if p, err := url.PathUnescape(part); err != nil || p == "." || p == ".." {
			return true
		}
	}
	return false
}

// Dialer returns a dialer for an address. Where that is localhost, it refuses any other machine that the name leads to.
func Dialer(address string) net.Dialer {
	d := net.Dialer{}
	if host, _, err := net.SplitHostPort(address); err == nil && IsLoopback(host) {
		d.Control = onlyLoopback
	}
	return d
}

func onlyLoopback(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !a.Addr().Unmap().IsLoopback() {
		return errors.New("localhost is not this machine")
	}
	return nil
}
