package screens

import (
	"errors"
	"io/fs"

	"paydesk/keystore"
)

// A book is the file of profiles. It does I/O: call it in commands.
type book struct{ path string }

// Load reads the file; one that is not there has no profiles.
func (b book) Load() (*keystore.Config, error) {
	c, err := keystore.Load(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &keystore.Config{Path: b.path}, nil
	}
	return c, err
}

func (b book) Create(p keystore.Profile) error { return keystore.Create(b.path, p) }
func (b book) Edit(p keystore.Profile) error   { return keystore.Edit(b.path, p.Name, p) }
func (b book) Copy(from, to string) error      { return keystore.Copy(b.path, from, to) }
func (b book) Remove(name string) error        { return keystore.Remove(b.path, name) }
func (b book) SetDefault(name string) error    { return keystore.SetDefault(b.path, name) }
