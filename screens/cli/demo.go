package cli

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/nav"
	"paydesk/screens/present"
)

// openDemo returns the profile of the embedded sandbox. Its key is in memory, for this run
// only.
func openDemo(env *screens.Deps) (nav.Route, error) {
	s := newSandbox()
	env.Sandbox, env.Tour = s.Controller(), true
	p, k, err := serveDemo(s)
	if err != nil {
		return nil, err
	}
	store := keystore.NewMemory("demo")
	env.Store = func(keystore.Profile) keystore.Store { return store }
	env.ConfigPath = "" // the demo opens no profiles, so its key reaches no other service
	return nav.Key{Profile: p}, store.Set(context.Background(), p.Name, k)
}

// plainDemo asks for commands against a sandbox inside the program. What they record ends with it.
func (p *program) plainDemo() error {
	of, key, err := serveDemo(newSandbox())
	if err != nil {
		return exit(Failed, err)
	}
	folder, err := os.MkdirTemp("", "paydesk-demo-")
	if err != nil {
		return refuse(badFile, "The demo needs a temporary folder: "+present.FileProblem(err), "")
	}
	defer os.RemoveAll(folder)
	of.Environment, of.Source = keystore.Test, "keyring"
	if err := keystore.Folder(folder).Create(of); err != nil {
		return refuse(badFile, present.FileProblem(err), "")
	}
	store := keystore.NewMemory("demo")
	if err := store.Set(context.Background(), of.Name, key); err != nil {
		return err
	}
	p.Stores = func(string) func(keystore.Profile) keystore.Store {
		return func(keystore.Profile) keystore.Store { return store }
	}
	p.global.config, p.global.profile, p.global.state = folder, of.Name, filepath.Join(folder, "state")
	return p.runPlain()
}

// newSandbox returns the embedded sandbox, which is not served yet.
func newSandbox() *sandbox.Sandbox {
	return sandbox.New(sandbox.Options{Transactions: 1_204, Seed: rand.Uint64()})
}

// serveDemo serves the embedded sandbox on a loopback port until the program ends.
func serveDemo(s *sandbox.Sandbox) (keystore.Profile, keystore.Key, error) {
	server, err := s.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		return keystore.Profile{}, keystore.Key{}, err
	}
	k, err := keystore.ParseKey(s.Key())
	p := keystore.Profile{Name: "demo", Environment: keystore.Sandbox, BaseURL: server.Origin(), ListURL: server.Origin(), Source: "demo"}
	return p.WithDefaults(), k, err
}
