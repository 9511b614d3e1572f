package api

import (
	"strings"
	"testing"

	"paydesk/api/money"
)

// lookAlikes are words that people mistake for another: with letters of other alphabets, marks that
// reverse text, and invisible characters.
func lookAlikes(word string) map[string][]string {
	alike := map[byte]string{
		'A': "\u0410", 'B': "\u0412", 'C': "\u0421", 'E': "\u0415", 'F': "\u03dc", 'G': "\u050c", 'I': "\u0406", 'L': "\u216c",
		'N': "\u039d", 'P': "\u0420", 'S': "\u0405", 'U': "\u054d", 'a': "\u0430", 'c': "\u0441", 'e': "\u0435", 'o': "\u043e", 'p': "\u0440", 's': "\u0455",
	}
	all := map[string][]string{}
	for i := range len(word) {
		if a, is := alike[word[i]]; is {
			all["confusable"] = append(all["confusable"], word[:i]+a+word[i+1:])
		}
		if c := word[i]; c > ' ' {
			all["confusable"] = append(all["confusable"], word[:i]+string(rune(c)+0xfee0)+word[i+1:]) // full width
		}
	}
	all["confusable"] = append(all["confusable"], word+"\u0301", word[:1]+"\u0307"+word[1:])
	for _, mark := range []rune{0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069} {
		all["bidi"] = append(all["bidi"], word+string(mark), word[:1]+string(mark)+word[1:])
	}
	for _, unseen := range []rune{
		0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2063, 0x206a, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff,
		0xffa0, 0xfff9, 0xe0041, 0xe0100,
	} {
		all["invisible"] = append(all["invisible"], word+string(unseen), string(unseen)+word, word[:1]+string(unseen)+word[1:])
	}
	return all
}

// TestALookAlikeWordDecidesNothing checks that the fields that drive decisions follow an ASCII
// grammar.
func TestALookAlikeWordDecidesNothing(t *testing.T) {
	channelOf := func(s string) string {
		v, err := readStrict([]byte(`{"alias":"`+s+`"}`), redactor{})
		if err != nil {
			return ""
		}
		return string(channel(v).Alias)
	}
	fields := []struct {
		name, word string
		accepts    func(string) bool
	}{
		{"status", "SUCCESSFUL", func(s string) bool { return ParseStatus(s).State != Unrecognised }},
		{"status", "FAILED", func(s string) bool { return ParseStatus(s).State != Unrecognised }},
		{"status", "PENDING", func(s string) bool { return ParseStatus(s).State != Unrecognised }},
		{"currency", "GBP", func(s string) bool { _, err := money.ParseCurrency(s); return err == nil }},
		{"currency", "NGN", func(s string) bool { _, err := money.ParseCurrency(s); return err == nil }},
		{"reference", "PAY-7h3k", func(s string) bool { _, err := ParseReference(s); return err == nil }},
		{"alias", "0-abc1234", func(s string) bool { _, err := ParseAlias(s); return err == nil }},
		{"channel", "PayByTransfer", func(s string) bool { return channelOf(s) != "" }},
		{"host", "https://bank.example/", func(s string) bool { _, err := ParseAddress(s); return err == nil }},
	}
	tried := map[string]int{}
	for _, f := range fields {
		if !f.accepts(f.word) {
			t.Errorf("%s: %q itself is not accepted", f.name, f.word)
		}
		for class, words := range lookAlikes(f.word) {
			for _, word := range words {
				if tried[class]++; f.accepts(word) {
					t.Errorf("%s: %q, %s, is accepted as %s", f.name, word, class, f.word)
				}
				if shown := CleanASCII(word).String(); !strings.Contains(shown, "<U+") {
					t.Errorf("%s: %q is shown as %q", f.name, word, shown)
				}
			}
		}
	}
	for _, h := range hostileSamples(t, "confusable", "bidi", "invisible") {
		for _, f := range fields {
			if strings.ContainsFunc(h.text(), func(r rune) bool { return r > '~' }) && f.accepts(h.text()) {
				t.Errorf("%s: %s/%s is accepted", f.name, h.Class, h.Name)
			}
		}
	}
	if tried["bidi"] < 200 || tried["invisible"] < 500 || tried["confusable"] < 100 {
		t.Error(tried)
	}
	t.Log(tried)
}
