package screens

import (
	"errors"
	"io/fs"

	"paydesk/keystore"
)

// A profileFile is the file of profiles. It does I/O: call it in commands.
type profileFile struct{ path string }

// Load reads the file; one that is not there has no profiles.
func (b profileFile) Load() (*keystore.Config, error) {
	c, err := keystore.Load(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &keystore.Config{Path: b.path}, nil
	}
	return c, err
}

func (b profileFile) Create(p keystore.Profile) error { return keystore.Create(b.path, p) }
func (b profileFile) Edit(p keystore.Profile) error   { return keystore.Edit(b.path, p) }
func (b profileFile) Copy(from, to string) error      { return keystore.Copy(b.path, from, to) }
func (b profileFile) Remove(name string) error        { return keystore.Remove(b.path, name) }
func (b profileFile) SetDefault(name string) error    { return keystore.SetDefault(b.path, name) }
