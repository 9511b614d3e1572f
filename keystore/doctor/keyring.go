package doctor

import (
	"context"
	"errors"
	"strings"

	"paydesk/keystore"
)

// otherSources is the hint where there is no keyring.
const otherSources = `choose another source for the key, such as key = "file" or key = "command" in the profile (paydesk help configuration)`

// keyChecks checks the way to the keyring and the source of the profile. A locked keyring is not
// asked for the key, because it may prompt on a display out of sight.
func (e Examination) keyChecks(ctx context.Context, p keystore.Profile, found bool) (keystore.Key, []Check) {
	needed := p.Source == "keyring" || !found // a new profile would use the keyring
	limit := unusedKeyringLimit
	if needed {
		limit = keyringLimit
	}
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	state := e.inspect(limited)
	var k keystore.Key
	source := Check{Name: "key source"}
	switch {
	case !found:
		source.State, source.Message = Skipped, "not checked: there is no profile"
	case p.Source == "keyring" && state.Locked:
		source.State, source.Message = Failed, "the key was not requested: the keyring is locked and would show a prompt"
		source.Fix = "unlock it and run this again"
	default:
		k, source = e.source(ctx, p)
	}
	return k, []Check{keyring(state, needed), source}
}

// keyring reports the way to the keyring: the session bus, the Secret Service on it, and the lock of its collection, or
// what is wrong first. A locked one is a warning: the keyring can prompt for its password, but only on a display. What the
// profile does not need is skipped.
func keyring(s keystore.KeyringState, needed bool) Check {
	slow := errors.Is(s.BusErr, keystore.ErrTimeout)
	c := Check{Name: "keyring", State: Failed}
	switch {
	case !s.NeedsBus:
		c.State, c.Message = Skipped, "reported by the system when the key is requested: it needs no session bus"
	case s.Address == "" && slow:
		c.Message, c.Fix = "finding the session bus took too long", otherSources
	case s.Address == "" && s.EnvAddress == "":
		c.Message, c.Fix = "DBUS_SESSION_BUS_ADDRESS is not set, and the user's runtime folder has no bus", "log in to a desktop session; or "+otherSources
	case s.Address == "":
		c.Message, c.Fix = "nothing answers at "+s.EnvAddress, "log in again, or correct DBUS_SESSION_BUS_ADDRESS; or "+otherSources
	case slow:
		c.Message, c.Fix = s.Address+": it does not answer", "log in again; or "+otherSources
	case s.BusErr != nil:
		c.Message, c.Fix = s.Address+": "+s.BusErr.Error(), "log in again; or "+otherSources
	case !s.HasService && s.Activatable:
		c.State, c.Message = OK, s.Address+" starts the Secret Service on the first request"
	case !s.HasService:
		c.Message = "no service owns org.freedesktop.secrets on the session bus, and none would be started"
		c.Fix = "install gnome-keyring or KWallet; or " + otherSources
	case s.Collection == "":
		c.State, c.Message = Warning, "there is no collection to store a key in yet"
		c.Fix = "log in to the desktop once, or let the keyring create one when the first key is stored"
	case s.Locked:
		c.State, c.Message = Warning, "the collection "+s.Collection+" is locked"
		c.Fix = "unlock it, or log in to a desktop that does"
	default:
		c.State, c.Message = OK, "the collection "+s.Collection+" of the Secret Service is open"
	}
	if !needed && c.Fix != "" {
		c.State, c.Message, c.Fix = Skipped, c.Message+"; this profile does not need it", ""
	}
	return c
}

// source requests the key from the profile's own source only. A source that needs a person is
// skipped and not failed, since it may be in order.
func (e Examination) source(ctx context.Context, p keystore.Profile) (keystore.Key, Check) {
	store := e.Store(p)
	s := Check{Name: "key source", State: OK}
	k, err := e.get(ctx, store, p)
	if err == nil {
		s.Message = strings.TrimSpace(store.Name() + " has the key " + k.LastFour())
		switch says := k.Environment(); says {
		case p.Environment:
		case "":
			s.Message += "; its prefix does not say test or live, so the console asks once before it sends anything"
		default:
			s.State = Warning
			s.Message += "; its prefix says " + string(says) + ", and the profile has environment " + string(p.Environment)
			s.Fix = "replace the key, or correct environment in the profile; the console sends nothing until you have"
		}
		return k, s
	}
	s.State = Failed
	s.Message, s.Fix = err.Error(), "check where the profile says its key is"
	var problem *keystore.Problem
	if errors.As(err, &problem) {
		s.Message, s.Fix = problem.Message, problem.Hint
		if line := problem.Stderr(); line != "" {
			s.Message += "; it reported: " + line
		}
	}
	switch {
	case errors.Is(err, keystore.ErrAsk):
		s.State, s.Fix = Skipped, ""
	case errors.Is(err, keystore.ErrPassphrase):
		s.State, s.Fix = Skipped, "run this at a terminal, where it can prompt for the passphrase"
	case errors.Is(err, keystore.ErrElsewhere):
		s.Fix = "open the profile with paydesk, which asks whether the key may be sent there; if the address is wrong, correct the profile"
	case errors.Is(err, keystore.ErrNoKeyring):
		s.Fix = "see the check of the keyring"
	case errors.Is(err, keystore.ErrNotFound) && keystore.StoredElsewhere(p.Source) == "":
		s.Fix = "paydesk key set --profile " + p.Name
	}
	return keystore.Key{}, s
}

// get limits the keyring to 4 s; the other sources have their own limits.
func (e Examination) get(ctx context.Context, store keystore.Store, p keystore.Profile) (keystore.Key, error) {
	limited := ctx
	if p.Source == "keyring" {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, keyringLimit)
		defer stop()
	}
	k, err := store.Get(limited, p.Name)
	if err != nil && e.Prompt != nil {
		return e.Prompt(ctx, store, p, err)
	}
	return k, err
}
