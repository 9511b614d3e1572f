// Package text knows the characters of typed text and of text from outside.
//
// It knows where a script needs the two invisible joiners, the zero-width non-joiner (U+200C) and the zero-width joiner (U+200D).
// Elsewhere they only hide in a text, and are treated as any invisible character. It follows RFC 5892, appendix A, and adds what
// the scripts use beyond the names of hosts. It also knows which characters take one cell on every terminal, how a sentence
// begins, how thousands are grouped, how a word is quoted for a shell, and where a line breaks that people copy from.
package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	emojiForm = '\ufe0f'

	joinerBytes = 3 // of either
)

// IsJoiner reports whether r is one of the two.
func IsJoiner(r rune) bool { return r == nonJoiner || r == joiner }

// Invisible reports whether a character cannot be seen, or changes how others are drawn.
func Invisible(r rune) bool {
	return r == 0x2800 || r == 0xfffc ||
		unicode.In(r, unicode.Cf, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Needs reports whether a script needs the joiner r between the texts before and after it: between
// letters that join, as in Persian, and around the virama of Indic scripts.
func Needs(before string, r rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case !IsJoiner(r):
		return false
	case strings.ContainsRune(viramas, lastRune(before)):
		return true
	case joins(lastLetter(before)):
		return joins(next)
	}
	return r == joiner && unicode.IsLetter(lastRune(before)) && strings.ContainsRune(viramas, next)
}

// MayFollow reports whether there is a text after the joiner r that makes a script need it; while
// a person types, that is still to come.
func MayFollow(before string, r rune) bool {
	last := lastRune(before)
	return IsJoiner(r) && (strings.ContainsRune(viramas, last) || joins(lastLetter(before)) ||
		r == joiner && (unicode.In(last, indic...) || isPictograph(lastPictograph(before))))
}

// JoinsEmoji reports whether the joiner r makes one picture of the emoji before and after it.
func JoinsEmoji(before string, r rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return r == joiner && isPictograph(next) && isPictograph(lastPictograph(before))
}

// IsEmojiForm reports whether r asks for the picture of the character before it (U+FE0F), as in ❤️.
func IsEmojiForm(r rune) bool { return r == emojiForm }

// HasEmojiForm reports whether the last character of a text is one that is drawn as a picture when U+FE0F follows it.
func HasEmojiForm(before string) bool {
	last := lastRune(before)
	return isPictograph(last) || strings.ContainsRune(emojiBases, last)
}

// SplitEmoji returns a text with each emoji on its own and in its plain form. Terminals disagree about how many
// cells joined ones take, and agree about single ones.
func SplitEmoji(s string) string {
	if !strings.ContainsRune(s, joiner) && !strings.ContainsRune(s, emojiForm) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if IsEmojiForm(r) {
			continue
		}
		if !IsJoiner(r) || !JoinsEmoji(s[:i], r, s[i+joinerBytes:]) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Stray returns the first joiner in a text that nothing needs; ok is false when there is none.
func Stray(s string) (r rune, ok bool) {
	for i, r := range s {
		if !IsJoiner(r) {
			continue
		}
		if rest := s[i+joinerBytes:]; !Needs(s[:i], r, rest) && !JoinsEmoji(s[:i], r, rest) {
			return r, true
		}
	}
	return 0, false
}

// joins reports whether r is a letter of a script whose letters join.
func joins(r rune) bool { return unicode.IsLetter(r) && unicode.In(r, cursive...) }

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// lastLetter is the last rune that is no mark on the one before it.
func lastLetter(s string) rune {
	return lastRune(strings.TrimRightFunc(s, func(r rune) bool { return unicode.Is(unicode.M, r) }))
}

// lastPictograph is the last rune that does not change the look of the one before it.
func lastPictograph(s string) rune {
	return lastRune(strings.TrimRightFunc(s, func(r rune) bool { return r == emojiForm || 0x1f3fb <= r && r <= 0x1f3ff }))
}

// isPictograph reports whether r is a symbol that may be part of a joined emoji.
func isPictograph(r rune) bool {
	return unicode.Is(unicode.So, r) && (0x2600 <= r && r <= 0x27bf || 0x2b00 <= r && r <= 0x2bff || 0x1f000 <= r && r <= 0x1faff)
}

// emojiBases have a picture as well, and are none of the symbols of [isPictograph]: signs, arrows and shapes that
// were characters before they were emoji. The digits are not among them.
const emojiBases = "" +
	"\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194\u2195\u2196\u2197\u2198\u2199\u21a9\u21aa\u231a\u231b" +
	"\u2328\u23cf\u23e9\u23ea\u23eb\u23ec\u23ed\u23ee\u23ef\u23f0\u23f1\u23f2\u23f3\u23f8\u23f9\u23fa" +
	"\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc\u25fd\u25fe\u2934\u2935\u3030\u303d\u3297\u3299"

// cursive are the scripts whose letters join.
var cursive = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Manichaean, unicode.Psalter_Pahlavi, unicode.Phags_Pa, unicode.Sogdian,
}

// indic are the scripts with a virama that people write today.
var indic = []*unicode.RangeTable{
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
}

// viramas are the marks that take the vowel from a letter, of the scripts in indic and of their
// neighbours (combining class 9).
const viramas = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca" + // as in indic
	"\u0f84\u1039\u103a\u17d2\u1a60\u1b44\ua9c0\uabed" // Tibetan, Myanmar, Khmer, Tai Tham, Balinese, Javanese, Meetei

// Narrow reports whether each character of a text takes one cell, however a terminal measures. Most
// pictures are such: for them go-runewidth need not build its tables, which are 2 MB and take 2 ms of the first frame.
func Narrow(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > '~' && !NarrowRune(r) })
}

// NarrowRune is true of letters and signs beyond ASCII that stand alone: they join no others, and no terminal draws
// them as an emoji.
func NarrowRune(r rune) bool {
	return r >= 0xc0 && r <= 0x17f || r >= 0x1e00 && r <= 0x1eff || // Latin letters
		r >= 0x2010 && r <= 0x2027 || // dashes, quotation marks, … and •
		r >= 0x2190 && r <= 0x2193 || // arrows
		r >= 0x2500 && r <= 0x259f || // lines and blocks
		strings.ContainsRune("·×‹›≠▪▲▸▾◌○●✓✗", r)
}

// Fill breaks a text at blanks into lines of at most width cells. A word that is wider stays whole, because it may be a path or a command
// to copy.
func Fill(text string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case ansi.StringWidth(*last)+1+ansi.StringWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// Pattern returns a function that compiles expr at its first call, which panics if expr is no expression: most runs of the console
// need few patterns, and all of them together take milliseconds of its start.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Grouped is a whole number with commas between thousands: "-1,204".
func Grouped(number string) string {
	for i := len(number) - 3; i > 0 && number[i-1] != '-'; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}

// Capital is a text with a capital first letter.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// ShellQuote quotes a word, such as a path, for a shell command that a person may copy.
func ShellQuote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@:,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
