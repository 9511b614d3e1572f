package text_test

import (
	"strings"
	"testing"

	"paydesk/api/text"
)

var needed = []string{
	"علی\u200cرضا", "می\u200cخواهم", "ع\u064e\u200cه", "ن\u200dن", // Persian, a vowel sign between
	"क्\u200dष", "क्\u200cष", "ක්\u200dෂ", "ശ്\u200dരീ", "അവന്\u200d", // conjuncts, and a chillu at the end of a word
	"র\u200d্যাব", // the joiner comes before the virama
}

var strays = []string{
	"FAI\u200cLED", "a\u200db", "\u200cعلی", "علی\u200c", "علی\u200c رضا", "علی\u200c\u200cرضا", "علی\u200ca", "1\u200c2", "क\u200cष",
	"👩\u200d", "\u200d👩", "👩\u200da", "👩\u200c👩", "①\u200d②",
}

func TestJoinersAreKeptWhereAScriptNeedsThemOnly(t *testing.T) {
	for _, s := range needed {
		if r, is := text.Stray(s); is {
			t.Errorf("%q: %U is needed", s, r)
		}
		if text.SplitEmoji(s) != s {
			t.Errorf("%q was changed", s)
		}
	}
	for _, s := range strays {
		if _, is := text.Stray(s); !is {
			t.Errorf("%q: nothing is hidden in it", s)
		}
	}
}

func TestJoinedEmojiAreTakenApart(t *testing.T) {
	for s, want := range map[string]string{
		"👩\u200d👩\u200d👧": "👩👩👧", "👩🏽\u200d🔬": "👩🏽🔬", "🏳\ufe0f\u200d🌈": "🏳🌈", "❤\ufe0f ☎\ufe0f": "❤ ☎", "❤\u200d🔥 a": "❤🔥 a", "👩\u200d": "👩\u200d",
	} {
		if got := text.SplitEmoji(s); got != want {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// What is typed comes rune by rune: nothing that is needed in the end is refused on the way.
func TestANeededJoinerMayBeTyped(t *testing.T) {
	for _, s := range append(needed, "👩\u200d👩\u200d👧", "👩🏽\u200d🔬") {
		for i, r := range s {
			if text.IsJoiner(r) && !text.MayFollow(s[:i], r) {
				t.Errorf("%q: %U may not be typed after %q", s, r, s[:i])
			}
		}
	}
	for _, s := range []string{"a", "", " ", "1", "علی ", "علی\u200c"} {
		if text.MayFollow(s, '\u200c') || text.MayFollow(s, '\u200d') {
			t.Errorf("a joiner may be typed after %q", s)
		}
	}
}

func FuzzOnlyJoinersAreTakenOut(f *testing.F) {
	f.Add("علی\u200cرضا\xff\u200d👩\u200d👧")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		got := text.SplitEmoji(s)
		if without := strings.NewReplacer("\u200d", ""); without.Replace(got) != without.Replace(s) || text.SplitEmoji(got) != got {
			t.Errorf("%q became %q", s, got)
		}
	})
}
