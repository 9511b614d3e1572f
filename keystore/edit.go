package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
)

// Edit replaces the profile of p's name with p. Comments, order and line endings of the file
// stay; only values that differ change. New settings are added at the end of the profile's
// table. The new text is parsed before the file is replaced, in one step. A file that cannot be
// edited this way is left alone, and the error says so.
func Edit(path string, p Profile) error {
	p = p.WithDefaults()
	if err := validate(p); err != nil {
		return err
	}
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		old, err := c.lookup(p.Name)
		if err != nil {
			return nil, err
		}
		c.Profiles[p.Name] = p
		return o.editProfile(old, p), nil
	})
}

// Copy adds a profile called to with the settings of the profile called from.
func Copy(path, from, to string) error {
	c, err := Load(path)
	if err != nil {
		return err
	}
	p, err := c.lookup(from)
	if err != nil {
		return err
	}
	p.Name = to
	return Create(path, p)
}

// SetDefault makes the profile called name the default.
func SetDefault(path, name string) error {
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		if _, err := c.lookup(name); err != nil {
			return nil, err
		}
		c.Default = name
		if e, ok := o.find("default"); ok {
			return []change{{e.value, strconv.Quote(name)}}, nil
		}
		return []change{{span{}, "default = " + strconv.Quote(name) + o.lineEnding() + o.lineEnding()}}, nil
	})
}

// Remove deletes the profile called name from the file, but not its key. The default profile
// can only be removed if it is the last one.
func Remove(path, name string) error {
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		if _, err := c.lookup(name); err != nil {
			return nil, err
		}
		delete(c.Profiles, name)
		changes := o.removeProfile(name)
		if c.Default != name {
			return changes, nil
		}
		if len(c.Profiles) > 0 {
			return nil, fmt.Errorf("%s is the default profile; make another one the default first", name)
		}
		c.Default = ""
		e, _ := o.find("default")
		return append(changes, change{o.wholeLines(e.all), ""}), nil
	})
}

func (c *Config) lookup(name string) (Profile, error) {
	p, ok := c.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("%s has no profile of that name", c.Path)
	}
	return p, nil
}

// rewrite applies the changes that plan returns to the file at path. Plan also updates the
// Config to what the file must say afterwards.
func rewrite(path string, plan func(outline, *Config) ([]change, error)) error {
	path, err := resolveLinks(path)
	if err != nil {
		return err
	}
	old, mode, err := readConfig(path)
	if errors.Is(err, fs.ErrNotExist) {
		mode = 0o600
	} else if err != nil {
		return err
	}
	c, err := parse(path, old)
	if err != nil {
		return fmt.Errorf("correct the configuration file first:\n%w", err)
	}
	o := parseOutline(old)
	changes, err := plan(o, c)
	if err != nil {
		return err
	}
	b := o.apply(changes)
	if got, err := parse(path, b); err != nil || !got.equal(c) {
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

func (c *Config) equal(other *Config) bool {
	return c.Default == other.Default && c.KeepDays == other.KeepDays && maps.Equal(c.Profiles, other.Profiles)
}

// editProfile returns the changes that turn old into p. Changes that have no place in the file
// are missing.
func (o outline) editProfile(old, p Profile) []change {
	var changes []change
	var added string
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
			added += s.name + " = " + value + o.lineEnding()
		}
	}
	table := slices.IndexFunc(o.headers, func(h header) bool { return slices.Equal(h.path, []string{"profiles", p.Name}) })
	if added == "" || table < 0 {
		return changes
	}
	at := o.tableLines(table).to
	if at > 0 && o.b[at-1] != '\n' {
		added = o.lineEnding() + added[:len(added)-len(o.lineEnding())] // keep the last line without a line ending
	}
	return append(changes, change{span{at, at}, added})
}

// appendTable returns the change that adds a table at the end, after a blank line.
func (o outline) appendTable(table string) change {
	at := len(o.b)
	switch {
	case at == 0:
	case o.b[at-1] == '\n':
		table = "\n" + table
	default:
		table = "\n\n" + table
	}
	return change{span{at, at}, table}
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
