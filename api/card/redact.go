package card

import (
	"strings"
	"unicode"

	"paydesk/api/pattern"
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
	if strings.IndexFunc(s, isDigit) < 0 { // most texts
		return s
	}
	var out strings.Builder
	kept := 0
	for _, at := range append(uuid().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		out.WriteString(redact(s[kept:at[0]]))
		out.WriteString(s[at[0]:at[1]])
		kept = at[1]
	}
	return out.String()
}

// replaced is what stands in the place of a PAN.
func replaced(lastFour string) string { return "<pan …" + lastFour + ">" }

// uuid is the other form of a reference (2.6). Two in a thousand would otherwise pass for a card
// number.
var uuid = pattern.Lazy(`(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)

func redact(s string) string {
	var out strings.Builder
	for s != "" {
		text := prefix(s, func(r rune) bool { return !isDigit(r) })
		row := prefix(s[len(text):], func(r rune) bool { return isDigit(r) || isSeparator(r) })
		s = s[len(text)+len(row):]
		out.WriteString(text)
		for row != "" {
			n, lastFour := longestPAN(row)
			if n > 0 {
				out.WriteString(replaced(lastFour))
			} else {
				n = len(prefix(row, isDigit))
				n += len(prefix(row[n:], isSeparator))
				out.WriteString(row[:n])
			}
			row = row[n:]
		}
	}
	return out.String()
}

// prefix is the longest beginning of s of which f holds.
func prefix(s string, f func(rune) bool) string { return s[:len(s)-len(strings.TrimLeftFunc(s, f))] }

// longestPAN is the length in bytes of the longest PAN that begins with the first digit of row and
// ends with a group of digits, and its last four digits.
func longestPAN(row string) (n int, lastFour string) {
	all := ""
	for at := 0; at < len(row) && len(all) <= longest+longestExpiry; {
		group := prefix(row[at:], isDigit)
		if group == "" {
			break
		}
		before := len(all)
		all += strings.Map(ascii, group)
		at += len(group)
		if shortest <= len(all) && len(all) <= longest && Luhn([]byte(all)) {
			n, lastFour = at, all[len(all)-4:]
		} else if pan := beforeExpiry([]byte(all), before); pan > 0 {
			n, lastFour = at, all[pan-4:pan]
		}
		at += len(prefix(row[at:], isSeparator))
	}
	return n, lastFour
}

// ascii turns the digits of other scripts into ASCII.
func ascii(r rune) rune {
	if d := decimal(r); d >= 0 {
		return '0' + rune(d)
	}
	return r
}

func isDigit(r rune) bool { return decimal(r) >= 0 }

// isSeparator reports whether a rune may stand between the digits of one number.
func isSeparator(r rune) bool {
	switch r {
	case '.', '-', ' ', '\t', '\n', '\r', '\u2028', '\u2029':
		return true
	}
	return r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}
