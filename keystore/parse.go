package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// parts are the names that a profile may have in the file, with how each is taken
// in; false means that the value has the wrong type.
var parts = map[string]func(*Profile, any) bool{
	"environment":       func(p *Profile, v any) bool { return take((*string)(&p.Environment), v) },
	"base_url":          func(p *Profile, v any) bool { return take(&p.BaseURL, v) },
	"list_url":          func(p *Profile, v any) bool { return take(&p.ListURL, v) },
	"key":               func(p *Profile, v any) bool { return take(&p.Source, v) },
	"key_command":       func(p *Profile, v any) bool { return p.KeyCommand.take(v) },
	"key_file":          func(p *Profile, v any) bool { return take(&p.KeyFile, v) },
	"allow_env_key":     func(p *Profile, v any) bool { return take(&p.AllowEnvKey, v) },
	"allow_card_entry":  func(p *Profile, v any) bool { return take(&p.AllowCardEntry, v) },
	"key_header":        func(p *Profile, v any) bool { return take(&p.KeyHeader, v) },
	"authenticate_path": func(p *Profile, v any) bool { return take(&p.AuthenticatePath, v) },
	"status_path":       func(p *Profile, v any) bool { return take(&p.StatusPath, v) },
	"send_reference":    func(p *Profile, v any) bool { return take(&p.SendReference, v) },
	"journal":           func(p *Profile, v any) bool { return take(&p.Journal, v) },
	"unlock_minutes":    func(p *Profile, v any) bool { return takeMinutes(&p.UnlockMinutes, v) },
	"idle_lock":         func(p *Profile, v any) bool { return takeMinutes(&p.IdleLock, v) },
	"ca_file":           func(p *Profile, v any) bool { return take(&p.CAFile, v) },
}

func take[T any](to *T, v any) (ok bool) {
	*to, ok = v.(T)
	return ok
}

// takeMinutes takes a number in; one that no int holds is left to Check as too long.
func takeMinutes(to *int, v any) bool {
	n, ok := v.(int64)
	*to = int(max(-1, min(n, longest+1)))
	return ok
}

// A reader collects everything that is wrong with a file.
type reader struct {
	lines lines
	wrong map[string]int // a complaint and its line
}

// parse reads the bytes of the file at path.
func parse(path string, b []byte) (*Config, error) {
	var tree map[string]any
	r := &reader{wrong: map[string]int{}}
	if err := toml.Unmarshal(b, &tree); err != nil {
		line, words := malformed(err)
		r.complain(line, "%s", words)
	} else {
		r.lines = index(b)
	}
	r.refuseSecrets(b)
	c := r.config(tree)
	if len(r.wrong) > 0 {
		return nil, r.report(path)
	}
	c.Path = path
	return c, nil
}

func (r *reader) complain(line int, format string, of ...any) {
	words := fmt.Sprintf(format, of...)
	r.wrong[fmt.Sprintf("%d: %s", line, words)] = line
}

