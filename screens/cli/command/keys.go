package command

import (
	"context"
	"errors"
	"runtime"

	"paydesk/api"
	"paydesk/api/browser"
	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// Key gets the key of a profile from its source. At a terminal the source may ask; the key itself is never typed
// for a command, but for a profile whose key is typed at each start.
func (p *Program) Key(ctx context.Context, profile keystore.Profile) (keystore.Key, string, error) {
	s := p.Sources()(profile)
	k, err := s.Get(ctx, profile.Name)
	if err != nil && p.Ask.Person() {
		k, err = p.keys().Prompt(ctx, s, profile, err)
	}
	switch {
	case IsSignal(err):
		return k, "", err
	case errors.Is(err, keystore.ErrElsewhere):
		return k, "", Refuse(noKey, "The key was not used: "+err.Error()+". Nothing was requested.", "Open paydesk in a terminal, which asks about it.")
	case err != nil:
		return k, "", Refuse(noKey, "There is no key to use: "+err.Error()+". Nothing was requested.", "paydesk doctor says what works.")
	}
	return k, s.Name(), nil
}

// Sources returns the sources of keys.
func (p *Program) Sources() func(keystore.Profile) keystore.Store {
	if p.Stores != nil {
		return p.Stores(p.Global.Config)
	}
	k, err := p.envKey() // unset even if the profile does not use it
	return keystore.Sources(keystore.SourceOptions{Folder: p.Global.Config, Env: k, EnvErr: err})
}

// keys are the commands of the key, which know how a key or a passphrase is typed.
func (p *Program) keys() Keys {
	keys := Keys{In: p.In, Stderr: p.Err, Clean: OneLine}
	switch at := IsTerminal(p.In); {
	case p.Plain, at && !p.Global.NoInput:
		keys.Ask = p.Ask.ask
	case at:
		keys.In = nil
	}
	return keys
}

// Client configures the client for a profile and its key; the same for the console, the check of a key
// and the doctor.
func (p *Program) Client(to keystore.Profile, k api.Secret) api.Config {
	return api.Config{
		BaseURL: to.BaseURL, ListURL: to.ListURL, Key: k, KeyHeader: to.KeyHeader,
		AuthenticatePath: to.AuthenticatePath, StatusPath: to.StatusPath,
		SendReference: to.SendReference, UserAgent: "paydesk/" + p.Version, CAFile: to.CAFile,
		Observe: p.Log.Observer(to.Name), Backoff: p.Backoff,
	}
}

// Network runs the network checks of the doctor.
func (p *Program) Network(ctx context.Context, to keystore.Profile, k keystore.Key) []doctor.Check {
	checks := doctor.Network(ctx, p.Client(to, k))
	for _, more := range p.Checks {
		checks = append(checks, more(ctx, to)...)
	}
	return checks
}

// KeyCommands are the commands of the key with all they need.
func (p *Program) KeyCommands() Keys {
	keys := p.keys()
	keys.Out, keys.Config, keys.State, keys.Others = p.Out, p.Global.Config, p.Folder(), journal.Elsewhere(p.Getenv)
	keys.Store, keys.Network = p.Sources(), p.Network
	keys.Browser = browser.Unavailable(runtime.GOOS, p.Getenv)
	keys.Verify = func(ctx context.Context, to keystore.Profile, k keystore.Key) error {
		return doctor.CheckKey(ctx, p.Client(to, k))
	}
	return keys
}
