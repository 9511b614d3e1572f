package keystore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Config is the content of the configuration folder.
type Config struct {
	Path     string // of the folder
	Default  string // the profile that is used where none is named; "" for none
	KeepDays int    // how long the journal keeps attempts
	Journal  Journal
	Profiles map[string]Profile
	TimeZone TimeZone
}

const defaultKeepDays = 90

// A TimeZone is the name of the zone of all times that are shown and written: "local", "UTC" or a name
// such as "Europe/London".
type TimeZone string

const localZone TimeZone = "local"

// Location returns the zone; for "local" the machine's.
func (z TimeZone) Location() (*time.Location, error) {
	switch z {
	case localZone:
		return time.Local, nil
	case "", "Local": // time.LoadLocation takes both
		return nil, errors.New("unknown time zone")
	}
	return time.LoadLocation(string(z))
}

// check says what is wrong with the zone. A container often comes without the names of zones.
func (z TimeZone) check() string {
	if _, err := z.Location(); err == nil {
		return ""
	}
	if _, err := time.LoadLocation("Europe/London"); err != nil {
		return `must be "local" or "UTC": this machine has no database of other time zones. Install tzdata for them`
	}
	return `must be "local", "UTC" or the name of a zone, such as "Europe/London"`
}

// DefaultFolder returns $XDG_CONFIG_HOME/paydesk, or the place that the operating system has for it.
func DefaultFolder() (string, error) {
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder != "" && !filepath.IsAbs(folder) {
		return "", errors.New("XDG_CONFIG_HOME is not an absolute path")
	}
	if folder == "" {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", fmt.Errorf("this system names no configuration folder: %w", err)
		}
	}
	return filepath.Join(folder, "paydesk"), nil
}

// Select returns the profile called asked, or if asked is "" the default profile, or the only one.
func (c *Config) Select(asked string) (Profile, error) {
	all := slices.Sorted(maps.Keys(c.Profiles))
	names := strings.Join(all, ", ")
	name := cmp.Or(asked, c.Default)
	if name == "" && len(all) == 1 {
		name = all[0]
	}
	switch p, ok := c.Profiles[name]; {
	case len(all) == 0:
		return Profile{}, fmt.Errorf("%s has no profile; paydesk profile add makes one", c.Path)
	case name == "":
		return Profile{}, fmt.Errorf("%s names no default profile; choose one of: %s", c.Path, names)
	case !ok && asked == "":
		return Profile{}, fmt.Errorf("%s names a default profile that is not there; it has: %s", c.Path, names)
	case !ok:
		return Profile{}, fmt.Errorf("%s has no profile of that name; it has: %s", c.Path, names)
	default:
		return p, nil
	}
}

// A Folder is the path of the configuration folder. Its methods do I/O.
type Folder string

func (f Folder) settings() string    { return filepath.Join(string(f), "config.toml") }
func (f Folder) defaultName() string { return filepath.Join(string(f), "default") }
func (f Folder) profiles() string    { return filepath.Join(string(f), "profiles") }

const profileSuffix = ".toml"

// Profile returns the path of the file of a profile, without I/O.
func (f Folder) Profile(name string) string { return filepath.Join(f.profiles(), name+profileSuffix) }

// Load reads the configuration. A folder without a configuration is [fs.ErrNotExist]. The error
// lists everything that is wrong, one problem per line, each with the file, the line and what was
// expected. Load rejects a file that seems to contain a secret key, and one that other users can
// change or replace: it names programs that are run, and hosts that receive the key.
func (f Folder) Load() (*Config, error) {
	c := &Config{Path: string(f), KeepDays: defaultKeepDays, TimeZone: localZone, Profiles: map[string]Profile{}}
	if about, err := os.Stat(string(f)); err == nil && !about.IsDir() {
		return nil, fmt.Errorf("%s is not a folder; a configuration is one, with config.toml and profiles in it", f)
	}
	d, err := readDocument(f.settings())
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, err
	}
	wrong := []error{d.assign(c.settings)}
	entries, err := os.ReadDir(f.profiles())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileError(f.profiles(), err)
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), profileSuffix)
		if !ok || strings.HasPrefix(name, ".") { // such as what an editor leaves
			continue
		}
		missing = false
		if words := checkName(name); words != "" { // which is not quoted, as it may be a key
			wrong = append(wrong, fmt.Errorf("a file in %s is not named as a profile: a name %s", f.profiles(), words))
			continue
		}
		p, err := f.loadProfile(name)
		c.Profiles[name], wrong = p, append(wrong, err)
	}
	if missing {
		return nil, fmt.Errorf("%s has no configuration: %w", f, fs.ErrNotExist)
	}
	text, err := readConfig(f.defaultName())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if c.Default = strings.TrimSpace(string(text)); c.Default != "" && checkName(c.Default) != "" {
		wrong = append(wrong, fmt.Errorf("%s:1: expected the name of a profile", f.defaultName()))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	c.Journal = c.Journal.withDefaults(string(f))
	return c, nil
}

// settings returns the settings for all profiles in the order in which the manual has them.
func (c *Config) settings() []setting {
	const table = "journal."
	return append([]setting{
		{"time_zone", (*string)(&c.TimeZone), c.TimeZone.check()},
		{table + "keep_days", &c.KeepDays, unless(1 <= c.KeepDays && c.KeepDays <= 3650, "must be a number of days from 1 to 3650")},
	}, c.Journal.settings(table)...)
}

