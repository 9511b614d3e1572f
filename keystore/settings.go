package keystore

import (
	"math"
	"slices"
	"strconv"
)

// A setting is one name = value of a profile's table.
type setting struct {
	name string
	part any // points to the part of the profile: a *string, *bool, *List, or *int
}

// settings returns the settings of a profile in the order of a new file.
func (p *Profile) settings() []setting {
	return []setting{
		{"environment", (*string)(&p.Environment)},
		{"base_url", &p.BaseURL},
		{"list_url", &p.ListURL},
		{"key", &p.Source},
		{"key_command", &p.KeyCommand},
		{"key_file", &p.KeyFile},
		{"allow_env_key", &p.AllowEnvKey},
		{"key_header", &p.KeyHeader},
		{"authenticate_path", &p.AuthenticatePath},
		{"status_path", &p.StatusPath},
		{"send_reference", &p.SendReference},
		{"journal", &p.Journal},
		{"mirror", &p.Mirror},
		{"allow_card_entry", &p.AllowCardEntry},
		{"unlock_minutes", &p.UnlockMinutes},
		{"idle_lock", &p.IdleLock},
		{"ca_file", &p.CAFile},
		{"webhook_listen", &p.WebhookListen},
		{"webhook_any_address", &p.WebhookAnyAddress},
		{"webhook_targets", &p.WebhookTargets},
		{"webhook_limit", &p.WebhookLimit},
	}
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
