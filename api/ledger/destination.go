package ledger

import (
	"strings"

	"paydesk/api"
)

// A Destination tells where something was sent: the profile, its environment word (TEST, LIVE,
// SANDBOX), the address of the service, and the fingerprint of the secret key.
//
// The profile is for information only. It can be renamed, copied and created again, while the money
// moves where the key and the address say: see [Destination.IsSameService].
type Destination struct {
	Profile     string `json:"profile,omitzero"`
	Environment string `json:"environment,omitzero"`
	Host        string `json:"service,omitzero"`     // with its port, unless that is the usual one
	Fingerprint string `json:"fingerprint,omitzero"` // a keyed hash of the secret key; "" where it is not known
}

// IsSameService reports whether two destinations are the same account of a service: the
// environments are equal, and the addresses or the keys are. One of the two is enough, since
// one host has several names, and a key is replaced.
func (d Destination) IsSameService(o Destination) bool {
	return d.Environment == o.Environment && (d.HasSameAddress(o) || d.HasSameKey(o))
}

// HasSameAddress reports whether host and port are equal.
func (d Destination) HasSameAddress(o Destination) bool {
	return d.Host == o.Host || d.Hosts() == o.Hosts()
}

// HasSameKey reports whether the keys are known to be equal.
func (d Destination) HasSameKey(o Destination) bool {
	return d.Fingerprint != "" && d.Fingerprint == o.Fingerprint
}

// HasOtherKey reports whether the keys are known to differ.
func (d Destination) HasOtherKey(o Destination) bool {
	return d.Fingerprint != "" && o.Fingerprint != "" && d.Fingerprint != o.Fingerprint
}

// Stored returns the destination as it is recorded.
func (d Destination) Stored() Destination {
	return Destination{Stored(d.Profile), Stored(d.Environment), Stored(address(d.Host)), d.Fingerprint}
}

// loopback are the names of this machine for itself.
var loopback = [3]string{"localhost", "127.0.0.1", "[::1]"}

// Hosts returns the addresses that lead to the destination: its own, and the other names of this machine.
func (d Destination) Hosts() [3]string {
	host := address(d.Host)
	for _, name := range loopback {
		if port, is := strings.CutPrefix(host, name); is && (port == "" || port[0] == ':') {
			return [3]string{loopback[0] + port, loopback[1] + port, loopback[2] + port}
		}
	}
	return [3]string{host, host, host}
}

// address returns a host with its port in one spelling.
func address(host string) string {
	host = api.LowerASCII(host)
	for _, usual := range []string{":443", ":80"} {
		host = strings.TrimSuffix(host, usual)
	}
	return strings.TrimSuffix(host, ".")
}
