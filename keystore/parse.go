package keystore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A configParser collects all errors of a file.
type configParser struct {
	outline outline
	errors  []lineError
}

type lineError struct {
	line  int
	words string
}

// parse parses the content of the file at path.
func parse(path string, b []byte) (*Config, error) {
	var tree map[string]any
	r := &configParser{}
	if err := toml.Unmarshal(b, &tree); err != nil {
		r.errors = append(r.errors, syntaxError(err))
	} else {
		r.outline = parseOutline(b)
	}
	r.rejectSecrets(b)
	c := r.config(tree)
	if len(r.errors) > 0 {
		return nil, r.report(path)
	}
	c.Path, c.Journal = path, c.Journal.withDefaults(path)
	return c, nil
}

// addError adds an error at the line of a name.
func (r *configParser) addError(path []string, format string, of ...any) {
	r.errors = append(r.errors, lineError{r.outline.line(path...), fmt.Sprintf(format, of...)})
}

// report joins all errors, sorted by line.
func (r *configParser) report(path string) error {
	slices.SortFunc(r.errors, func(a, b lineError) int {
		return cmp.Or(a.line-b.line, strings.Compare(a.words, b.words))
	})
	var all []error
	for _, e := range slices.Compact(r.errors) {
		all = append(all, fmt.Errorf("%s:%d: %s", path, e.line, e.words))
	}
	return errors.Join(all...)
}

// rejectSecrets searches the text itself, so that it also covers comments and files that are
// not valid TOML.
func (r *configParser) rejectSecrets(b []byte) {
	for i, line := range bytes.Split(b, []byte("\n")) {
		if secretLike().Match(line) {
			r.errors = append(r.errors, lineError{i + 1, noSecrets})
		}
	}
	for at, text := range r.outline.texts {
		if secretLike().MatchString(text) {
			r.errors = append(r.errors, lineError{at, noSecrets})
		}
	}
}

const noSecrets = "expected no secret key in this file: keep it in the keyring, and replace it if others could read it"

func (r *configParser) config(tree map[string]any) *Config {
	c := &Config{KeepDays: defaultKeepDays, TimeZone: localZone, Profiles: map[string]Profile{}}
	var profiles, journal map[string]any
	for name, value := range tree {
		expected := "default, time_zone, [journal] or [profiles.NAME], not " + safeName(name)
		switch name {
		case "default":
			expected = unless(assign(&c.Default, value), `default to be a string: default = "NAME"`)
		case "time_zone":
			expected = unless(c.TimeZone.assign(value), expectedZone())
		case "profiles":
			expected = unless(assign(&profiles, value), "profiles to be tables: [profiles.NAME]")
		case "journal":
			expected = unless(assign(&journal, value), "journal to be a table: [journal]")
		}
		if expected != "" {
			r.addError([]string{name}, "expected %s", expected)
		}
	}
	r.journal(c, journal)
	for name, value := range profiles {
		c.Profiles[name] = r.profile(name, value)
	}
	_, given := tree["default"].(string)
	if _, ok := c.Profiles[c.Default]; given && !ok {
		r.addError([]string{"default"}, "expected default to name a profile of this file")
	}
	return c
}

// assign takes the name of a zone that exists.
func (z *TimeZone) assign(value any) bool {
	name, ok := value.(string)
	*z = TimeZone(name)
	_, err := z.Location()
	return ok && err == nil
}

// expectedZone says what time_zone may be. A container often comes without the names of zones.
func expectedZone() string {
	if !zonesKnown() {
		return `time_zone to be "local" or "UTC": this machine has no database of other time zones. Install tzdata for them`
	}
	return `time_zone to be "local", "UTC" or the name of a zone, such as "Europe/London"`
}

func (r *configParser) profile(name string, value any) Profile {
	p := Profile{Name: name}.WithDefaults()
	at := []string{"profiles", name}
	var table map[string]any
	if !assign(&table, value) {
		r.addError(at, "expected a table: [profiles.NAME]")
		return p
	}
	var names, mistyped []string
	for _, s := range p.settings() {
		names = append(names, s.name)
		if v, given := table[s.name]; given {
			if expected := s.set(v); expected != "" {
				mistyped = append(mistyped, s.name)
				r.addError(append(at, s.name), "%s must be %s", s.name, expected)
			}
		}
	}
	slices.Sort(names)
	for part := range table {
		if !slices.Contains(names, part) {
			r.addError(append(at, part), "expected one of %s, not %s", strings.Join(names, ", "), safeName(part))
		}
	}
	for part, words := range p.Check() {
		_, given := table[part]
		switch {
		case slices.Contains(mistyped, part):
		case part == "name":
			r.addError(at, "a profile name %s", words)
		case given:
			r.addError(append(at, part), "%s %s", part, words)
		default:
			r.addError(at, "%s is missing; it %s", part, words)
		}
	}
	return p
}

// safeName returns a name from the file if it is safe to show. A name that may be a misplaced
// key or contain control characters is not.
func safeName(name string) string {
	if !only(name, 32, nameChars) || secretLike().MatchString(name) {
		return "this name"
	}
	return name
}

// syntaxError says where and why a file is not TOML, without names and values.
func syntaxError(err error) lineError {
	e := lineError{1, "expected TOML: name = \"value\" lines under [profiles.NAME]"}
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		return e
	}
	e.line, _ = d.Position()
	// A message of only these characters quotes at most one character of the file.
	message := strings.TrimPrefix(strings.TrimPrefix(d.Error(), "toml: "), "toml: ")
	switch {
	case strings.Contains(message, "already"), strings.Contains(message, "should be a table"):
		e.words = "expected each name and each table only once"
	case only(message, 100, lowerCase+upperCase+"+#'=[]{}(),: -"):
		e.words += " (" + message + ")"
	}
	return e
}
