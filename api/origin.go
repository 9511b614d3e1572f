package api

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// parseOrigin parses the origin of a service and its base path, without trailing slashes. It must be
// https, or http on loopback, without user information, query and fragment: anything else would send
// the key to the wrong place or in the clear. The errors do not quote the URL.
func parseOrigin(s string) (*url.URL, error) {
	switch {
	case s == "":
		return nil, errors.New("it is missing")
	case !isVisibleASCII(s):
		return nil, errors.New("it contains spaces or non-ASCII characters")
	case strings.ContainsAny(s, `\`):
		return nil, errors.New(`it contains a \`)
	case strings.Contains(s, "#"):
		return nil, errors.New("it has a fragment (#)")
	case strings.Contains(s, "?"):
		return nil, errors.New("it has a query (?)")
	}
	u, err := url.Parse(s)
	if err != nil || u.Opaque != "" {
		return nil, errors.New("it is not a URL such as https://payments.example")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("it contains user information (@)")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("it does not begin with https://")
	case u.Hostname() == "" || strings.HasSuffix(u.Host, ":"):
		return nil, errors.New("it has no host")
	case !isHost(u.Hostname()):
		return nil, errors.New("its host is neither a name nor an IP address without a zone")
	case !isPort(u.Port()):
		return nil, errors.New("its port is not from 1 to 65535")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("it must begin with https://; http:// is only for loopback addresses")
	case hasDotSegment(u.EscapedPath()):
		return nil, errors.New("its path contains . or .. segments")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// isHost reports whether host is an IP address without a zone, or a name without empty or oversized
// labels (RFC 1035).
func isHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	ok := len(host) <= 253 && !strings.ContainsAny(host, ":%")
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		ok = ok && label != "" && len(label) <= 63
	}
	return ok
}

// isPort reports whether s is "" or a port that can be connected to.
func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

// isLoopback reports whether a host is localhost or a loopback IP address.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
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

// A path is the path and query of an operation, with a placeholder for a reference.
type path struct{ segments, query string }

const placeholder = "{reference}"

// parsePath parses a path such as /api/payment/transactions/{reference}.
func parsePath(s string) (path, error) {
	switch {
	case !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//"):
		return path{}, errors.New("it must begin with a single /")
	case !isVisibleASCII(s) || strings.ContainsAny(s, `\#`):
		return path{}, errors.New(`it contains spaces, \, # or non-ASCII characters`)
	case strings.Count(s, placeholder) != 1:
		return path{}, errors.New("it must contain {reference} exactly once")
	}
	segments, query, _ := strings.Cut(s, "?")
	p := path{segments, query}
	u, err := url.Parse("https://payments.example" + p.expand("a"))
	if err != nil || u.Host != "payments.example" || hasDotSegment(segments) {
		return path{}, errors.New("it is not a URL path")
	}
	return p, nil
}

// expand puts a reference into the path, escaped as a segment or as a query value.
func (p path) expand(r Reference) string {
	s := strings.Replace(p.segments, placeholder, url.PathEscape(string(r)), 1)
	if p.query == "" {
		return s
	}
	return s + "?" + strings.Replace(p.query, placeholder, url.QueryEscape(string(r)), 1)
}
