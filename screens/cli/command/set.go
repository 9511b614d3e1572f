package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"paydesk/keystore"
)

// SetOptions are the options of [CLI.Set].
type KeyOptions struct {
	Unchecked bool // the key is stored without being verified
	Age       bool // it goes into the sealed file, whatever source the profile names
}

// Set reads a key, verifies it and stores it. With Age the key goes into the sealed file although
// the profile names another source, and the person is told what to change there.
func (c Keys) Set(ctx context.Context, p keystore.Profile, o KeyOptions) error {
	named := p.Source
	if o.Age {
		p = p.WithSource("age")
	}
	if words := keystore.StoredElsewhere(p.Source); words != "" {
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

// setKey reads, verifies and stores a key. Nothing is stored before the service has accepted the
// key: a wrong one would replace one that works.
func (c Keys) setKey(ctx context.Context, o KeyOptions, p keystore.Profile) error {
	if p.Source == "age" && c.Ask == nil {
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

// checkEnvironment rejects a key of the other environment: by the key the service decides which money moves.
func checkEnvironment(k keystore.Key, p keystore.Profile) error {
	if e := k.Environment(); e != "" && e != p.Environment {
		return errors.New("this is a " + string(e) + " key, but profile " + p.Name + " has environment " + string(p.Environment) + "; it was not stored")
	}
	return nil
}

// store stores a verified key in the source of the profile. A sealed source gets a new passphrase
// first.
func (c Keys) store(ctx context.Context, p keystore.Profile, k keystore.Key) error {
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

// Delete removes the key from every store that may hold it, and reports each result. A key
// left behind in a former source would be forgotten there. Without yes a person is asked.
func (c Keys) Delete(ctx context.Context, p keystore.Profile, yes bool) error {
	if !yes {
		if c.Ask == nil {
			return ErrUnconfirmed
		}
		if !c.confirm(ctx, fmt.Sprintf("Remove the key of profile %s (%s) from every place paydesk knows? [y/N] ", p.Name, p.Environment)) {
			c.printErr("Nothing was removed.")
			return ErrReported
		}
	}
	var failed error
	// The profile's own source comes first.
	sources := append([]string{p.Source}, slices.DeleteFunc([]string{"keyring", "age"}, func(s string) bool { return s == p.Source })...)
	for _, source := range sources {
		words, done := deleteResult(p, source, c.Store(p.WithSource(source)).Delete(ctx, p.Name))
		c.printf("%-8s  %s", source, words)
		if !done {
			failed = ErrReported
		}
	}
	c.forgetWorked(p.Name)
	return failed
}

// deleteResult describes the result of removing a key; done is false if the key may still be
// there.
func deleteResult(p keystore.Profile, source string, err error) (words string, done bool) {
	switch {
	case err == nil:
		return "the key was removed", true
	case source == "ask":
		return "the key is stored nowhere", true
	case errors.Is(err, keystore.ErrNotFound):
		return "there was no key", true
	case errors.Is(err, keystore.ErrNoKeyring) && source != p.Source:
		return "there is no keyring on this host", true
	}
	return "not removed: " + err.Error(), false
}

// confirm asks a question and returns true only for yes. The end of the input and a signal count
// as no.
func (c Keys) confirm(ctx context.Context, question string) bool {
	answer, err := c.Ask(ctx, c.Clean(question), false)
	reply := strings.ToLower(strings.TrimSpace(string(answer)))
	return err == nil && (reply == "y" || reply == "yes")
}
