package keystore

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// SourceNames returns the sources that a profile can name, the safest first.
func SourceNames() []string { return []string{"keyring", "command", "file", "age", "env", "ask"} }

// SourceOptions describe what the sources need from the start of the program.
type SourceOptions struct {
	// Folder is the configuration folder, which has the encrypted files of profiles without a
	// KeyFile.
	Folder string
	// Env and EnvErr are the results of [FromEnv].
	Env    Key
	EnvErr error
}

// A Prompter is a store that may need the terminal to prompt a person.
type Prompter interface {
	Store
	// Interactive returns a command to run with the terminal as standard input and
	// standard error, and a function that reads its key once it has ended.
	Interactive(profile string) (cmd *exec.Cmd, read func() (Key, error))
}

// A Sealed store returns its key only for a passphrase; its Get returns [ErrPassphrase] if
// there is one. Both methods wipe the passphrase.
type Sealed interface {
	Store
	// Unlock takes about a second and 256 MiB of memory.
	Unlock(ctx context.Context, profile string, passphrase []byte) (Key, error)
	// Seal encrypts a key with a passphrase of at least [MinPassphrase] bytes.
	Seal(ctx context.Context, profile string, k Key, passphrase []byte) error
}

// systemRing is the one keyring of all sources: of its calls one at most hangs.
var systemRing = newRing(system{}, requireBus)

// Sources returns a function that returns the one store a profile names. No store ever falls
// back to another.
func Sources(o SourceOptions) func(Profile) Store {
	typed := new(sync.Map)
	return func(p Profile) Store {
		switch p.Source {
		case "keyring":
			return &addressedRing{systemRing, p.Origins()}
		case "command":
			if p.KeyCommand == "" {
				break
			}
			return &command{readOnly: "command", words: p.KeyCommand.All(), limit: CommandLimit, of: printedKey}
		case "file":
			return &keyFile{readOnly: "file", path: p.KeyPath(o.Folder)}
		case "age":
			return &ageFile{path: p.KeyPath(o.Folder), factor: workFactor, origins: p.Origins()}
		case "env":
			if p.Environment == Live && !p.AllowEnvKey {
				return &given{readOnly: "env", err: problem(ErrRefused, "a live key is not read from the environment, where other programs can find it",
					"choose another source, or set allow_env_key = true in the profile")}
			}
			return &given{"env", o.Env, o.EnvErr}
		case "ask":
			return &memory{name: "this run", missing: ErrAsk, origins: strings.Join(p.Origins(), " "), keys: typed}
		}
		return &given{readOnly: "none", err: errors.New("this profile names no key source that paydesk knows")} // it has not passed Check
	}
}

// KeyPath returns the path of the key of a file or age profile; an age profile without one has
// its file in folder.
func (p Profile) KeyPath(folder string) string {
	if p.KeyFile == "" && p.Source == "age" {
		return filepath.Join(folder, p.Name+".age")
	}
	return p.KeyFile
}

// WithSource returns the profile with another source. The file of a readable key is not the
// place for a sealed one.
func (p Profile) WithSource(source string) Profile {
	if source == "age" && p.Source != "age" {
		p.KeyFile = ""
	}
	p.Source = source
	return p
}

// storedElsewhere says how a key gets into the sources to which paydesk writes none.
var storedElsewhere = map[string]string{
	"command": "That program keeps the key: store it there, for example with: pass insert paydesk/NAME",
	"file": "Paydesk writes no key to a readable file. Put it there yourself, for example with: (umask 077; cat >FILE), " +
		"or seal it with a passphrase: paydesk key set --age",
	"env": "The key comes from the environment: set " + Variable + " where you start paydesk.",
	"ask": "The key is typed at each start and stored nowhere.",
}

// StoredElsewhere says how a key gets into a source to which paydesk writes none; "" for one in which paydesk keeps keys.
func StoredElsewhere(source string) string { return storedElsewhere[source] }

// A readOnly source is one that paydesk cannot change. Its value is its name.
type readOnly string

func (r readOnly) Name() string { return string(r) }

func (r readOnly) Set(context.Context, string, Key) error {
	return problem(ErrReadOnly, storedElsewhere[string(r)], "")
}

func (r readOnly) Delete(context.Context, string) error {
	return problem(ErrReadOnly, "paydesk cannot remove a key from there", map[readOnly]string{
		"command": "remove it with the program that the command calls", "env": "run: unset " + Variable,
	}[r])
}

// A given source has what was known of its key when the program started, as from the environment.
type given struct {
	readOnly
	key Key
	err error // why there is none
}

func (g *given) Get(context.Context, string) (Key, error) {
	if g.err == nil && g.key.IsZero() { // the key was wiped since
		return Key{}, errEnvUnset
	}
	return g.key, g.err
}

// NewMemory returns a store in memory; the header shows name.
func NewMemory(name string) Store {
	return &memory{name: name, missing: ErrNotFound, keys: new(sync.Map)}
}

type memory struct {
	name    string
	missing error     // the error for a profile without a key
	origins string    // that a typed key is for; at another address it is typed again
	keys    *sync.Map // a Key for each entry
}

func (m *memory) entry(profile string) string { return profile + " " + m.origins }

func (m *memory) Name() string { return m.name }

func (m *memory) Get(_ context.Context, profile string) (Key, error) {
	k, ok := m.keys.Load(m.entry(profile))
	if !ok {
		return Key{}, m.missing
	}
	return k.(Key), nil
}

func (m *memory) Set(ctx context.Context, profile string, k Key) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case k.IsZero():
		return errEmptyKey
	}
	m.keys.Store(m.entry(profile), k)
	return nil
}

func (m *memory) Delete(ctx context.Context, profile string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, ok := m.keys.LoadAndDelete(m.entry(profile)); !ok {
		return m.missing
	}
	return nil
}
