package journal

import (
	"context"
	"strings"

	"paydesk/api"
)

// A Destination is where something was sent: the profile, its environment word (TEST, LIVE,
// SANDBOX), the address of the service, and the fingerprint of the secret key.
//
// The profile is for information only. It can be renamed, copied and created again, while the money
// moves where the key and the address say: see [Destination.IsSameService].
type Destination struct {
	Profile, Environment string
	Host                 string // with its port, unless that is the usual one
	Fingerprint          string // a keyed hash of the secret key; "" where it is not known
}

// IsSameService reports whether two destinations are the same account of a service: the
// environments are equal, and the addresses or the keys are. One of the two is enough, since
// one host has several names, and a key is replaced. [atService] is the same rule in SQL.
func (d Destination) IsSameService(o Destination) bool {
	return d.Environment == o.Environment && (d.HasSameAddress(o) || d.HasSameKey(o))
}

// HasSameAddress reports whether host and port are equal.
func (d Destination) HasSameAddress(o Destination) bool {
	return spellings(address(d.Host)) == spellings(address(o.Host))
}

// HasSameKey reports whether the keys are known to be equal.
func (d Destination) HasSameKey(o Destination) bool {
	return d.Fingerprint != "" && d.Fingerprint == o.Fingerprint
}

// HasOtherKey reports whether the keys are known to differ.
func (d Destination) HasOtherKey(o Destination) bool {
	return d.Fingerprint != "" && o.Fingerprint != "" && d.Fingerprint != o.Fingerprint
}

// storedDestination is a destination as it is stored.
func storedDestination(d Destination) Destination {
	d.Host = address(d.Host)
	for _, s := range []*string{&d.Profile, &d.Environment, &d.Host} {
		*s = sanitize(*s)
	}
	return d
}

// atService is the condition that [Destination.args] fill in. The indexes lead with the
// environment and what else is asked for; rows of other services in it are few.
const atService = "environment = ? AND (service IN (?, ?, ?) OR fingerprint <> '' AND fingerprint = ?)"

func (d Destination) args() []any {
	names := spellings(address(d.Host))
	return []any{sanitize(d.Environment), sanitize(names[0]), sanitize(names[1]), sanitize(names[2]), d.Fingerprint}
}

// loopback are the names of this machine for itself.
var loopback = [3]string{"localhost", "127.0.0.1", "[::1]"}

// spellings are the addresses that lead where an address does: itself, and the other names of this machine.
func spellings(address string) [3]string {
	for _, name := range loopback {
		if port, is := strings.CutPrefix(address, name); is && (port == "" || port[0] == ':') {
			return [3]string{loopback[0] + port, loopback[1] + port, loopback[2] + port}
		}
	}
	return [3]string{address, address, address}
}

// address is a host with its port in one spelling.
func address(host string) string {
	host = api.LowerASCII(host)
	for _, usual := range []string{":443", ":80"} {
		host = strings.TrimSuffix(host, usual)
	}
	return strings.TrimSuffix(host, ".")
}

// Fingerprint returns what identifies a secret key in this journal: its hash under the
// journal's key, which is of no use elsewhere. It is "" without a secret key.
func (j *Journal) Fingerprint(ctx context.Context, secret api.Secret) (string, error) {
	if j.shared != nil {
		use, err := j.useShared(ctx)
		if err != nil {
			return "", err
		}
		return keyedHash(use.key, "secret key", secret.Expose()), nil
	}
	if err := j.lock(ctx); err != nil {
		return "", err
	}
	defer j.unlock()
	if err := j.ensureOpen(context.WithoutCancel(ctx)); err != nil {
		return "", err
	}
	return keyedHash(j.key, "secret key", secret.Expose()), nil
}

// SameServiceSQL is [Destination.IsSameService] as a condition on the columns environment, service and
// fingerprint of [Destination.Stored] destinations, with its arguments.
func (d Destination) SameServiceSQL() (condition string, args []any) {
	return "(" + atService + ")", d.args()
}

// Stored is the destination as it is stored.
func (d Destination) Stored() Destination { return storedDestination(d) }
