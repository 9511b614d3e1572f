package keycmd

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"paydesk/keystore"
)

// set asks for a key, tries it and stores it.
func (d CLI) set(ctx context.Context, o options) int {
	p, ok := d.profile(o)
	if !ok {
		return exitUsage
	}
	named := p.Source
	if o.age {
		p = withSource(p, "age")
	}
	if words := setElsewhere[p.Source]; words != "" {
		d.printErr("Profile " + p.Name + ` has key = "` + p.Source + `". ` + words)
		return exitUsage
	}
	if err := d.setKey(ctx, o, p); err != nil {
		if !errors.As(err, &signalled{}) {
			d.printErr(err.Error())
		}
		return exitFailed
	}
	if named != p.Source {
		d.printf(`Profile %s does not use it yet: it has key = %q. Write key = "age" there.`, p.Name, named)
	}
	return 0
}

// setElsewhere says of the sources that paydesk does not write to how the key gets there.
var setElsewhere = map[string]string{
	"command": "The key is kept by that program: put it there with it, such as: pass insert paydesk/NAME",
	"file": "Paydesk stores no key in a readable file. Put it there yourself, for example with: (umask 077; cat >FILE), " +
		`or have it sealed with a passphrase: paydesk key set --age`,
	"env": "The key comes with the environment: set " + keystore.Variable + " where paydesk is started.",
	"ask": "The key is typed at each start and kept nowhere.",
}

// withSource is a profile with another source than its own, at its usual place.
func withSource(p keystore.Profile, source string) keystore.Profile {
	if p.Source != source {
		p.Source, p.KeyFile = source, ""
	}
	return p
}

// setKey reads, tries and stores a key.
func (d CLI) setKey(ctx context.Context, o options, p keystore.Profile) error {
	if p.Source == "age" && !d.atTerminal() {
		return errors.New("the passphrase is asked for at a terminal, and this is none; nothing was stored")
	}
	k, err := d.readKey(ctx, p)
	if err != nil {
		return err
	}
	if err := checkEnvironment(k, p); err != nil {
		return err
	}
	if !o.unchecked {
		d.printErr("Trying the key with one question (the first page of the list)…")
		if err := d.Try(ctx, p, k); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return errors.New(err.Error() + "\nThe key was not stored. With --unchecked it is stored without being tried.")
		}
	}
	if err := d.store(ctx, o, p, k); err != nil {
		return err
	}
	if !o.unchecked {
		d.recordWorked(p.Name, k, time.Now())
	}
	return nil
}

// checkEnvironment keeps keys of one environment out of the other's slot (R77): it is the key that
// picks the mode.
func checkEnvironment(k keystore.Key, p keystore.Profile) error {
	for prefix, is := range map[string]keystore.Environment{"sk_test_": keystore.Test, "sk_live_": keystore.Live} {
		if strings.HasPrefix(k.Expose(), prefix) && is != p.Environment {
			return errors.New("this is a " + string(is) + " key, and profile " + p.Name + " is declared " + string(p.Environment) + "; it was not stored")
		}
	}
	if strings.HasPrefix(k.Expose(), "pk_") {
		return errors.New("this is a public key; the secret one is needed; it was not stored")
	}
	return nil
}

func (d CLI) store(ctx context.Context, o options, p keystore.Profile, k keystore.Key) error {
	s := d.Sources(filepath.Dir(o.config))(p)
	if sealed, ok := s.(keystore.Sealed); ok {
		passphrase, err := d.newPassphrase(ctx)
		if err != nil {
			return err
		}
		if err := sealed.Seal(ctx, p.Name, k, passphrase); err != nil {
			return err
		}
		d.printf("The key %s of profile %s is sealed in %s.", k.LastFour(), p.Name, p.KeyPath(filepath.Dir(o.config)))
		return nil
	}
	d.printErr("Storing it; a keyring may ask for its password in a window…")
	if err := s.Set(ctx, p.Name, k); err != nil {
		return errors.New(err.Error() + "\nThe key was not stored. paydesk key doctor tells what works on this host.")
	}
	d.printf("The key %s of profile %s is in the %s.", k.LastFour(), p.Name, s.Name())
	return nil
}
