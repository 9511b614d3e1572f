package profile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// Key manages the secret key of a profile.
func (p Commands) Key() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "key", Short: "Set, show or delete the secret key of a profile",
		Long: "The key is typed, or read from a pipe; it is never an argument. It belongs to the addresses of its profile: a person\n" +
			"confirms any other.",
	}, p.setKeyCommand(), p.showKeyCommand(), p.deleteKeyCommand())
}

// keyAction is a command for the key of one profile.
func (p Commands) keyAction(c *cobra.Command, do func(context.Context, keystore.Profile) error) *cobra.Command {
	c.Args = noArgument
	c.RunE = func(c *cobra.Command, _ []string) error {
		_, profile, err := p.Selected()
		if err != nil {
			return err
		}
		return do(c.Context(), profile)
	}
	return c
}

// noArgument rejects arguments, of which one may be a key in an unknown form.
func noArgument(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &command.Refusal{Reason: command.WhySecret, Err: command.ErrSecret}
	}
	return nil
}

func (p Commands) setKeyCommand() *cobra.Command {
	unchecked, sealed := false, false
	c := p.keyAction(&cobra.Command{
		Use: "set", Short: "Read the key, try it with one read-only request, and store it",
		Example: "  paydesk key set\n  pass show shop | paydesk key set --profile shop",
	}, func(ctx context.Context, to keystore.Profile) error { return p.setKey(ctx, to, unchecked, sealed) })
	c.Flags().BoolVar(&unchecked, "unchecked", false, "store the key without verifying it")
	c.Flags().BoolVar(&sealed, "age", false, "store it in a file behind a passphrase")
	return c
}

// setKey reads, verifies and stores a key. Nothing is stored before the service has accepted the key: a wrong one would replace one
// that works. A key that is sealed although the profile names another source is not used yet, and the person is told what to change.
func (p Commands) setKey(ctx context.Context, to keystore.Profile, unchecked, sealed bool) error {
	named := to.Source
	if sealed {
		to = to.WithSource("age")
	}
	if words := keystore.StoredElsewhere(to.Source); words != "" {
		return command.Wrong("Profile " + to.Name + ` has key = "` + to.Source + `". ` + words)
	}
	if to.Source == "age" && !p.Plain && !p.Ask.Typed() {
		return errors.New("the passphrase must be typed by a person at a terminal; nothing was stored")
	}
	k, err := p.readKey(ctx, to)
	if err != nil {
		return err
	}
	if err := k.Fits(to); err != nil {
		return errors.New(err.Error() + "; it was not stored")
	}
	if !unchecked {
		p.Say("Verifying the key with one read-only request (the first page of transactions)…")
		err := keystore.CheckKey(ctx, p.Client(to, k))
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return errors.New(err.Error() + "\nThe key was not stored. With --unchecked it is stored without being verified.")
		}
	}
	if err := p.storeKey(ctx, to, k); err != nil {
		return err
	}
	if k.Environment() == "" {
		p.Print("Its prefix does not say test or live. The console asks once whether it is for %s, before it sends anything with it.", to.Environment)
	}
	if named != to.Source {
		p.Print(`Profile %s does not use it yet: it has key = %q. Set key = "age" there.`, to.Name, named)
	}
	return nil
}

// maxStdin is the largest standard input that is read, in bytes.
const maxStdin = 4 << 10

// readKey reads a key, typed or piped.
func (p Commands) readKey(ctx context.Context, to keystore.Profile) (keystore.Key, error) {
	var b []byte
	var err error
	if p.Plain || p.Ask.Typed() {
		b, err = p.Secret(ctx, fmt.Sprintf("Secret key of profile %s (%s) for %s, not shown:", to.Name, to.Environment, addresses(to)))
	} else {
		b, err = p.readPiped(ctx)
	}
	if err != nil {
		return keystore.Key{}, err
	}
	defer clear(b)
	return keystore.ParseKey(string(b))
}

// readPiped reads a key from a pipe or a file.
func (p Commands) readPiped(ctx context.Context) ([]byte, error) {
	asked := command.Wrong("Nothing is asked with --no-input: pipe the key in.")
	b, err := p.ReadIn(ctx, maxStdin, asked)
	switch {
	case ctx.Err() != nil || err == asked:
		return nil, err
	case err != nil:
		return nil, errors.New("the input could not be read")
	case len(b) > maxStdin:
		clear(b)
		return nil, fmt.Errorf("the input is larger than %d KiB, too large for a secret key", maxStdin>>10)
	}
	return b, nil
}