// report is all complaints, by line.
func (r *reader) report(path string) error {
	var all []error
	for _, words := range slices.SortedFunc(maps.Keys(r.wrong), func(a, b string) int {
		if d := r.wrong[a] - r.wrong[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}) {
		all = append(all, errors.New(path+":"+words))
	}
	return errors.Join(all...)
}

// refuseSecrets looks at the text itself, so that comments and a file that cannot be
// read as TOML are looked at too.
func (r *reader) refuseSecrets(b []byte) {
	for i, line := range bytes.Split(b, []byte("\n")) {
		if secretLike.Match(line) {
			r.complain(i+1, "%s", noSecrets)
		}
	}
	for at, text := range r.lines.texts {
		if secretLike.MatchString(text) {
			r.complain(at, "%s", noSecrets)
		}
	}
}

const noSecrets = "expected no secret key in this file: keep it in the keyring, and replace it if others could read it"

func (r *reader) config(tree map[string]any) *Config {
	c := &Config{KeepDays: keepDays, Profiles: map[string]Profile{}}
	var profiles, journal map[string]any
	for name, value := range sorted(tree) {
		switch name {
		case "default":
			if !take(&c.Default, value) {
				r.complain(r.lines.of(name), `expected default to be text: default = "NAME"`)
			}
		case "profiles":
			if !take(&profiles, value) {
				r.complain(r.lines.of(name), "expected profiles to be tables: [profiles.NAME]")
			}
		case "journal":
			if !take(&journal, value) {
				r.complain(r.lines.of(name), "expected journal to be a table: [journal]")
			}
		default:
			r.complain(r.lines.of(name), "expected default, [journal] or [profiles.NAME], not %s", called(name))
		}
	}
	for part, value := range sorted(journal) {
		var days int64
		switch {
		case part != "keep_days":
			r.complain(r.lines.of("journal", part), "expected keep_days, not %s", called(part))
		case !take(&days, value) || days < 1 || days > 3650:
			r.complain(r.lines.of("journal", part), "keep_days must be a number of days from 1 to 3650")
		default:
			c.KeepDays = int(days)
		}
	}
	for name, value := range sorted(profiles) {
		c.Profiles[name] = r.profile(name, value)
	}
	_, given := tree["default"].(string)
	if _, ok := c.Profiles[c.Default]; given && !ok {
		r.complain(r.lines.of("default"), "expected default to name a profile of this file")
	}
	return c
}

func (r *reader) profile(name string, value any) Profile {
	p := Profile{Name: name}.WithDefaults()
	var table map[string]any
	if !take(&table, value) {
		r.complain(r.lines.of("profiles", name), "expected a table: [profiles.NAME]")
		return p
	}
	var mistyped []string
	for part, v := range sorted(table) {
		set, known := parts[part]
		switch {
		case !known:
			names := slices.Sorted(maps.Keys(parts))
			r.complain(r.lines.of("profiles", name, part), "expected one of %s, not %s", strings.Join(names, ", "), called(part))
		case !set(&p, v):
			mistyped = append(mistyped, part)
			r.complain(r.lines.of("profiles", name, part), "%s must be %s", part, kind(part))
		}
	}
	for part, words := range sorted(p.Check()) {
		_, given := table[part]
		switch {
		case slices.Contains(mistyped, part):
		case part == "name":
			r.complain(r.lines.of("profiles", name), "the name of a profile %s", words)
		case given:
			r.complain(r.lines.of("profiles", name, part), "%s %s", part, words)
		default:
			r.complain(r.lines.of("profiles", name), "%s is missing; it %s", part, words)
		}
	}
	return p
}

// sorted ranges over a map in the order of its names, so that a file is read in the
// same way each time; the fuzzer depends on it.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}

func kind(part string) string {
	switch part {
	case "send_reference", "allow_env_key", "allow_card_entry":
		return "true or false"
	case "unlock_minutes", "idle_lock":
		return "a whole number of minutes, without quotes"
	case "key_command":
		return `a list of texts, such as ["pass", "show", "paydesk/test"]`
	}
	return "text in quotes"
}

// called is a name from the file as it may be shown: one that may be a key in the
// wrong place, or that a terminal might obey, is not.
func called(name string) string {
	if !bareName.MatchString(name) || secretLike.MatchString(name) {
		return "this name"
	}
	return name
}

var (
	bareName = shape{32, regexp.MustCompile(`^[A-Za-z0-9_-]+$`)}
	// harmless is what the TOML reader says when it quotes at most one character.
	harmless = shape{100, regexp.MustCompile(`^[a-zA-Z0-9+#'=\[\]{}(),: -]+$`)}
)

// malformed is where and why a file is not TOML, without names and values.
func malformed(err error) (line int, words string) {
	words, line = "expected TOML: name = \"value\" lines under [profiles.NAME]", 1
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		return line, words
	}
	line, _ = d.Position()
	said := strings.TrimPrefix(strings.TrimPrefix(d.Error(), "toml: "), "toml: ")
	switch {
	case strings.Contains(said, "already"), strings.Contains(said, "should be a table"):
		return line, "expected each name and each table only once"
	case harmless.MatchString(said):
		return line, words + " (" + said + ")"
	}
	return line, words
}
