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

// setters assign the settings of a profile; false means that the value has the wrong type.
var setters = map[string]func(*Profile, any) bool{
	"environment":       func(p *Profile, v any) bool { return assign((*string)(&p.Environment), v) },
	"base_url":          func(p *Profile, v any) bool { return assign(&p.BaseURL, v) },
	"list_url":          func(p *Profile, v any) bool { return assign(&p.ListURL, v) },
	"key":               func(p *Profile, v any) bool { return assign(&p.Source, v) },
	"key_command":       func(p *Profile, v any) bool { return p.KeyCommand.assign(v) },
	"key_file":          func(p *Profile, v any) bool { return assign(&p.KeyFile, v) },
	"allow_env_key":     func(p *Profile, v any) bool { return assign(&p.AllowEnvKey, v) },
	"allow_card_entry":  func(p *Profile, v any) bool { return assign(&p.AllowCardEntry, v) },
	"key_header":        func(p *Profile, v any) bool { return assign(&p.KeyHeader, v) },
	"authenticate_path": func(p *Profile, v any) bool { return assign(&p.AuthenticatePath, v) },
	"status_path":       func(p *Profile, v any) bool { return assign(&p.StatusPath, v) },
	"send_reference":    func(p *Profile, v any) bool { return assign(&p.SendReference, v) },
	"journal":           func(p *Profile, v any) bool { return assign(&p.Journal, v) },
	"unlock_minutes":    func(p *Profile, v any) bool { return assignMinutes(&p.UnlockMinutes, v) },
	"idle_lock":         func(p *Profile, v any) bool { return assignMinutes(&p.IdleLock, v) },
	"ca_file":           func(p *Profile, v any) bool { return assign(&p.CAFile, v) },
}

func assign[T any](to *T, v any) (ok bool) {
	*to, ok = v.(T)
	return ok
}

// assignMinutes assigns a number. One that does not fit an int becomes too large, which Check
// reports.
func assignMinutes(to *int, v any) bool {
	n, ok := v.(int64)
	*to = int(max(-1, min(n, maxMinutes+1)))
	return ok
}

// A configParser collects all errors of a file.
type configParser struct {
	lines  lineIndex
	errors map[string]int // message to line
}

// parse parses the content of the file at path.
func parse(path string, b []byte) (*Config, error) {
	var tree map[string]any
	r := &configParser{errors: map[string]int{}}
	if err := toml.Unmarshal(b, &tree); err != nil {
		line, words := syntaxError(err)
		r.addError(line, "%s", words)
	} else {
		r.lines = indexLines(b)
	}
	r.rejectSecrets(b)
	c := r.config(tree)
	if len(r.errors) > 0 {
		return nil, r.report(path)
	}
	c.Path = path
	return c, nil
}

func (r *configParser) addError(line int, format string, of ...any) {
	words := fmt.Sprintf(format, of...)
	r.errors[fmt.Sprintf("%d: %s", line, words)] = line
}

