//go:build !windows

package keystore

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyProfile draws a profile with arbitrary settings.
func anyProfile(t *rapid.T, name string) Profile {
	texts := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "text") }
	p := Profile{
		Name: name, Environment: Environment(texts("test", "live")), Source: texts(SourceNames()...),
		BaseURL: texts("https://a.example", "https://b.example/x"), ListURL: texts("https://a.example", "http://127.0.0.1:1"),
		KeyCommand: NewCommand("pass", texts("a b", `"#]`, "'", `\`, "[x]")), KeyFile: texts("/k", `/a "b"/#c`, `/ü\x`),
		AllowEnvKey: true, AllowCardEntry: rapid.Bool().Draw(t, "cards"), SendReference: rapid.Bool().Draw(t, "send"),
		KeyHeader: texts("", "X-Key", "X-'"), StatusPath: texts("", `/{reference}?"`), Mirror: texts("", "off", "5 MB"),
		UnlockMinutes: rapid.IntRange(1, 480).Draw(t, "minutes"), IdleLock: rapid.IntRange(0, 480).Draw(t, "idle"), CAFile: texts("", "/ca"),
		WebhookListen: texts("", "localhost:1", "[::1]:8425"), WebhookAnyAddress: rapid.Bool().Draw(t, "any"),
		WebhookTargets: NewTargets(rapid.SliceOfN(rapid.SampledFrom([]string{"https://a.example/[x]", "http://b.example/'"}), 0, 3).Draw(t, "targets")...),
		WebhookLimit:   texts("", "5 MB"),
	}
	if p.Source != "command" && rapid.Bool().Draw(t, "no command") {
		p.KeyCommand = ""
	}
	if p.Source != "file" && rapid.Bool().Draw(t, "no file") {
		p.KeyFile = ""
	}
	return p.WithDefaults()
}

// handwritten formats a Config the way some person might write it.
func handwritten(t *rapid.T, c *Config) string {
	some := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "hand") }
	noise := func() string { return some("", "", "\n", "# base_url = \"x\"\n", "  # {z}\n\n") }
	eq := func() string { return some(" = ", "=", "\t=  ") }
	var b strings.Builder
	b.WriteString(noise() + "default" + eq() + strconv.Quote(c.Default) + some("", " # d") + "\n" + noise())
	for _, name := range []string{"a", "b"} {
		header := some("[profiles."+name+"]", "[ profiles . '"+name+"' ]  # "+name, "[profiles]\n"+name+".", "profiles."+name+".")
		prefix := ""
		switch { // dotted names go into the one table [profiles], or before all tables
		case header == "[profiles]\n"+name+"." && !strings.Contains(b.String(), "profiles"):
			b.WriteString("[profiles]\n")
			prefix = name + "."
		case header == "profiles."+name+"." && !strings.Contains(b.String(), "["):
			prefix = header
		case strings.HasSuffix(header, "."):
			b.WriteString("[profiles." + name + "]\n")
		default:
			b.WriteString(some("", "  ") + header + "\n")
		}
		p, usual := c.Profiles[name], Profile{}.WithDefaults()
		for _, s := range rapid.Permutation(p.settings()).Draw(t, "order") {
			value := s.value()
			i := slices.IndexFunc(usual.settings(), func(u setting) bool { return u.name == s.name })
			if value == "" || value == usual.settings()[i].value() && rapid.Bool().Draw(t, "default") {
				continue
			}
			if s.name == "key_command" || s.name == "webhook_targets" {
				value = strings.Replace(value, "[", some("[", "[\n  # ]\n  "), 1)
			}
			if s := strings.Trim(value, `"`); strings.HasPrefix(value, `"`) && !strings.ContainsAny(s, `"'\`) {
				value = some(value, "'"+s+"'", `"""`+s+`"""`, "'''"+s+"'''")
			}
			b.WriteString(noise() + prefix + some(s.name, `"`+s.name+`"`) + eq() + value + some("", " ", " # it's \"so\"") + "\n")
		}
		b.WriteString(noise())
	}
	text := b.String()
	if rapid.Bool().Draw(t, "no end") {
		text = strings.TrimSuffix(text, "\n")
	}
	if rapid.Bool().Draw(t, "CRLF") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// For files in any hand: an edit either leaves the file alone and says so, or the
// file says afterwards what it should, and the lines of other parts are the same.
func TestAnyEditIsWhatWasMeantAndTouchesOneLine(t *testing.T) {
	path := file(t, "")
	edited, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := &Config{Path: path, Default: "a", KeepDays: 90, TimeZone: "local", Profiles: map[string]Profile{"a": anyProfile(t, "a"), "b": anyProfile(t, "b")}}
		text := handwritten(t, c)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("the test wrote nonsense: %v\n%s", err, text)
		}
		p, other := c.Profiles["b"], anyProfile(t, "b")
		was := p
		field := rapid.SampledFrom([]string{"base_url", "key_header", "idle_lock", "ca_file", "key_command", "webhook_targets", "all", "none"}).Draw(t, "field")
		switch field {
		case "base_url":
			p.BaseURL = other.BaseURL
		case "key_header":
			p.KeyHeader = other.KeyHeader
		case "idle_lock":
			p.IdleLock = other.IdleLock
		case "ca_file":
			p.CAFile = other.CAFile
		case "webhook_targets":
			p.WebhookTargets = NewTargets("https://c.example/hooks")
		case "key_command":
			p.KeyCommand = NewCommand("op", "read")
		case "all":
			p = other
		}
		err = File(path).Edit(p)
		b, _ := os.ReadFile(path)
		if err != nil {
			refused++
			if string(b) != text || strings.Contains(text, "b]") && strings.Contains(text, "[profiles.b]") {
				t.Fatalf("%v\n%s", err, b)
			}
			return
		}
		edited++
		c.Profiles["b"] = p
		got, err = Load(path)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%v\n%s", err, b)
		}
		touched := map[string]bool{}
		for i, s := range p.settings() {
			touched[s.name] = s.value() != was.settings()[i].value()
		}
		if d := cmp.Diff(untouched(text, touched), untouched(string(b), touched)); d != "" {
			t.Fatalf("other lines changed: %s", d)
		}
	})
	if edited < 50 && !testing.Short() {
		t.Errorf("only %d edits, %d refused", edited, refused)
	}
}

// untouched returns the lines of a file without those of the settings that may change.
func untouched(text string, touched map[string]bool) []string {
	o := parseOutline([]byte(text))
	var kept []string
	at := 0
	for _, e := range o.entries {
		if len(e.path) == 3 && e.path[1] == "b" && touched[e.path[2]] {
			s := o.wholeLines(e.all)
			kept = append(kept, strings.Split(text[at:s.from], "\n")...)
			at = s.to
		}
	}
	kept = append(kept, strings.Split(text[at:], "\n")...)
	for i, line := range kept {
		kept[i] = strings.TrimSuffix(line, "\r") // the last line may have got an end
	}
	return slices.DeleteFunc(kept, func(line string) bool { return line == "" })
}

// For files in any hand: what is added, chosen and removed is all that changes.
func TestProfilesComeAndGoWithoutTheOthers(t *testing.T) {
	path := file(t, "")
	rapid.Check(t, func(t *rapid.T) {
		c := &Config{Path: path, Default: "a", KeepDays: 90, TimeZone: "local", Profiles: map[string]Profile{"a": anyProfile(t, "a"), "b": anyProfile(t, "b")}}
		if err := os.WriteFile(path, []byte(handwritten(t, c)), 0o600); err != nil {
			t.Fatal(err)
		}
		for step, do := range []func() error{
			func() error { return File(path).Copy("a", "c") },
			func() error { return File(path).SetDefault("c") },
			func() error { return File(path).Remove("a") },
			func() error { return File(path).Remove("b") },
			func() error { return File(path).Remove("c") },
		} {
			before, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			switch err := do(); step {
			case 0:
				p := before.Profiles["a"]
				p.Name = "c"
				before.Profiles["c"] = p
			case 1:
				before.Default = "c"
			case 4:
				before.Default = ""
				delete(before.Profiles, "c")
			default:
				delete(before.Profiles, fmt.Sprintf("%c", 'a'+step-2))
				if err != nil {
					t.Fatal(err)
				}
			}
			after, err := Load(path)
			if err != nil || !reflect.DeepEqual(after, before) {
				b, _ := os.ReadFile(path)
				t.Fatalf("step %d: %v\n%s", step, err, b)
			}
		}
	})
}
