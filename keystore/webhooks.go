package keystore

import (
	"net"
	"net/netip"
	"net/url"
	"slices"

	"paydesk/api"
)

// maxTargets limits how many targets a profile can name.
const maxTargets = 16

// EventsLimit returns how large the file of the webhooks may become, in bytes.
func (p Profile) EventsLimit() int64 {
	megabytes, _ := parseMegabytes(p.WebhookLimit)
	return megabytes * 1_000_000
}

// checkListen says what is wrong with the address at which webhooks are received. One that other machines can reach has
// to be allowed: a webhook has no signature, and comes without TLS.
func (p Profile) checkListen() string {
	if p.WebhookListen == "" {
		return ""
	}
	host, port, err := net.SplitHostPort(p.WebhookListen)
	_, badIP := netip.ParseAddr(host)
	switch {
	case !api.IsVisible(p.WebhookListen) || err != nil:
		return "must be an address and a port, such as 127.0.0.1:8425"
	case port == "" || !api.IsPort(port):
		return "must have a port from 1 to 65535, such as 127.0.0.1:8425"
	case host != "" && badIP != nil && !api.IsHost(host):
		return "must be an address of this machine, such as 127.0.0.1:8425"
	case !api.IsLoopback(host) && !p.WebhookAnyAddress:
		return "must be an address of this machine only, such as 127.0.0.1:8425, unless webhook_any_address = true"
	}
	return ""
}

// checkTargets says what is wrong with the URLs that events may be passed on to beyond this machine.
func checkTargets(urls []string) string {
	if len(urls) > maxTargets {
		return "must have at most 16 URLs"
	}
	for _, s := range urls {
		if _, err := api.ParseTarget(s); err != nil {
			return err.Error()
		}
	}
	return ""
}

// withoutPaths leaves out paths and queries: what names a receiver is often all that it takes to post to it.
func withoutPaths(targets List) List {
	var hosts []string
	for _, s := range targets.All() {
		if u, err := url.Parse(s); err == nil {
			hosts = append(hosts, u.Scheme+"://"+u.Host+"/…")
		}
	}
	return NewList(slices.Compact(hosts)...)
}
