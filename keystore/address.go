package keystore

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"paydesk/api"
)

// A stored key belongs to the addresses that it was given for. Its entry has them on a second line,
// below the key, so that both are replaced in one step and a person who reads the entry with another
// program still finds the key on its first line:
//
//	sk_test_…
//	for https://payments.example https://sandbox.example
//
// Without that, another configuration with a profile of the same name could send the key anywhere.

const addressWord = "for "

// ErrElsewhere is the kind of an [Elsewhere].
var ErrElsewhere = errors.New("the key was given for another address")

// An Elsewhere says that there is a key, but that it was not given for every address that the profile
// would send it to. Only a person decides about that.
type Elsewhere struct {
	For    []string // the origins it was given for; none if it was stored without them
	Wanted []string // the origins of the profile

	key  Key
	bind func(context.Context) error
}

// Error names the addresses.
func (e *Elsewhere) Error() string {
	to := strings.Join(e.New(), " and ")
	if len(e.For) == 0 {
		return "there is a key, but nothing says which address it was given for; this profile would send it to " + to
	}
	return "the key was given for " + strings.Join(e.For, " and ") + ", and this profile would send it to " + to
}

// Unwrap returns the kind.
func (*Elsewhere) Unwrap() error { return ErrElsewhere }

// New returns the origins that the key was not given for.
func (e *Elsewhere) New() []string {
	return slices.DeleteFunc(slices.Clone(e.Wanted), func(o string) bool { return slices.Contains(e.For, o) })
}

// Bind stores the key for the origins of the profile, and for no others, after a person has agreed. It
// returns the key even if it could not be stored.
func (e *Elsewhere) Bind(ctx context.Context) (Key, error) { return e.key, e.bind(ctx) }

// Wipe wipes the key, after a person has not agreed.
func (e *Elsewhere) Wipe() { e.key.Wipe() }

// Origins returns the scheme, host and port of the addresses that receive the key of the profile.
func (p Profile) Origins() []string {
	var all []string
	for _, s := range []string{originOf(p.BaseURL), originOf(p.ListURL)} {
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// originOf returns the part of an address that decides which server is reached; the whole of one that cannot be read.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return api.OriginOf(u)
}

// Host returns the host and port where payments are made; "" for an address that cannot be read.
func (p Profile) Host() string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// formatEntry returns the text of an entry.
func formatEntry(k Key, origins []string) string {
	if len(origins) == 0 {
		return k.Expose()
	}
	return k.Expose() + "\n" + addressWord + strings.Join(origins, " ")
}

// parseEntry parses the text of an entry, and wipes it. It may be a key alone, as other
// programs store one, and as paydesk did before.
func parseEntry(b []byte) (k Key, origins []string, err error) {
	first, rest, _ := bytes.Cut(b, []byte("\n"))
	if after, bound := strings.CutPrefix(string(rest), addressWord); bound {
		b, origins = first, strings.Fields(after)
	}
	k, err = readKey(b)
	return k, origins, err
}

// ForAddress returns the key if it was given for all the origins that are wanted, and otherwise an
// [Elsewhere].
func ForAddress(k Key, given, wanted []string, bind func(context.Context) error) (Key, error) {
	e := &Elsewhere{For: given, Wanted: wanted, key: k, bind: bind}
	if len(e.New()) > 0 {
		return Key{}, e
	}
	return k, nil
}
