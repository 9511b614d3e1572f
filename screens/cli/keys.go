package cli

import (
	"context"
	"errors"
	"runtime"

	"paydesk/api"
	"paydesk/api/browser"
	"paydesk/api/journal"
	"paydesk/api/probe"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/keystore/keycmd"
)

// key gets the key of a profile from its source. At a terminal the source may ask; the key itself is never typed
// for a command, but for a profile whose key is typed at each start.
func (p *program) key(ctx context.Context, profile keystore.Profile) (keystore.Key, string, error) {
	s := p.stores()(profile)
	k, err := s.Get(ctx, profile.Name)
	if err != nil && p.ask.Person() {
		k, err = p.keys().Prompt(ctx, s, profile, err)
	}
	switch {
	case isSignal(err):
		return k, "", err
	case errors.Is(err, keystore.ErrElsewhere):
		return k, "", refuse(noKey, "The key was not used: "+err.Error()+". Nothing was requested.", "Open paydesk in a terminal, which asks about it.")
	case err != nil:
		return k, "", refuse(noKey, "There is no key to use: "+err.Error()+". Nothing was requested.", "paydesk doctor says what works.")
	}
	return k, s.Name(), nil
}

// stores returns the sources of keys.
func (p *program) stores() func(keystore.Profile) keystore.Store {
	if p.Stores != nil {
		return p.Stores(p.global.config)
	}
	k, err := p.envKey() // unset even if the profile does not use it
	return keystore.Sources(keystore.SourceOptions{Folder: p.global.config, Env: k, EnvErr: err})
}

// keys are the commands of the key, which know how a key or a passphrase is typed.
func (p *program) keys() keycmd.CLI {
	keys := keycmd.CLI{In: p.In, Stderr: p.Err, Clean: oneLine}
	if p.plain { // which reads the input itself
		keys.Ask = p.ask.answer
	} else if p.global.noInput && isTerminal(p.In) {
		keys.In = nil
	}
	return keys
}

// client is what a profile and its key mean to the client; the same for the console, the check of a key
// and the doctor.
func (p *program) client(to keystore.Profile, k api.Secret) api.Config {
	return api.Config{
		BaseURL: to.BaseURL, ListURL: to.ListURL, Key: k, KeyHeader: to.KeyHeader,
		AuthenticatePath: to.AuthenticatePath, StatusPath: to.StatusPath,
		SendReference: to.SendReference, UserAgent: "paydesk/" + p.Version, CAFile: to.CAFile,
		Observe: p.log.Observer(to.Name),
	}
}

// network runs the network checks of the doctor.
func (p *program) network(ctx context.Context, to keystore.Profile, k keystore.Key) (checks []doctor.Check) {
	for _, f := range probe.Run(ctx, p.client(to, k)) {
		checks = append(checks, doctor.Check(f))
	}
	for _, more := range p.checks {
		checks = append(checks, more(ctx, to)...)
	}
	return checks
}

// keyCommands are the commands of the key with all they need.
func (p *program) keyCommands() keycmd.CLI {
	keys := p.keys()
	keys.Out, keys.Config, keys.State, keys.Others = p.Out, p.global.config, p.folder(), journal.Elsewhere(p.Getenv)
	keys.Store, keys.Network = p.stores(), p.network
	keys.Browser = browser.Unavailable(runtime.GOOS, p.Getenv)
	keys.Verify = func(ctx context.Context, to keystore.Profile, k keystore.Key) error {
		return probe.CheckKey(ctx, p.client(to, k))
	}
	return keys
}