// newPassphrase reads a new passphrase twice, because the key behind a mistyped one is lost.
// The caller must wipe it.
func (p Commands) newPassphrase(ctx context.Context) ([]byte, error) {
	first, err := p.Secret(ctx, fmt.Sprintf("New passphrase, at least %d characters, not shown:", keystore.MinPassphrase))
	if err != nil {
		return nil, err
	}
	second, err := p.Secret(ctx, "Repeat the passphrase:")
	defer clear(second)
	switch {
	case err != nil:
	case !bytes.Equal(first, second):
		err = errors.New("the passphrases do not match; nothing was stored")
	case len(first) < keystore.MinPassphrase:
		err = fmt.Errorf("a passphrase must have at least %d characters, several words are best; nothing was stored", keystore.MinPassphrase)
	}
	if err != nil {
		clear(first)
		return nil, err
	}
	return first, nil
}

// storeKey stores a verified key in the source of the profile. A sealed source gets a new passphrase
// first.
func (p Commands) storeKey(ctx context.Context, to keystore.Profile, k keystore.Key) error {
	s := p.Sources()(to)
	where, store := "stored in the "+s.Name(), func() error { return s.Set(ctx, to.Name, k) }
	if sealed, ok := s.(keystore.Sealed); ok {
		passphrase, err := p.newPassphrase(ctx)
		if err != nil {
			return err
		}
		where, store = "sealed in "+to.KeyPath(p.Global.Config), func() error { return sealed.Seal(ctx, to.Name, k, passphrase) }
	} else {
		p.Say("Storing the key; a keyring may prompt for its password in a window…")
	}
	if err := store(); err != nil {
		return command.Toward(command.WhyFailed, err.Error()+"\nThe key was not stored.", "paydesk doctor", "shows what works on this host")
	}
	p.Print("%s of profile %s is %s, for %s.", strings.TrimSpace("The key "+k.LastFour()), to.Name, where, addresses(to))
	return nil
}

// addresses names where the key of a profile is sent.
func addresses(p keystore.Profile) string { return strings.Join(p.Origins(), " and ") }

func (p Commands) showKeyCommand() *cobra.Command {
	return p.keyAction(&cobra.Command{
		Use: "show", Short: "Show where the key comes from, and its last four",
		Example: "  paydesk key show --profile shop",
	}, p.showKey)
}

// showKey describes the key without showing it. A key that is typed at each start is missing by design,
// so the command succeeds.
func (p Commands) showKey(ctx context.Context, of keystore.Profile) error {
	s := p.Sources()(of)
	k, err := s.Get(ctx, of.Name)
	if err != nil && p.Ask.Typed() {
		k, err = p.Prompt(ctx, s, of, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var ended error
	if err != nil && !errors.Is(err, keystore.ErrAsk) {
		ended = command.EndedBy(command.NoKeyOf(of, err))
	}
	o := output.Key{Profile: of.Name, Environment: string(of.Environment), Source: of.Source, SentTo: of.Origins(), Usable: err == nil}
	if err != nil {
		o.Problem = present.Plain(err.Error())
	} else {
		o.LastFour = strings.TrimPrefix(k.LastFour(), "…")
	}
	if p.Data.Format == output.JSON {
		p.Data.Object(o)
		return ended
	}
	known := "none: " + o.Problem
	switch {
	case errors.Is(err, keystore.ErrElsewhere):
		known = "not used: " + o.Problem + "\n             open the profile with paydesk, which asks about it; or correct the profile"
	case err == nil:
		known = k.LastFour()
	}
	p.Print("profile      %s, environment %s\nsource       %s\nsent to      %s\nkey          %s", of.Name, of.Environment, of.Source, addresses(of),
		cmp.Or(known, "present; too short to show its last four"))
	return ended
}

func (p Commands) deleteKeyCommand() *cobra.Command {
	yes := false
	c := p.keyAction(&cobra.Command{
		Use: "delete", Short: "Remove the key from every place paydesk knows",
		Example: "  paydesk key delete --profile shop",
	}, func(ctx context.Context, of keystore.Profile) error { return p.deleteKey(ctx, of, yes) })
	c.Flags().BoolVar(&yes, "yes", false, "remove it without asking")
	return c
}

// deleteKey removes the key from every store that may hold it, and reports each result. A key
// left behind in a former source would be forgotten there.
func (p Commands) deleteKey(ctx context.Context, of keystore.Profile, yes bool) error {
	question := fmt.Sprintf("Remove the key of profile %s (%s) from every place paydesk knows?", of.Name, of.Environment)
	if err := p.Confirm(ctx, question, yes, "Nothing was removed.", "remove it"); err != nil {
		return err
	}
	var failed error
	// The profile's own source comes first.
	sources := append([]string{of.Source}, slices.DeleteFunc([]string{"keyring", "age"}, func(s string) bool { return s == of.Source })...)
	for _, source := range sources {
		words, done := deleteResult(of, source, p.Sources()(of.WithSource(source)).Delete(ctx, of.Name))
		if p.Print("%-8s  %s", source, words); !done {
			failed = command.EndedBy(command.WhyFailed)
		}
	}
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
