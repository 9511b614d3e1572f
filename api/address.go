package api

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

const maxAddress = 2048 // bytes of a URL

// errNotHTTPS and the other errors about a URL do not quote it.
var errNotHTTPS = errors.New("the URL does not begin with https://")

// An Address is an http or https URL from a response that [ParseAddress] accepted. Its bytes are
// unchanged.
type Address struct{ raw string }

// ParseAddress parses a URL: https, or http when the host is loopback, where the sandbox
// runs. It accepts printable ASCII without quotes and backslashes, requires a host and rejects user
// information. An accepted URL cannot begin with a dash, so it is safe as a command-line argument.
func ParseAddress(s string) (Address, error) {
	if _, err := parseURL(s); err != nil {
		return Address{}, err
	}
	return Address{s}, nil
}

func parseURL(s string) (*url.URL, error) {
	switch {
	case s == "":
		return nil, errors.New("there is no URL")
	case len(s) > maxAddress:
		return nil, errors.New("the URL is longer than 2048 characters")
	case !IsVisible(s) || strings.ContainsAny(s, "\"'`\\"):
		return nil, errors.New("the URL contains a space, a quote, a backslash or a non-ASCII character")
	}
	u, err := url.Parse(s)
	host := Address{s}.Host()
	switch {
	case err != nil:
		return nil, errors.New("the URL cannot be parsed") // the cause would quote the URL
	case u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return nil, errNotHTTPS
	case u.User != nil || strings.Contains(host, "@"):
		return nil, errors.New("the URL contains a user name")
	case host != u.Host || !properHost(u):
		return nil, errors.New("the URL has no valid host")
	case u.Scheme == "http" && !IsLoopback(u.Hostname()):
		return nil, errNotHTTPS
	}
	return u, nil
}

// parseHandoff parses a URL that the service hands over to be opened in a browser. It must lead to
// a host with a name, or back to the host of the service: a remote service must not send people to
// this machine or its network neighbours, nor from https to http.
func (c *Client) parseHandoff(s string) (Address, error) {
	u, err := parseURL(s)
	switch {
	case err != nil:
		return Address{}, err
	case c.base.Scheme == "https" && u.Scheme != "https":
		return Address{}, errors.New("the URL is http, although the service uses https")
	case !IsLoopback(c.base.Hostname()) && u.Hostname() != c.base.Hostname() && !isHostname(u.Hostname()):
		return Address{}, errors.New("the URL points to this machine or to a numeric host address")
	}
	return Address{s}, nil
}

// isHostname reports whether a host is a name. Browsers treat a host whose last label is numeric as
// an IP address, such as 2130706433 or 127.0x1.
func isHostname(host string) bool {
	host = strings.TrimSuffix(LowerASCII(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	hex, is := strings.CutPrefix(last, "0x")
	return strings.Trim(last, "0123456789") != "" && !(is && strings.Trim(hex, "0123456789abcdef") == "") &&
		last != "localhost" && !strings.Contains(host, ":")
}

// properHost reports whether a host is a name or an IP address without a zone, and its port, if
// any, is valid. Only an IP address of version 6 may be in brackets: [url.Parse] rejects all else.
func properHost(u *url.URL) bool {
	host := u.Hostname()
	isName := isToken(host, 253, "._-") && host[0] != '-'
	return IsPort(u.Port()) && IsHost(host) && (isName || strings.HasPrefix(u.Host, "["))
}

// String is the URL exactly as received.
func (a Address) String() string { return a.raw }

// Host is the host and port.
func (a Address) Host() string {
	_, rest, _ := strings.Cut(a.raw, "://")
	return rest[:strings.IndexAny(rest+"/", "/?#")]
}

// IsZero reports whether there is no URL.
func (a Address) IsZero() bool { return a.raw == "" }

// Redirect returns the value of the first query parameter "redirect" that is "true" or "false", and
// whether there is one (2.5).
func (a Address) Redirect() (value, present bool) {
	_, query, _ := a.parts()
	for part := range strings.SplitSeq(query, "&") {
		if part == "redirect=true" || part == "redirect=false" {
			return part == "redirect=true", true
		}
	}
	return false, false
}

// WithRedirect sets every query parameter "redirect" that is "true" or "false" to value and leaves
// all other bytes unchanged (2.5). A URL without the parameter is returned as it is.
func (a Address) WithRedirect(value bool) Address {
	before, query, after := a.parts()
	parts := strings.Split(query, "&")
	for i, part := range parts {
		if part == "redirect=true" || part == "redirect=false" {
			parts[i] = "redirect=" + strconv.FormatBool(value)
		}
	}
	return Address{before + strings.Join(parts, "&") + after}
}

// parts splits the URL into what precedes the query (with the question mark), the query, and the
// fragment.
func (a Address) parts() (before, query, after string) {
	end := strings.IndexByte(a.raw+"#", '#')
	start := min(strings.IndexByte(a.raw[:end]+"?", '?')+1, end)
	return a.raw[:start], a.raw[start:end], a.raw[end:]
}
