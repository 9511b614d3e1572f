package ui

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"paydesk/api/script"
)

// ignored ends the words about a key or a paste that was not taken.
const ignored = " (input ignored)"

// checkVisible returns why s must not be inserted: nobody can check by eye what is invisible. Joiners and the
// form of an emoji are left to [checkJoiners], which knows their place, or refused with the rest.
func checkVisible(s string, joiners bool) string {
	if !utf8.ValidString(s) {
		return "Not text" + ignored
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			return "More than one line" + ignored
		case unicode.Is(unicode.Zs, r), joiners && (script.IsJoiner(r) || script.IsEmojiForm(r)):
		case !unicode.IsPrint(r) || invisible(r):
			return unseen(r) + ignored
		}
	}
	return ""
}

func unseen(r rune) string { return fmt.Sprintf("Invisible character U+%04X", r) }

func invisible(r rune) bool {
	return unicode.In(r, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		r == 0x2800 || r == 0xfffc || r == utf8.RuneError
}

// checkMarks rejects combining marks without a letter and piles of them, which would draw over
// their neighbours.
func checkMarks(text []rune) string {
	marks := markLimit
	for _, r := range text {
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > markLimit {
			return "Too many accents, or one without a letter" + ignored
		}
	}
	return ""
}

// checkJoiners rejects the invisible joiners among the runes in [from, to) that no script needs where they
// are, and forms of an emoji that follow none. At the end of the text the letter that needs one may still come.
func checkJoiners(text []rune, from, to int) string {
	for i := from; i < to; i++ {
		if !script.IsJoiner(text[i]) && !script.IsEmojiForm(text[i]) {
			continue
		}
		before, after := string(text[:i]), string(text[i+1:])
		switch {
		case script.IsEmojiForm(text[i]) && script.HasEmojiForm(before):
		case after == "" && script.MayFollow(before, text[i]):
		case script.Needs(before, text[i], after), script.JoinsEmoji(before, text[i], after):
		default:
			return unseen(text[i]) + ignored
		}
	}
	return ""
}

// strayJoiner says which joiner in a text nothing needs, once it is complete or something beside it was
// deleted; "" for none.
func strayJoiner(s string) string {
	if r, is := script.Stray(s); is {
		return unseen(r) + ": delete it and the letter before it"
	}
	return ""
}
