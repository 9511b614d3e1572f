package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Edit makes the profile called name in the file at path the same as p, whose name
// it keeps. The text of the file stays as it is, with its comments, order and line
// endings, except for the values that differ; a part that is not there yet is added
// at the end of its table. What the file would say afterwards is read before it is
// replaced, in one step; a file that cannot be changed like that is left alone, and
// the error says so (R75).
func Edit(path, name string, p Profile) error {
	p = p.WithDefaults()
	if p.Name != name {
		return errors.New("a profile keeps its name; copy it and remove the former one")
	}
	if err := complete(p); err != nil {
		return err
	}
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		old, err := c.named(name)
		if err != nil {
			return nil, err
		}
		c.Profiles[name] = p
		return o.edit(old, p), nil
	})
}

// Copy adds a profile called to that is otherwise the one called from.
func Copy(path, from, to string) error {
	c, err := Load(path)
	if err != nil {
		return err
	}
	p, err := c.named(from)
	if err != nil {
		return err
	}
	p.Name = to
	return Create(path, p)
}

// SetDefault makes the profile called name the default one.
func SetDefault(path, name string) error {
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		if _, err := c.named(name); err != nil {
			return nil, err
		}
		c.Default = name
		if e, ok := o.entry("default"); ok {
			return []change{{e.value, quoted(name)}}, nil
		}
		return []change{{span{}, "default = " + quoted(name) + o.end() + o.end()}}, nil
	})
}

// Remove takes the profile called name out of the file; its key stays where it is. The
// default profile can only be removed as the last one.
func Remove(path, name string) error {
	return rewrite(path, func(o outline, c *Config) ([]change, error) {
		if _, err := c.named(name); err != nil {
			return nil, err
		}
		delete(c.Profiles, name)
		changes := o.remove(name)
		if c.Default != name {
			return changes, nil
		}
		if len(c.Profiles) > 0 {
			return nil, fmt.Errorf("%s is the default profile; make another one the default first", name)
		}
		c.Default = ""
		e, _ := o.entry("default")
		return append(changes, change{o.lines(e.all), ""}), nil
	})
}

func (c *Config) named(name string) (Profile, error) {
	p, ok := c.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("%s has no profile of that name", c.Path)
	}
	return p, nil
}

// rewrite replaces the file at path by one with changes. They are made by plan, which
// also makes the Config what the file shall say then.
func rewrite(path string, plan func(outline, *Config) ([]change, error)) error {
	path, err := behindLinks(path)
	if err != nil {
		return err
	}
	old, mode, err := existing(path)
	if err != nil {
		return err
	}
	c, err := parse(path, old)
	if err != nil {
		return fmt.Errorf("the file has to be corrected first:\n%w", err)
	}
	o := outlined(old)
	changes, err := plan(o, c)
	if err != nil {
		return err
	}
	b := o.with(changes)
	if got, err := parse(path, b); err != nil || !got.says(c) {
		return fmt.Errorf("%s is written in a way that cannot be changed safely; give each profile a table [profiles.NAME] of its own, or change the file by hand", path)
	}
	if bytes.Equal(b, old) {
		return nil
	}
	return write(path, b, mode)
}

func (c *Config) says(other *Config) bool {
	return c.Default == other.Default && c.KeepDays == other.KeepDays && maps.Equal(c.Profiles, other.Profiles)
}

// edit is what has to change for a profile to be p instead of old.
// What has no place to go is missing from it.
func (o outline) edit(old, p Profile) []change {
	var changes []change
	var added string
	was := old.written()
	for i, part := range p.written() {
		if part.value == was[i].value {
			continue
		}
		switch e, there := o.entry("profiles", p.Name, part.name); {
		case there && part.value == "":
			changes = append(changes, change{o.lines(e.all), ""})
		case there:
			changes = append(changes, change{e.value, part.value})
		case part.value != "":
			added += part.name + " = " + part.value + o.end()
		}
	}
	at, ok := o.tableEnd(p.Name)
	if added == "" || !ok {
		return changes
	}
	if at > 0 && o.b[at-1] != '\n' {
		added = o.end() + added[:len(added)-len(o.end())] // the last line stays without an end
	}
	return append(changes, change{span{at, at}, added})
}

// tableEnd is behind the last line of a profile's table that is no comment and not
// blank: comments below may belong to the next table.
func (o outline) tableEnd(name string) (at int, ok bool) {
	i := slices.IndexFunc(o.headers, func(h header) bool { return slices.Equal(h.path, []string{"profiles", name}) })
	if i < 0 {
		return 0, false
	}
	at = o.lines(o.headers[i].at).to
	for _, e := range o.entries {
		if e.table == i {
			at = o.lines(e.all).to
		}
	}
	return at, true
}

// remove is what has to go for a profile to be no more: its table from the header to
// the last part, comments between them too, and one blank line of two around it.
func (o outline) remove(name string) []change {
	is := func(path []string) bool { return len(path) > 1 && path[0] == "profiles" && path[1] == name }
	var changes []change
	for i, h := range o.headers {
		if !is(h.path) {
			continue
		}
		s := o.lines(h.at)
		for _, e := range o.entries {
			if e.table == i {
				s.to = o.lines(e.all).to
			}
		}
		if next := o.lines(span{s.to, s.to}); o.blankBefore(s.from) && len(bytes.TrimSpace(o.b[next.from:next.to])) == 0 {
			s.to = next.to
		}
		changes = append(changes, change{s, ""})
	}
	for _, e := range o.entries {
		if is(e.path) && (e.table < 0 || !is(o.headers[e.table].path)) {
			changes = append(changes, change{o.lines(e.all), ""})
		}
	}
	return changes
}

// blankBefore reports whether the line before a line's start is blank, or there is none.
func (o outline) blankBefore(at int) bool {
	text := bytes.TrimRight(o.b[:at], " \t\r\n")
	return len(text) == 0 || bytes.Count(o.b[len(text):at], []byte("\n")) > 1
}
