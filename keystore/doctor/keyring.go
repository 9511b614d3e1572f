package doctor

import (
	"context"
	"errors"
	"strings"

	"paydesk/keystore"
)

// otherSources is the hint where there is no keyring.
const otherSources = `choose another source for the key, such as key = "file" or key = "command" in the profile (paydesk help keys)`

// keyChecks checks the way to the keyring and the source of the profile. A locked keyring is not
// asked for the key, because its prompt may be on a display that nobody sees.
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
		source.State, source.Words = Skipped, "not checked: there is no profile"
	case p.Source == "keyring" && state.Locked:
		source.State, source.Words = Failed, "the key was not requested: the keyring is locked and would show a prompt"
		source.Do = "unlock it and run this again"
	default:
		k, source = e.source(ctx, p)
	}
	return k, append(busChecks(state, needed), source)
}

// busChecks reports the bus, the Secret Service and its lock. What the profile does not need
// is skipped instead of failed.
func busChecks(s keystore.KeyringState, needed bool) []Check {
	bus := Check{Name: "session bus", State: OK}
	service := Check{Name: "Secret Service", State: Skipped, Words: "not checked: there is no bus"}
	lock := Check{Name: "keyring lock", State: Skipped, Words: "not checked: there is no Secret Service"}
	missing := func(s *Check, words, do string) {
		s.State, s.Words, s.Do = Failed, words, do
		if !needed {
			s.State, s.Words, s.Do = Skipped, words+"; this profile does not need it", ""
		}
	}
	switch {
	case !s.NeedsBus:
		bus.State, bus.Words = Skipped, "the keyring of this system needs none"
		service.Words, lock.Words = bus.Words, "reported by the system when the key is requested"
	case s.Address == "" && errors.Is(s.BusErr, keystore.ErrTimeout):
		missing(&bus, "finding it took too long", otherSources)
	case s.Address == "" && s.EnvAddress == "":
		missing(&bus, "DBUS_SESSION_BUS_ADDRESS is not set, and the user's runtime folder has no bus", "log in to a desktop session; or "+otherSources)
	case s.Address == "":
		missing(&bus, "nothing answers at "+s.EnvAddress, "log in again, or correct DBUS_SESSION_BUS_ADDRESS; or "+otherSources)
	case errors.Is(s.BusErr, keystore.ErrTimeout):
		missing(&bus, s.Address+": it does not answer", "log in again; or "+otherSources)
	case s.BusErr != nil:
		missing(&bus, s.Address+": "+s.BusErr.Error(), "log in again; or "+otherSources)
	default:
		bus.Words = s.Address + " answers"
		serviceChecks(s, &service, &lock, missing)
	}
	return []Check{bus, service, lock}
}

// serviceChecks reports the Secret Service on a bus that answers, and whether its collection is
// locked. A locked one is a warning: the keyring can prompt for its password, but only on a
// display.
func serviceChecks(s keystore.KeyringState, service, lock *Check, missing func(*Check, string, string)) {
	service.State, service.Words = OK, "org.freedesktop.secrets is on the bus"
	switch {
	case !s.HasService && s.Activatable:
		service.Words, lock.Words = "it is started on the first request", "not checked: that would start the Secret Service"
	case !s.HasService:
		missing(service, "no service owns org.freedesktop.secrets on the bus, and none would be started", "install gnome-keyring or KWallet; or "+otherSources)
	case s.Collection == "":
		lock.State, lock.Words = Warning, "there is no collection to store a key in yet"
		lock.Do = "log in to the desktop once, or let the keyring create one when the first key is stored"
	case s.Locked:
		lock.State, lock.Words = Warning, "the collection "+s.Collection+" is locked"
		lock.Do = "unlock it, or log in to a desktop that does"
	default:
		lock.State, lock.Words = OK, "the collection "+s.Collection+" is open"
	}
}

// source requests the key from the profile's own source only. A source that needs a person is
// skipped and not failed, since it may be in order.
func (e Examination) source(ctx context.Context, p keystore.Profile) (keystore.Key, Check) {
	store := e.Store(p)
	s := Check{Name: "key source", State: OK}
	k, err := e.get(ctx, store, p)
	if err == nil {
		s.Words = strings.TrimSpace(store.Name() + " has the key " + k.LastFour())
		switch says := k.Environment(); says {
		case p.Environment:
		case "":
			s.Words += "; its prefix does not say test or live, so the console asks once before it sends anything"
		default:
			s.State = Warning
			s.Words += "; its prefix says " + string(says) + ", and the profile has environment " + string(p.Environment)
			s.Do = "replace the key, or correct environment in the profile; the console sends nothing before somebody has looked at it"
		}
		return k, s
	}
	s.State = Failed
	s.Words, s.Do = err.Error(), "check where the profile says its key is"
	var problem *keystore.Problem
	if errors.As(err, &problem) {
		s.Words, s.Do = problem.Message, problem.Hint
		if line := problem.Stderr(); line != "" {
			s.Words += "; it reported: " + line
		}
	}
	switch {
	case errors.Is(err, keystore.ErrAsk):
		s.State, s.Do = Skipped, ""
	case errors.Is(err, keystore.ErrPassphrase):
		s.State, s.Do = Skipped, "run this at a terminal, where it can prompt for the passphrase"
	case errors.Is(err, keystore.ErrElsewhere):
		s.Do = "open the profile with paydesk, which asks whether the key may be sent there; if the address is wrong, correct the profile"
	case errors.Is(err, keystore.ErrNoKeyring):
		s.Do = "see the session bus and Secret Service checks"
	case errors.Is(err, keystore.ErrNotFound) && keystore.StoredElsewhere(p.Source) == "":
		s.Do = "paydesk key set --profile " + p.Name
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
