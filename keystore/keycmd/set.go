package keycmd

import (
	"context"
	"errors"
	"strings"
	"time"

	"paydesk/keystore"
)

// SetOptions are the options of [CLI.Set].
type SetOptions struct {
	Unchecked bool // the key is stored without being verified
	Age       bool // it goes into the sealed file, whatever source the profile names
}

// Set reads a key, verifies it and stores it. With Age the key goes into the sealed file although
// the profile names another source, and the person is told what to change there.
func (c CLI) Set(ctx context.Context, p keystore.Profile, o SetOptions) error {
	named := p.Source
	if o.Age {
		p = p.WithSource("age")
	}
	if words := setElsewhere[p.Source]; words != "" {
		return usageError("Profile " + p.Name + ` has key = "` + p.Source + `". ` + words)
	}
	if err := c.setKey(ctx, o, p); err != nil {
		return err
	}
	if named != p.Source {
		c.printf(`Profile %s does not use it yet: it has key = %q. Set key = "age" there.`, p.Name, named)
	}
	return nil
}

// setElsewhere explains, for each source that paydesk does not write to, how the key gets
// there.
var setElsewhere = map[string]string{
	"command": "That program keeps the key: store it there, for example with: pass insert paydesk/NAME",
	"file": "Paydesk writes no key to a readable file. Put it there yourself, for example with: (umask 077; cat >FILE), " +
		`or seal it with a passphrase: paydesk key set --age`,
	"env": "The key comes from the environment: set " + keystore.Variable + " where you start paydesk.",
	"ask": "The key is typed at each start and stored nowhere.",
}

// setKey reads, verifies and stores a key. Nothing is stored before the service has accepted the
// key: a wrong one would replace one that works.
func (c CLI) setKey(ctx context.Context, o SetOptions, p keystore.Profile) error {
	if p.Source == "age" && !c.asks() {
		return errors.New("the passphrase must be typed at a terminal, and this is not one; nothing was stored")
	}
	k, err := c.readKey(ctx, p)
	if err != nil {
		return err
	}
	if err := checkEnvironment(k, p); err != nil {
		return err
	}
	if !o.Unchecked {
		c.printErr("Verifying the key with one read-only request (the first page of transactions)…")
		if err := c.Verify(ctx, p, k); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return errors.New(err.Error() + "\nThe key was not stored. With --unchecked it is stored without being verified.")
		}
	}
	if err := c.store(ctx, p, k); err != nil {
		return err
	}
	if !o.Unchecked {
		c.recordWorked(p.Name, k, time.Now())
	}
	if k.Environment() == "" {
		c.printf("Its prefix does not say test or live. The console asks once whether it is for %s, before it sends anything with it.", p.Environment)
	}
	return nil
}

// checkEnvironment rejects a key of the other environment, because the service decides by the
// key whether money is real.
func checkEnvironment(k keystore.Key, p keystore.Profile) error {
	if strings.HasPrefix(strings.ToLower(k.Expose()), "pk_") {
		return errors.New("this is a public key, not a secret key; it was not stored")
	}
	if e := k.Environment(); e != "" && e != p.Environment {
		return errors.New("this is a " + string(e) + " key, but profile " + p.Name + " has environment " + string(p.Environment) + "; it was not stored")
	}
	return nil
}

// store stores a verified key in the source of the profile. A sealed source gets a new passphrase
// first.
func (c CLI) store(ctx context.Context, p keystore.Profile, k keystore.Key) error {
	s := c.Store(p)
	if sealed, ok := s.(keystore.Sealed); ok {
		passphrase, err := c.newPassphrase(ctx)
		if err != nil {
			return err
		}
		if err := sealed.Seal(ctx, p.Name, k, passphrase); err != nil {
			return err
		}
		c.printf("The key %s of profile %s is sealed in %s, for %s.", k.LastFour(), p.Name, p.KeyPath(c.Config), addresses(p))
		return nil
	}
	c.printErr("Storing the key; a keyring may prompt for its password in a window…")
	if err := s.Set(ctx, p.Name, k); err != nil {
		return errors.New(err.Error() + "\nThe key was not stored. paydesk doctor shows what works on this host.")
	}
	c.printf("The key %s of profile %s is stored in the %s, for %s.", k.LastFour(), p.Name, s.Name(), addresses(p))
	return nil
}

// addresses names where the key of a profile is sent.
func addresses(p keystore.Profile) string { return strings.Join(p.Origins(), " and ") }
