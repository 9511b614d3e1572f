package keystore

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Create adds a profile to the file and creates the file (0600, in a 0700 folder) if
// necessary. The existing content stays the same to the byte. The first profile becomes the
// default. The file is replaced in one step, so a crash leaves either the old or the new one.
func Create(path string, p Profile) error {
	p = p.WithDefaults()
	if err := validate(p); err != nil {
		return err
	}
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		if _, taken := c.Profiles[p.Name]; taken {
			return nil, fmt.Errorf("%s already has a profile %s", c.Path, p.Name)
		}
		var changes []change
		if len(c.Profiles) == 0 { // TOML allows the default only before all tables
			c.Default = p.Name
			changes = append(changes, change{span{}, fmt.Sprintf("default = %q\n\n", p.Name)})
		}
		c.Profiles[p.Name] = p
		return append(changes, o.appendTable(profileTable(p))), nil
	})
}

func validate(p Profile) error {
	wrong := p.Check()
	var all []error
	for _, part := range slices.Sorted(maps.Keys(wrong)) {
		all = append(all, fmt.Errorf("%s %s", part, wrong[part]))
	}
	return errors.Join(all...)
}

// resolveLinks follows symbolic links to the file, whether it exists or not. Replacing a link
// instead would detach it from the file that its owner keeps elsewhere.
func resolveLinks(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("the symbolic links to the configuration file lead nowhere")
}

// profileTable formats a profile as a TOML table, without the settings that have their
// default.
func profileTable(p Profile) string {
	var b strings.Builder
	usual := Profile{}.WithDefaults()
	fmt.Fprintf(&b, "[profiles.%s]\n", p.Name)
	for i, s := range p.settings() {
		if s.value() != usual.settings()[i].value() {
			fmt.Fprintf(&b, "%s = %s\n", s.name, s.value())
		}
	}
	return b.String()
}

// ReplaceFile writes b to a temporary file beside path and renames it to path. It creates the
// folder with mode 0700 if necessary. A crash leaves either the old or the new file.
func ReplaceFile(path string, b []byte, mode fs.FileMode) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails harmlessly after the rename
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	// Not every system can sync a folder; the file is complete either way.
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}