// report joins all errors, sorted by line.
func (r *configParser) report(path string) error {
	var all []error
	for _, words := range slices.SortedFunc(maps.Keys(r.errors), func(a, b string) int {
		if d := r.errors[a] - r.errors[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}) {
		all = append(all, errors.New(path+":"+words))
	}
	return errors.Join(all...)
}

// rejectSecrets searches the text itself, so that it also covers comments and files that are
// not valid TOML.
func (r *configParser) rejectSecrets(b []byte) {
	for i, line := range bytes.Split(b, []byte("\n")) {
		if secretLike.Match(line) {
			r.addError(i+1, "%s", noSecrets)
		}
	}
	for at, text := range r.lines.texts {
		if secretLike.MatchString(text) {
			r.addError(at, "%s", noSecrets)
		}
	}
}

const noSecrets = "expected no secret key in this file: keep it in the keyring, and replace it if others could read it"

func (r *configParser) config(tree map[string]any) *Config {
	c := &Config{KeepDays: defaultKeepDays, Profiles: map[string]Profile{}}
	var profiles, journal map[string]any
	for name, value := range sorted(tree) {
		switch name {
		case "default":
			if !assign(&c.Default, value) {
				r.addError(r.lines.line(name), `expected default to be a string: default = "NAME"`)
			}
		case "profiles":
			if !assign(&profiles, value) {
				r.addError(r.lines.line(name), "expected profiles to be tables: [profiles.NAME]")
			}
		case "journal":
			if !assign(&journal, value) {
				r.addError(r.lines.line(name), "expected journal to be a table: [journal]")
			}
		default:
			r.addError(r.lines.line(name), "expected default, [journal] or [profiles.NAME], not %s", safeName(name))
		}
	}
	for part, value := range sorted(journal) {
		var days int64
		switch {
		case part != "keep_days":
			r.addError(r.lines.line("journal", part), "expected keep_days, not %s", safeName(part))
		case !assign(&days, value) || days < 1 || days > 3650:
			r.addError(r.lines.line("journal", part), "keep_days must be a number of days from 1 to 3650")
		default:
			c.KeepDays = int(days)
		}
	}
	for name, value := range sorted(profiles) {
		c.Profiles[name] = r.profile(name, value)
	}
	_, given := tree["default"].(string)
	if _, ok := c.Profiles[c.Default]; given && !ok {
		r.addError(r.lines.line("default"), "expected default to name a profile of this file")
	}
	return c
}

func (r *configParser) profile(name string, value any) Profile {
	p := Profile{Name: name}.WithDefaults()
	var table map[string]any
	if !assign(&table, value) {
		r.addError(r.lines.line("profiles", name), "expected a table: [profiles.NAME]")
		return p
	}
	var mistyped []string
	for part, v := range sorted(table) {
		set, known := setters[part]
		switch {
		case !known:
			names := slices.Sorted(maps.Keys(setters))
			r.addError(r.lines.line("profiles", name, part), "expected one of %s, not %s", strings.Join(names, ", "), safeName(part))
		case !set(&p, v):
			mistyped = append(mistyped, part)
			r.addError(r.lines.line("profiles", name, part), "%s must be %s", part, expectedType(part))
		}
	}
	for part, words := range sorted(p.Check()) {
		_, given := table[part]
		switch {
		case slices.Contains(mistyped, part):
		case part == "name":
			r.addError(r.lines.line("profiles", name), "a profile name %s", words)
		case given:
			r.addError(r.lines.line("profiles", name, part), "%s %s", part, words)
		default:
			r.addError(r.lines.line("profiles", name), "%s is missing; it %s", part, words)
		}
	}
	return p
}

// sorted ranges over a map in the order of its keys, so that a file gives the same errors
// every time. The fuzz tests depend on it.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}

func expectedType(part string) string {
	switch part {
	case "send_reference", "allow_env_key", "allow_card_entry":
		return "true or false"
	case "unlock_minutes", "idle_lock":
		return "a whole number of minutes, without quotes"
	case "key_command":
		return `a list of strings, such as ["pass", "show", "paydesk/test"]`
	}
	return "a string in quotes"
}

// safeName returns a name from the file if it is safe to show. A name that may be a misplaced
// key or contain control characters is not.
func safeName(name string) string {
	if !bareName.MatchString(name) || secretLike.MatchString(name) {
		return "this name"
	}
	return name
}

var (
	bareName = pattern{32, regexp.MustCompile(`^[A-Za-z0-9_-]+$`)}
	// safeDetail matches messages of the TOML decoder that quote at most one character.
	safeDetail = pattern{100, regexp.MustCompile(`^[a-zA-Z0-9+#'=\[\]{}(),: -]+$`)}
)

// syntaxError returns where and why a file is not TOML, without names and values.
func syntaxError(err error) (line int, words string) {
	words, line = "expected TOML: name = \"value\" lines under [profiles.NAME]", 1
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		return line, words
	}
	line, _ = d.Position()
	message := strings.TrimPrefix(strings.TrimPrefix(d.Error(), "toml: "), "toml: ")
	switch {
	case strings.Contains(message, "already"), strings.Contains(message, "should be a table"):
		return line, "expected each name and each table only once"
	case safeDetail.MatchString(message):
		return line, words + " (" + message + ")"
	}
	return line, words
}
