package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"paydesk/api"
	"paydesk/keystore"
)

// Key gets the key of a profile from its source. At a terminal the source may ask; the key itself is never typed
// for a command, but for a profile whose key is typed at each start.
func (p *Program) Key(ctx context.Context, profile keystore.Profile) (keystore.Key, string, error) {
	s := p.Sources()(profile)
	k, err := s.Get(ctx, profile.Name)
	if err != nil && p.Ask.Person() {
		k, err = p.Prompt(ctx, s, profile, err)
	}
	switch {
	case IsSignal(err):
		return k, "", err
	case errors.Is(err, keystore.ErrElsewhere):
		return k, "", Toward(NoKey, "The key was not used: "+err.Error()+". Nothing was requested.", "paydesk", "asks about it, at a terminal")
	case err != nil:
		r := NoKeyOf(profile, err)
		return k, "", Refuse(r, "No usable key was found: "+err.Error()+". Nothing was requested.", r.command+" "+r.does+".")
	}
	return k, s.Name(), nil
}

// NoKeyOf is [NoKey] for the error of a profile's source. A profile that has no key yet is led to paydesk key set.
func NoKeyOf(p keystore.Profile, err error) Reason {
	r := NoKey
	if errors.Is(err, keystore.ErrNotFound) && keystore.StoredElsewhere(p.Source) == "" {
		r.command, r.does = "paydesk key set", "stores one"
	}
	return r
}

// Prompt gets a key from a store that needs a person at the terminal, after its Get failed: for a passphrase, or for whatever the key
// command prompts for. Otherwise it returns err.
func (p *Program) Prompt(ctx context.Context, s keystore.Store, of keystore.Profile, err error) (keystore.Key, error) {
	sealed, _ := s.(keystore.Sealed)
	prompter, _ := s.(keystore.Prompter)
	switch {
	case sealed != nil && errors.Is(err, keystore.ErrPassphrase):
		passphrase, err := p.Secret(ctx, fmt.Sprintf("Passphrase of the key of profile %s, not shown:", of.Name))
		if err != nil {
			return keystore.Key{}, err
		}
		return sealed.Unlock(ctx, of.Name, passphrase)
	case prompter != nil && (errors.Is(err, keystore.ErrFailed) || errors.Is(err, keystore.ErrTimeout)):
		return p.runInteractive(ctx, prompter, of)
	}
	return keystore.Key{}, err
}

// Secret asks for a line that is not shown. The caller wipes it.
func (p *Program) Secret(ctx context.Context, question string) ([]byte, error) {
	b, err := p.Ask.Hidden(ctx, question)
	if errors.Is(err, io.EOF) {
		err = errors.New("nothing was entered")
	}
	return b, err
}

// runInteractive runs the key command with the terminal, with no time limit of its own.
func (p *Program) runInteractive(ctx context.Context, s keystore.Prompter, of keystore.Profile) (keystore.Key, error) {
	p.Say("The key command failed without a terminal; running it again so that it can prompt you…")
	cmd, read := s.Interactive(of.Name)
	cmd.Stdin, cmd.Stderr = p.In, p.Err
	if cmd.Start() == nil {
		end := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
		defer end()
		_ = cmd.Wait() // read reports how it ended
	}
	if ctx.Err() != nil {
		return keystore.Key{}, context.Cause(ctx)
	}
	return read()
}

// Sources returns the sources of keys.
func (p *Program) Sources() func(keystore.Profile) keystore.Store {
	if p.Stores != nil {
		return p.Stores(p.Global.Config)
	}
	k, err := p.envKey() // unset even if the profile does not use it
	return keystore.Sources(keystore.SourceOptions{Folder: p.Global.Config, Env: k, EnvErr: err})
}

// Client configures the client for a profile and its key; the same for the console, the check of a key
// and the doctor.
func (p *Program) Client(to keystore.Profile, k api.Secret) api.Config {
	return api.Config{
		BaseURL: to.BaseURL, ListURL: to.ListURL, Key: k, KeyHeader: to.KeyHeader,
		AuthenticatePath: to.AuthenticatePath, StatusPath: to.StatusPath,
		UserAgent: "paydesk/" + p.Version, CAFile: to.CAFile,
		Observe: p.Log.Observer(to.Name), Backoff: p.Backoff,
	}
}
