package api

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const maxAddress = 2048 // bytes (R90)

// Why an address from an answer cannot be used (R90). None of them quotes it.
var (
	ErrAddressEmpty   = errors.New("there is no address")
	ErrAddressLong    = errors.New("the address is longer than 2048 characters")
	ErrAddressRune    = errors.New("the address holds a blank, a quote, a backslash or a character that is not plain ASCII")
	ErrAddressScheme  = errors.New("the address does not begin with https://")
	ErrAddressHost    = errors.New("the address names no proper host")
	ErrAddressUser    = errors.New("the address holds a user name")
	ErrAddressGarbled = errors.New("the address cannot be read")
	ErrAddressPlain   = errors.New("the address is not https, though the service is")
	ErrAddressNumber  = errors.New("the address names this machine, or a host by its number")
)

// An Address is an http or https address from an answer that passed R90: only
// printable ASCII, a host, no user information. It is kept to the byte.
type Address struct{ raw string }

// ParseAddress reads an address: https, or http when the host is loopback, where
// the sandbox lives. It cannot begin with a dash, so it is safe as an argument.
func ParseAddress(s string) (Address, error) {
	switch {
	case s == "":
		return Address{}, ErrAddressEmpty
	case len(s) > maxAddress:
		return Address{}, ErrAddressLong
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("\"'`\\", s[i]) >= 0 {
			return Address{}, ErrAddressRune
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return Address{}, ErrAddressGarbled // the cause would quote the address
	}
	a := Address{s}
	ip, _ := netip.ParseAddr(u.Hostname()) // the zero address for a name
	switch {
	case u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return Address{}, ErrAddressScheme
	case u.User != nil || strings.Contains(a.Host(), "@"):
		return Address{}, ErrAddressUser
	case a.Host() != u.Host || !properHost(u):
		return Address{}, ErrAddressHost
	case u.Scheme == "http" && lowerASCII(u.Hostname()) != "localhost" && !ip.Unmap().IsLoopback():
		return Address{}, ErrAddressScheme
	}
	return a, nil
}

// parseHandoff reads an address that the service hands over to be opened (R90). What comes
// from another machine shall lead to a host with a name, or back to where the service
// is: never to this machine or its neighbours, and not from https to http.
func (c *Client) parseHandoff(s string) (Address, error) {
	a, err := ParseAddress(s)
	if err != nil {
		return Address{}, err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return Address{}, ErrAddressGarbled
	case c.base.Scheme == "https" && u.Scheme != "https":
		return Address{}, ErrAddressPlain
	case !isLoopback(c.base.Hostname()) && u.Hostname() != c.base.Hostname() && !isHostname(u.Hostname()):
		return Address{}, ErrAddressNumber
	}
	return a, nil
}

// isHostname reports whether a host is a name. Browsers take every host whose last part is
// a number for an address, such as 2130706433 or 127.0x1.
func isHostname(host string) bool {
	host = strings.TrimSuffix(lowerASCII(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	hex, is := strings.CutPrefix(last, "0x")
	return strings.Trim(last, "0123456789") != "" && !(is && strings.Trim(hex, "0123456789abcdef") == "") &&
		last != "localhost" && !strings.Contains(host, ":")
}

// properHost reports whether a host is a name or an address without a zone, and its
// port, if any, one there is.
func properHost(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(u.Hostname())
		return err == nil && ip.Zone() == ""
	}
	return isToken(u.Hostname(), 253, "._-") && u.Hostname()[0] != '-'
}

// String is the address exactly as it came.
func (a Address) String() string { return a.raw }

// Host is the host and port of the address.
func (a Address) Host() string {
	_, rest, _ := strings.Cut(a.raw, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// IsZero reports whether there is no address.
func (a Address) IsZero() bool { return a.raw == "" }

// Redirect reports the value of the query part redirect, and whether the
// address has one that is "true" or "false" (2.5). The first counts.
func (a Address) Redirect() (value, present bool) {
	_, query, _ := a.parts()
	for part := range strings.SplitSeq(query, "&") {
		if part == "redirect=true" || part == "redirect=false" {
			return part == "redirect=true", true
		}
	}
	return false, false
}

// WithRedirect is the address with the query part redirect set to value and
// every other byte unchanged (2.5); when the part is there more than once, each
// is set. An address without that part is returned as it is.
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

// parts cuts the address around its query: what is before it with the question
// mark, and the fragment behind it.
func (a Address) parts() (before, query, after string) {
	end := strings.IndexByte(a.raw, '#')
	if end < 0 {
		end = len(a.raw)
	}
	start := strings.IndexByte(a.raw[:end], '?') + 1
	if start == 0 {
		start = end
	}
	return a.raw[:start], a.raw[start:end], a.raw[end:]
}
