package keystore

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"testing"
	"text/template"
)

const (
	sample     = "sk_test_0123456789wxyz"
	passphrase = "correct horse battery"
)

func mustKey(t testing.TB, s string) Key {
	t.Helper()
	k, err := ParseKey(s)
	must(t, err)
	return k
}

func TestAKeyIsOneLineOfPlainCharacters(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{sample, sample, ""},
		{sample + "\n", sample, ""},
		{sample + "\r\n", sample, ""},
		{"no-prefix-at-all~!", "no-prefix-at-all~!", ""},
		{strings.Repeat("k", 512), strings.Repeat("k", 512), ""},
		{"", "", "at least 8"},
		{"1234567", "", "at least 8"},
		{strings.Repeat("k", 513), "", "at most 512"},
		{"PK_live_0123456789", "", "a public key"},
		{sample + "\n\n", "", "one line"},
		{sample + "\nsecond", "", "one line"},
		{sample + " ", "", "without spaces"},
		{"sk_test_\x1b[31m01234", "", "without spaces"},
		{"sk_test_01234567é", "", "ASCII"},
		{"sk_test_01234567\xff", "", "ASCII"},
	} {
		k, err := ParseKey(c.in)
		if k.Expose() != c.want || (err == nil) != (c.err == "") {
			t.Errorf("%q: %q, %v", c.in, k.Expose(), err)
		}
		if err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q", c.in, err, c.err)
		}
		if k.IsZero() != (err != nil) {
			t.Errorf("%q: zero %v with %v", c.in, k.IsZero(), err)
		}
	}
}

func TestLastFourTellsKeysApartButNotShortOnes(t *testing.T) {
	for in, want := range map[string]string{
		sample: "…wxyz", "123456789012": "…9012", "12345678901": "", "12345678": "",
	} {
		if got := mustKey(t, in).LastFour(); got != want {
			t.Errorf("%d characters: %q, want %q", len(in), got, want)
		}
	}
	if got := (Key{}).LastFour(); got != "" {
		t.Errorf("no key: %q", got)
	}
}

// holder contains a key in all the ways that fmt and others may reach it.
type holder struct {
	Open   Key
	closed Key
	any    any
	ptr    *Key
	list   []Key
	byName map[string]Key
}

func TestNoFormattingPrintsAKey(t *testing.T) {
	k := mustKey(t, sample)
	h := holder{k, k, k, &k, []Key{k}, map[string]Key{"k": k}}
	out := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%T", "%d", "%p", "%08.3f", "%b", "%c", "%U", "%t"} {
		for name, v := range map[string]any{"value": k, "pointer": &k, "struct": h, "pointer to struct": &h, "slice": h.list, "map": h.byName, "array": [1]Key{k}, "nested": []any{h}} {
			out[verb+" of "+name] = fmt.Sprintf(verb, v)
		}
	}
	out["Print"] = fmt.Sprint(k, &k, h)
	out["String"] = k.String()
	out["Errorf"] = fmt.Errorf("wrong %v: %w", k, errors.New("x")).Error()
	out["Join"] = errors.Join(fmt.Errorf("%v", h), fmt.Errorf("%s", k)).Error()
	b, err := json.Marshal(map[string]any{"k": k, "h": h, "p": &k, "m": map[string]Key{"a": k}})
	out["json"] = fmt.Sprint(string(b), err)
	b, err = xml.Marshal(struct{ K Key }{k})
	out["xml"] = fmt.Sprint(string(b), err)
	var buf bytes.Buffer
	err = gob.NewEncoder(&buf).Encode(k)
	out["gob"] = fmt.Sprint(buf.String(), err)
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"slog text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"slog json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var buf bytes.Buffer
		slog.New(handler(&buf)).Info("with", "k", k, "p", &k, "h", h, slog.Group("g", "k", k))
		out[name] = buf.String()
	}
	var logged bytes.Buffer
	log.New(&logged, "", 0).Printf("%+v %#v", h, k)
	out["log"] = logged.String()
	var page bytes.Buffer
	err = template.Must(template.New("").Parse("{{.}} {{printf \"%#v\" .}} {{print .}}")).Execute(&page, k)
	out["template"] = fmt.Sprint(page.String(), err)
	func() {
		defer func() { out["panic"] = fmt.Sprint(recover()) }()
		panic(h)
	}()
	if len(out) < 40 {
		t.Fatalf("only %d routes", len(out))
	}
	for route, s := range out {
		for _, part := range []string{sample, "0123456789", "wxyz", fmt.Sprintf("%x", sample), fmt.Sprintf("%X", sample)} {
			if strings.Contains(s, part) {
				t.Errorf("%s shows %q: %s", route, part, s)
			}
		}
	}
	if k.Expose() != sample {
		t.Error("Expose does not give the key")
	}
}

func TestTheKeyIsTakenOutOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		value   string
		want    string
		missing bool
		err     string
	}{
		{sample, sample, false, ""},
		{"", "", true, "not set"},
		{"short", "", false, "at least 8"},
		{"with spaces in it", "", false, "spaces"},
	} {
		t.Setenv(Variable, c.value)
		k, err := FromEnv()
		if k.Expose() != c.want || (err == nil) != (c.err == "") || errors.Is(err, ErrNotFound) != c.missing {
			t.Errorf("%q: %v, %v", c.value, k.IsZero(), err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "keyring") || c.value != "" && strings.Contains(err.Error(), c.value)) {
			t.Errorf("%q: %v", c.value, err)
		}
		if _, set := os.LookupEnv(Variable); set {
			t.Errorf("%q: the variable is still there", c.value)
		}
	}
}

func TestAKeyHolderReturnsTheKeyPutLast(t *testing.T) {
	old, another := mustKey(t, "sk_test_CANARYold"), mustKey(t, "sk_test_CANARYnew")
	s := NewKeyHolder(old)
	if s.Expose() != old.Expose() {
		t.Error("it does not give the key it was made with")
	}
	s.Put(another)
	if s.Expose() != another.Expose() || old.IsZero() {
		t.Error("it does not give the key that was put there, or wiped the other")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		if said := fmt.Sprintf(verb, s); strings.Contains(said, "CANARY") || strings.Contains(said, "43414e415259") {
			t.Errorf("%s shows the key", verb)
		}
	}
}
