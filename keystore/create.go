package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Create adds a profile to the file, which is made (0600, in a 0700 folder) when
// it is not there; what the file holds already is kept to the byte. The first
// profile becomes the default. The file is replaced in one step: after a crash it
// is the old or the new one, whole (R75).
func Create(path string, p Profile) error {
	p = p.WithDefaults()
	if err := validate(p); err != nil {
		return err
	}
	path, err := resolveLinks(path)
	if err != nil {
		return err
	}
	old, mode, err := readExisting(path)
	if err != nil {
		return err
	}
	c, err := parse(path, old)
	if err != nil {
		return fmt.Errorf("correct the configuration file first:\n%w", err)
	}
	if _, taken := c.Profiles[p.Name]; taken {
		return fmt.Errorf("%s already has a profile %s", path, p.Name)
	}
	b := appendProfile(old, p, len(c.Profiles) == 0)
	if _, err := parse(path, b); err != nil {
		return fmt.Errorf("%s cannot be extended automatically; add a [profiles.%s] table by hand", path, p.Name)
	}
	return writeConfig(path, b, mode)
}

// writeConfig puts the file of profiles in its place.
func writeConfig(path string, b []byte, mode fs.FileMode) error {
	if err := ReplaceFile(path, b, mode); err != nil {
		return fmt.Errorf("the profile cannot be written: %w", err)
	}
	return nil
}

func validate(p Profile) error {
	wrong := p.Check()
	var all []error
	for _, part := range slices.Sorted(maps.Keys(wrong)) {
		all = append(all, fmt.Errorf("%s %s", part, wrong[part]))
	}
	return errors.Join(all...)
}

// resolveLinks is where the file is that symbolic links lead to, whether it exists
// or not: replacing a link would part it from where its owner keeps the file.
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

// readExisting is what the file holds and its mode; nothing and 0600 when it is not
// there.
func readExisting(path string) ([]byte, fs.FileMode, error) {
	b, err := readConfig(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, nil
	}
	if err != nil {
		return nil, 0, err
	}
	about, err := os.Stat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("the profiles cannot be read: %w", err)
	}
	return b, about.Mode().Perm(), nil
}

// appendProfile is the file with a profile at its end and, for the first one, the default
// before all tables, the only place TOML has for it.
func appendProfile(old []byte, p Profile, first bool) []byte {
	var b bytes.Buffer
	if first {
		fmt.Fprintf(&b, "default = %q\n\n", p.Name)
	}
	b.Write(old)
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		b.WriteByte('\n')
	}
	if len(old) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(profileTable(p))
	return b.Bytes()
}

// profileTable is a profile as it stands in the file, without what is a default.
func profileTable(p Profile) string {
	var b strings.Builder
	usual := Profile{}.WithDefaults().fields()
	fmt.Fprintf(&b, "[profiles.%s]\n", p.Name)
	for i, part := range p.fields() {
		if part.value != usual[i].value {
			fmt.Fprintf(&b, "%s = %s\n", part.name, part.value)
		}
	}
	return b.String()
}

// A field is a part of a profile as it stands in the file.
type field struct {
	name  string
	value string // in TOML; "" for a part that is not written at all
}

// fields are all parts of a profile, in the order of a new file.
func (p Profile) fields() []field {
	return []field{
		{"environment", quoteTOML(string(p.Environment))},
		{"base_url", quoteTOML(p.BaseURL)},
		{"list_url", quoteTOML(p.ListURL)},
		{"key", quoteTOML(p.Source)},
		{"key_command", listTOML(p.KeyCommand)},
		{"key_file", quoteTOML(p.KeyFile)},
		{"allow_env_key", strconv.FormatBool(p.AllowEnvKey)},
		{"key_header", quoteTOML(p.KeyHeader)},
		{"authenticate_path", quoteTOML(p.AuthenticatePath)},
		{"status_path", quoteTOML(p.StatusPath)},
		{"send_reference", strconv.FormatBool(p.SendReference)},
		{"journal", quoteTOML(p.Journal)},
		{"allow_card_entry", strconv.FormatBool(p.AllowCardEntry)},
		{"unlock_minutes", strconv.Itoa(p.UnlockMinutes)},
		{"idle_lock", strconv.Itoa(p.IdleLock)},
		{"ca_file", quoteTOML(p.CAFile)},
	}
}

// quoteTOML is a text in TOML. Check leaves only what can be seen, and of that Go and
// TOML quote everything alike.
func quoteTOML(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

func listTOML(c Command) string {
	if c == "" {
		return ""
	}
	var words []string
	for _, w := range c.Words() {
		words = append(words, strconv.Quote(w))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// ReplaceFile writes b beside path and puts it there in one step.
func ReplaceFile(path string, b []byte, mode fs.FileMode) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there after the rename
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	// Not every system can flush a folder; the file itself is whole either way.
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}
