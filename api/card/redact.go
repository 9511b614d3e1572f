package card

import (
	"strings"
	"unicode"
)

const (
	shortest = 13 // fewest digits that can be a PAN
	longest  = 19
)

// Redact replaces what looks like a PAN with "<pan …1111>", whichever field it is in: payers write
// card numbers into narrations. It is the second line of defence, behind an allow-list of what is
// stored or displayed at all.
//
// A look-alike is 13 to 19 digits of any script that pass the Luhn check, with any spaces,
// dashes, dots and invisible characters between them. In a longer sequence it must begin and end
// with a group, as in "123 4111 1111 1111 1111"; a sequence without gaps is matched as a whole, or as a
// number that [Find] knows with its expiry.
// UUIDs are references and are left alone.
//
// A number that [Find] finds in hexadecimal digits, base64 or escapes is replaced together with all that
// is encoded with it.
func Redact(s string) string {
	s = HideEncoded(s, FindMasked)
	blank := withoutReferences(s)
	var out strings.Builder
	kept := 0
	for from, to, lastFour := lookAlike.first(blank); to > 0; from, to, lastFour = lookAlike.first(blank) {
		out.WriteString(s[kept:kept+from] + replaced(lastFour))
		kept, blank = kept+to, blank[to:]
	}
	return out.String() + s[kept:]
}

// replaced is what stands in the place of a PAN.
func replaced(lastFour string) string { return "<pan …" + lastFour + ">" }

// isSeparator reports whether a rune may stand between the digits of one number.
func isSeparator(r rune) bool {
	switch r {
	case '.', '-', ' ', '\t', '\n', '\r', '\u2028', '\u2029':
		return true
	}
	return r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}