// loadProfile reads one profile. Who can change its certificates can pose as the service.
func (f Folder) loadProfile(name string) (Profile, error) {
	p := Profile{Name: name}.WithDefaults()
	d, err := readDocument(f.Profile(name))
	if errors.Is(err, fs.ErrNotExist) { // which would read as if there were no configuration
		return p, fmt.Errorf("%s is a broken symbolic link, or was just removed", f.Profile(name))
	}
	if err != nil {
		return p, err
	}
	if err := d.assign(p.settings); err != nil {
		return p, err
	}
	if p.CAFile != "" {
		if err := ownPath(p.CAFile); err != nil {
			return p, rejected("ca_file of profile "+name+" cannot be trusted: ", err)
		}
	}
	return p, nil
}

// LoadOrEmpty is Load for a folder that may have no configuration, and then has no profiles.
func (f Folder) LoadOrEmpty() (*Config, error) {
	c, err := f.Load()
	if errors.Is(err, fs.ErrNotExist) {
		return &Config{Path: string(f)}, nil
	}
	return c, err
}

// Create writes a profile that is not there yet. The first one becomes the default, and stays it.
func (f Folder) Create(p Profile) error {
	c, err := f.LoadOrEmpty()
	if err != nil {
		return fmt.Errorf("correct the configuration first:\n%w", err)
	}
	if _, taken := c.Profiles[p.Name]; taken {
		return fmt.Errorf("%s already has a profile %s", f, p.Name)
	}
	if err := f.write(p); err != nil || c.Default != "" || len(c.Profiles) > 1 {
		return err
	}
	first := p.Name
	for name := range c.Profiles { // the only one so far is used where none is named, and stays so
		first = name
	}
	return f.SetDefault(first)
}

// Writable returns why no profile can be written, nil where one can. It leaves no file behind.
func (f Folder) Writable() error {
	folder := f.profiles()
	for parent := filepath.Dir(folder); parent != folder; folder, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return unwritten(f.profiles(), writable(folder))
}

// Edit replaces the profile of p's name with p.
func (f Folder) Edit(p Profile) error {
	if _, err := f.find(p.Name); err != nil {
		return err
	}
	return f.write(p)
}

// SetSource names another source of the key in the profile called name. All else stays as it is in the file.
func (f Folder) SetSource(name, source string) error {
	c, err := f.find(name)
	if err != nil {
		return err
	}
	return f.write(c.Profiles[name].WithSource(source))
}

// SetDefault makes the profile called name the default.
func (f Folder) SetDefault(name string) error {
	if _, err := f.find(name); err != nil {
		return err
	}
	return replaceConfig(f.defaultName(), []byte(name+"\n"))
}

// Remove deletes the profile called name, but not its key. The default profile can only be removed
// if it is the last one.
func (f Folder) Remove(name string) error {
	c, err := f.find(name)
	switch {
	case err != nil:
		return err
	case c.Default == name && len(c.Profiles) > 1:
		return fmt.Errorf("%s is the default profile; make another one the default first", name)
	}
	if err := os.Remove(f.Profile(name)); err != nil {
		return fileError(f.Profile(name), err)
	}
	if c.Default != name {
		return nil
	}
	if err := os.Remove(f.defaultName()); err != nil {
		return fileError(f.defaultName(), err)
	}
	return nil
}

// find returns the configuration if it has a profile called name.
func (f Folder) find(name string) (*Config, error) {
	c, err := f.LoadOrEmpty()
	if err != nil {
		return nil, fmt.Errorf("correct the configuration first:\n%w", err)
	}
	if _, ok := c.Profiles[name]; !ok {
		return nil, fmt.Errorf("%s has no profile of that name", f)
	}
	return c, nil
}

// write writes a profile that passes Check as a whole: what it requires, and what differs from the defaults.
func (f Folder) write(p Profile) error {
	p = p.WithDefaults()
	wrong := p.Check()
	var all []error
	for _, part := range slices.Sorted(maps.Keys(wrong)) {
		all = append(all, fmt.Errorf("%s %s", part, wrong[part]))
	}
	if len(all) > 0 {
		return errors.Join(all...)
	}
	var text strings.Builder
	defaults := Profile{}.WithDefaults()
	usual := defaults.settings()
	for i, s := range p.settings() {
		if value := s.value(); value != usual[i].value() {
			fmt.Fprintf(&text, "%s = %s\n", s.name, value)
		}
	}
	return replaceConfig(f.Profile(p.Name), []byte(text.String()))
}

// replaceConfig replaces a file of the configuration. A symbolic link stays: its owner keeps the file elsewhere.
func replaceConfig(path string, b []byte) error {
	mode := fs.FileMode(0o600)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if about, err := os.Stat(path); err == nil {
			mode = about.Mode().Perm()
		}
	}
	return unwritten(path, replaceFile(path, b, mode))
}

// unwritten says of which file an error is, in place of the temporary one beside it.
func unwritten(path string, err error) error {
	if failed, is := errors.AsType[*fs.PathError](err); is {
		err = failed.Err
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

// replaceFile writes b to a temporary file beside path and renames it to path. It creates the
// folder with mode 0700 if necessary. A crash leaves either the old or the new file.
func replaceFile(path string, b []byte, mode fs.FileMode) error {
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
