package sandbox

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// checkLocal says why a request may not steer the sandbox; "" when it may. There is no
// key: whoever runs a program on this machine may. Others may not, and neither may
// web pages, which reach loopback addresses from a browser: theirs have an Origin, or
// Sec-Fetch-Site, or, when a name was made to lead here (DNS rebinding), that name
// for a Host.
func checkLocal(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case err != nil || !from.Addr().Unmap().IsLoopback():
		return "The sandbox is steered from its own machine only."
	case !loopbackName(r.Host):
		return "The sandbox is steered by the name localhost or a loopback address only."
	case len(r.Header.Values("Origin")) > 0, site != "" && site != "none":
		return "The sandbox is not steered by web pages."
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if len(r.Header.Values(name)) > 0 {
			return "The sandbox is not steered through a proxy."
		}
	}
	return ""
}

// loopbackName reports whether a Host is this machine whatever a name server says.
func loopbackName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
