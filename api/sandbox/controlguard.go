package sandbox

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// checkLocal returns why a request may not control the sandbox; "" when it may. No key is
// needed: any program on this machine may. Other machines may not, and neither may web
// pages, which a browser lets reach loopback addresses. Their requests have an Origin or
// Sec-Fetch-Site header, or, when a name was made to resolve to this machine (DNS
// rebinding), that name in Host.
func checkLocal(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case err != nil || !from.Addr().Unmap().IsLoopback():
		return "The sandbox can only be controlled from this machine."
	case !loopbackName(r.Host):
		return "The sandbox can only be controlled as localhost or by a loopback address."
	case len(r.Header.Values("Origin")) > 0, site != "" && site != "none":
		return "The sandbox cannot be controlled by web pages."
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if len(r.Header.Values(name)) > 0 {
			return "The sandbox cannot be controlled through a proxy."
		}
	}
	return ""
}

// loopbackName reports whether a Host names this machine without needing a name server.
func loopbackName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
