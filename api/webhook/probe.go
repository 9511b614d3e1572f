package webhook

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
)

// receiverHeader tells a [Probe] that a receiver with the right path answered.
const receiverHeader = "Paydesk-Receiver"

const probeLimit = 2 * time.Second

// A Listener tells who answers at an address.
type Listener uint8

// The listeners.
const (
	Nothing Listener = iota // nothing answers
	Ours                    // a receiver of paydesk with this path
	Other                   // something else
)

// Probe finds out what listens at a receiver's URL, by a GET that stores nothing. It takes at most two seconds.
func Probe(ctx context.Context, url string) Listener {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	answers := Nothing
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { answers = Other }})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return Nothing
	}
	a, err := newClient().Do(r)
	if err != nil {
		return answers
	}
	a.Body.Close()
	if a.StatusCode == http.StatusMethodNotAllowed && a.Header.Get(receiverHeader) == "1" {
		return Ours
	}
	return Other
}

// newClient returns a client that connects to nothing but the URL it is given: it follows no redirects and uses no
// proxy. Each connection has one request, so that the transport has no reason to send one again.
func newClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := api.Dialer(address)
	return d.DialContext(ctx, network, address)
}

// TunnelLine is the command that lets a host which can be reached, HOST, pass webhooks on to a receiver here, through SSH. It is ""
// for an address without a port.
func TunnelLine(address string) string {
	name, port, _ := net.SplitHostPort(address)
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return ""
	}
	here := "127.0.0.1"
	if ip, err := netip.ParseAddr(name); err == nil && !ip.IsUnspecified() {
		here = ip.Unmap().WithZone("").String()
	}
	to := "127.0.0.1:" + port + ":" + net.JoinHostPort(here, port)
	if strings.Contains(to, "[") { // which shells expand
		to = "'" + to + "'"
	}
	return "ssh -N -R " + to + " HOST"
}
