package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A File is the path of a configuration file. Its methods do I/O.
type File string

// Load is [Load] for a file that may be missing, and then has no profiles.
func (f File) Load() (*Config, error) {
	c, err := Load(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return &Config{Path: string(f)}, nil
	}
	return c, err
}

// Create adds a profile to the file and creates the file (0600, in a 0700 folder) if
// necessary. The existing content stays the same to the byte. The first profile becomes the
// default.
func (f File) Create(p Profile) error {
	return f.rewrite(func(c *Config) error { return c.add(p) })
}

// Edit replaces the profile of p's name with p. Comments, order and line endings of the file
// stay; only values that differ change. New settings are added at the end of the profile's
// table.
func (f File) Edit(p Profile) error {
	return f.rewrite(func(c *Config) error {
		if _, err := c.lookup(p.Name); err != nil {
			return err
		}
		return c.put(p)
	})
}

// Copy adds a profile called to with the settings of the profile called from.
func (f File) Copy(from, to string) error {
	return f.rewrite(func(c *Config) error {
		p, err := c.lookup(from)
		if err != nil {
			return err
		}
		p.Name = to
		return c.add(p)
	})
}

// SetDefault makes the profile called name the default.
func (f File) SetDefault(name string) error {
	return f.rewrite(func(c *Config) error {
		c.Default = name
		_, err := c.lookup(name)
		return err
	})
}

// Remove deletes the profile called name from the file, but not its key. The default profile
// can only be removed if it is the last one.
func (f File) Remove(name string) error {
	return f.rewrite(func(c *Config) error {
		if _, err := c.lookup(name); err != nil {
			return err
		}
		delete(c.Profiles, name)
		switch {
		case c.Default == name && len(c.Profiles) > 0:
			return fmt.Errorf("%s is the default profile; make another one the default first", name)
		case c.Default == name:
			c.Default = ""
		}
		return nil
	})
}

func (c *Config) lookup(name string) (Profile, error) {
	p, ok := c.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("%s has no profile of that name", c.Path)
	}
	return p, nil
}

// add adds a profile whose name is not taken.
func (c *Config) add(p Profile) error {
	if _, taken := c.Profiles[p.Name]; taken {
		return fmt.Errorf("%s already has a profile %s", c.Path, p.Name)
	}
	if len(c.Profiles) == 0 {
		c.Default = p.Name
	}
	return c.put(p)
}

// put adds or replaces a profile that passes Check.
func (c *Config) put(p Profile) error {
	p = p.WithDefaults()
	var all []error
	wrong := p.Check()
	for _, part := range slices.Sorted(maps.Keys(wrong)) {
		all = append(all, fmt.Errorf("%s %s", part, wrong[part]))
	}
	c.Profiles[p.Name] = p
	return errors.Join(all...)
}

// rewrite changes the file to what do makes of its content. The new text is parsed
// before the file is replaced, in one step, so a crash leaves either the old or the new one. A
// file that cannot be edited this way is left alone, and the error says so.
func (f File) rewrite(do func(*Config) error) error {
	old, mode, err := readConfig(string(f)) // which also judges the links to it
	if errors.Is(err, fs.ErrNotExist) {
		mode = 0o600
	} else if err != nil {
		return err
	}
	path, err := resolveLinks(string(f))
	if err != nil {
		return err
	}
	was, err := parse(path, old)
	if err != nil {
		return fmt.Errorf("correct the configuration file first:\n%w", err)
	}
	c := *was
	c.Profiles = maps.Clone(was.Profiles)
	if err := do(&c); err != nil {
		return err
	}
	o := parseOutline(old)
	b := o.apply(o.changes(was, &c))
	if got, err := parse(path, b); err != nil || !reflect.DeepEqual(got, &c) {
		return fmt.Errorf("%s cannot be changed safely; give each profile a [profiles.NAME] table of its own, or edit the file by hand", path)
	}
	if bytes.Equal(b, old) {
		return nil
	}
	if err := ReplaceFile(path, b, mode); err != nil {
		return fmt.Errorf("the profile cannot be written: %w", err)
	}
	return nil
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

// changes returns the changes that turn the file from old into c.
func (o outline) changes(old, c *Config) []change {
	var changes []change
	if old.Default != c.Default {
		e, there := o.find("default")
		switch {
		case !there: // TOML allows it only before all tables
			changes = append(changes, change{span{}, "default = " + strconv.Quote(c.Default) + o.lineEnding() + o.lineEnding()})
		case c.Default == "":
			changes = append(changes, change{o.wholeLines(e.all), ""})
		default:
			changes = append(changes, change{e.value, strconv.Quote(c.Default)})
		}
	}
	for name := range old.Profiles {
		if _, stays := c.Profiles[name]; !stays {
			changes = append(changes, o.removeProfile(name)...)
		}
	}
	for name, p := range c.Profiles {
		was, known := old.Profiles[name]
		if !known {
			was = Profile{}.WithDefaults() // a new table leaves out what has its default
		}
		changes = append(changes, o.editProfile(was, p)...)
	}
	return changes
}

// editProfile returns the changes that turn old into p. New settings go to the end of the
// profile's table, or to a new one at the end of the file, after a blank line.
func (o outline) editProfile(old, p Profile) []change {
	var changes []change
	added, nl := "", o.lineEnding()
	for i, s := range p.settings() {
		value := s.value()
		if value == old.settings()[i].value() {
			continue
		}
		switch e, there := o.find("profiles", p.Name, s.name); {
		case there && value == "":
			changes = append(changes, change{o.wholeLines(e.all), ""})
		case there:
			changes = append(changes, change{e.value, value})
		case value != "":
			added += s.name + " = " + value + nl
		}
	}
	if added == "" {
		return changes
	}
	table := slices.IndexFunc(o.headers, func(h header) bool { return slices.Equal(h.path, []string{"profiles", p.Name}) })
	at := len(o.b)
	if table >= 0 {
		at = o.tableLines(table).to
	} else {
		added = "[profiles." + p.Name + "]" + nl + added
	}
	switch open := at > 0 && o.b[at-1] != '\n'; { // the last line has no line ending
	case open && table >= 0:
		added = nl + strings.TrimSuffix(added, nl) // and keeps none
	case open:
		added = nl + nl + added
	case at > 0 && table < 0:
		added = nl + added
	}
	return append(changes, change{span{at, at}, added})
}

// removeProfile returns the changes that delete a profile: its table from the header to the
// last setting, including comments in between, and one of two blank lines around it.
func (o outline) removeProfile(name string) []change {
	is := func(path []string) bool { return len(path) > 1 && path[0] == "profiles" && path[1] == name }
	var changes []change
	for i, h := range o.headers {
		if !is(h.path) {
			continue
		}
		s := o.tableLines(i)
		if next := o.wholeLines(span{s.to, s.to}); o.blankBefore(s.from) && len(bytes.TrimSpace(o.b[next.from:next.to])) == 0 {
			s.to = next.to
		}
		changes = append(changes, change{s, ""})
	}
	for _, e := range o.entries {
		if is(e.path) && (e.table < 0 || !is(o.headers[e.table].path)) {
			changes = append(changes, change{o.wholeLines(e.all), ""})
		}
	}
	return changes
}

// blankBefore reports whether the line before position at is blank or missing.
func (o outline) blankBefore(at int) bool {
	text := bytes.TrimRight(o.b[:at], " \t\r\n")
	return len(text) == 0 || bytes.Count(o.b[len(text):at], []byte("\n")) > 1
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
