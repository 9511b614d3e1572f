package keystore

import (
	"math"
	"slices"
	"strconv"

	"paydesk/api"
)

// A setting is one name = value of a table.
type setting struct {
	name  string
	part  any    // points to the value: a *string, *bool, *List, or *int
	wrong string // says what is wrong with the value now, without quoting it; "" for nothing
}

// settings returns the settings of a profile in the order of a new file.
func (p *Profile) settings() []setting {
	_, mirrored := parseMegabytes(p.Mirror)
	limit, limited := parseMegabytes(p.WebhookLimit)
	return []setting{
		{"environment", (*string)(&p.Environment), unless(p.Environment == Test || p.Environment == Live, `must be "test" or "live"`)},
		{"base_url", &p.BaseURL, checkOrigin(p.BaseURL)},
		{"list_url", &p.ListURL, p.checkListURL()},
		{"key", &p.Source, p.checkSource()},
		{"key_command", &p.KeyCommand, p.checkCommand()},
		{"key_file", &p.KeyFile, p.checkKeyFile()},
		{"allow_env_key", &p.AllowEnvKey, ""},
		{"key_header", &p.KeyHeader, words(api.CheckHeader(p.KeyHeader))},
		{"authenticate_path", &p.AuthenticatePath, words(api.CheckPath(p.AuthenticatePath))},
		{"status_path", &p.StatusPath, words(api.CheckPath(p.StatusPath))},
		{"send_reference", &p.SendReference, ""},
		{"journal", &p.Journal, p.checkJournal()},
		{"mirror", &p.Mirror, unless(mirrored, `must be "off", or a size from "1 MB" to "99999 MB"`)},
		{"allow_card_entry", &p.AllowCardEntry, ""},
		{"unlock_minutes", &p.UnlockMinutes, unless(1 <= p.UnlockMinutes && p.UnlockMinutes <= maxMinutes, "must be a number of minutes from 1 to 480")},
		{"idle_lock", &p.IdleLock, unless(0 <= p.IdleLock && p.IdleLock <= maxMinutes, "must be a number of minutes from 0 (never) to 480")},
		{"ca_file", &p.CAFile, unless(p.CAFile == "" || absolute(p.CAFile), "must be an absolute path, such as /etc/ssl/shop.pem")},
		{"webhook_listen", &p.WebhookListen, p.checkListen()},
		{"webhook_any_address", &p.WebhookAnyAddress, ""},
		{"webhook_targets", &p.WebhookTargets, checkTargets(p.WebhookTargets.All())},
		{"webhook_limit", &p.WebhookLimit, unless(limited && limit > 0, `must be a size from "1 MB" to "99999 MB"`)},
	}
}

// wrongSettings returns what is wrong with settings, by their names. None may be a secret key.
func wrongSettings(all []setting) map[string]string {
	wrong := map[string]string{}
	for _, s := range all {
		if secretLike().MatchString(s.value()) {
			s.wrong = "must not contain a secret key; keys are kept in the keyring"
		}
		if s.wrong != "" {
			wrong[s.name] = s.wrong
		}
	}
	return wrong
}

// value formats the setting in TOML; "" if it is left out. Go and TOML quote strings alike,
// because Check admits only printable characters.
func (s setting) value() string {
	switch part := s.part.(type) {
	case *bool:
		return strconv.FormatBool(*part)
	case *int:
		return strconv.Itoa(*part)
	case *List:
		return part.value()
	case *string:
		if *part != "" {
			return strconv.Quote(*part)
		}
	}
	return ""
}

// set assigns a value from the file. If the value has the wrong type, set says what is
// expected.
func (s setting) set(v any) (expected string) {
	switch part := s.part.(type) {
	case *bool:
		return unless(assign(part, v), "true or false")
	case *int:
		var n int64
		ok := assign(&n, v)
		*part = int(max(-1, min(n, math.MaxInt32))) // too large for any setting, as what does not fit an int
		return unless(ok, "a whole number, without quotes")
	case *List:
		return unless(part.assign(v), `a list of strings, such as ["pass", "show", "paydesk/test"]`)
	case *string:
		return unless(assign(part, v), "a string in quotes")
	}
	return ""
}

func assign[T any](to *T, v any) (ok bool) {
	*to, ok = v.(T)
	return ok
}

// Shareable returns the settings of a profile as lines, for others to read. Of the key there is only the
// source: a command or a path may say where it is kept. Of a target of webhooks there is the host.
func (p Profile) Shareable() []string {
	p.WebhookTargets = withoutPaths(p.WebhookTargets)
	return shareable(p.settings())
}

// shareable returns settings as lines, without what may say where a secret is kept.
func shareable(settings []setting) (lines []string) {
	for _, s := range settings {
		value := s.value()
		if value != "" && slices.Contains([]string{"key_command", "key_file", "password_command"}, s.name) {
			value = "set, not shown"
		}
		if value != "" {
			lines = append(lines, s.name+" = "+value)
		}
	}
	return lines
}
