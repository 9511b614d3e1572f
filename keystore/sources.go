package keystore

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// SourceNames are the places that a profile can have its key from (R71), the best
// first.
func SourceNames() []string { return []string{"keyring", "command", "file", "age", "env", "ask"} }

// SourceOptions are what the sources have from the start of the program.
type SourceOptions struct {
	// Folder has the passphrase files of profiles that name none: that of the
	// file of profiles.
	Folder string
	// Env and EnvErr are what [FromEnv] gave.
	Env    Key
	EnvErr error
	// Environ is the environment after that, as of [os.Environ]; nil asks for it.
	Environ []string
}

// A Prompter is a store whose Get may need the terminal to ask a person something.
type Prompter interface {
	Store
	// Interactive is a command to be run with the terminal as its standard input
	// and standard error, and how its key is read once it has ended.
	Interactive(profile string) (cmd *exec.Cmd, read func() (Key, error))
}

// A Sealed store gives its key for a passphrase; its Get only says whether it is there
// ([ErrPassphrase]). Both wipe the passphrase.
type Sealed interface {
	Store
	// Unlock takes about a second, and 256 MiB of memory.
	Unlock(ctx context.Context, profile string, passphrase []byte) (Key, error)
	// Seal keeps a key behind a passphrase of at least [MinPassphrase] bytes.
	Seal(ctx context.Context, profile string, k Key, passphrase []byte) error
}

// Sources gives each profile the one store that it names. No store ever asks
// another, whatever goes wrong (R71).
func Sources(o SourceOptions) func(Profile) Store {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	ring, typed := Open(), &sessionStore{NewMemory("this run")}
	return func(p Profile) Store {
		switch p.Source {
		case "keyring":
			return ring
		case "command":
			return &command{words: p.KeyCommand.Words(), environ: o.Environ, limit: commandLimit}
		case "file":
			return &keyFile{path: p.KeyPath(o.Folder), environ: o.Environ}
		case "age":
			return &ageFile{path: p.KeyPath(o.Folder), factor: workFactor}
		case "env":
			return &envStore{key: o.Env, err: o.EnvErr, forbidden: p.Environment == Live && !p.AllowEnvKey}
		case "ask":
			return typed
		}
		return unknownStore{}
	}
}

// KeyPath is where the key of a file or age profile is, as the profile says it, or in
// folder when an age profile says nothing.
func (p Profile) KeyPath(folder string) string {
	if p.KeyFile == "" && p.Source == "age" {
		return filepath.Join(folder, p.Name+".age")
	}
	return p.KeyFile
}

// envStore is the key of the environment. It was taken out at the start (R72), so
// nothing here asks the environment again.
type envStore struct {
	key       Key
	err       error
	forbidden bool
}

func (*envStore) Name() string { return "env" }

func (v *envStore) Get(ctx context.Context, _ string) (Key, error) {
	switch {
	case ctx.Err() != nil:
		return Key{}, ctx.Err()
	case v.forbidden:
		return Key{}, &Problem{
			Kind: ErrRefused, Message: "a live key is not read from the environment, where other programs can find it",
			Hint: "choose another source, or set allow_env_key = true in the profile",
		}
	case v.err != nil:
		return Key{}, v.err
	case v.key.IsZero():
		return Key{}, envError{}
	}
	return v.key, nil
}

func (*envStore) Set(context.Context, string, Key) error {
	return &Problem{Kind: ErrReadOnly, Message: "paydesk cannot change the environment that it was started from", Hint: "set " + Variable + " there and start again"}
}

func (*envStore) Delete(context.Context, string) error {
	return &Problem{Kind: ErrReadOnly, Message: "paydesk cannot change the environment that it was started from", Hint: "run: unset " + Variable}
}

// sessionStore has only what was typed since the start.
type sessionStore struct{ Store }

func (a *sessionStore) Get(ctx context.Context, profile string) (Key, error) {
	k, err := a.Store.Get(ctx, profile)
	if errors.Is(err, ErrNotFound) {
		return Key{}, ErrAsk
	}
	return k, err
}

// unknownStore is for a profile that Check was not asked about.
type unknownStore struct{}

var errUnknownSource = errors.New("this profile names no key source that paydesk knows")

func (unknownStore) Name() string                             { return "none" }
func (unknownStore) Get(context.Context, string) (Key, error) { return Key{}, errUnknownSource }
func (unknownStore) Set(context.Context, string, Key) error   { return errUnknownSource }
func (unknownStore) Delete(context.Context, string) error     { return errUnknownSource }
