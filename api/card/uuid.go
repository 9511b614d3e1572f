package card

import "encoding/hex"

// A UUID is a reference (2.6), and never a card number: two in a thousand would pass for one, and an encoding of
// digits has letters that no UUID has.

// ParseUUID reads a UUID in lower case.
func ParseUUID(s string) (id [16]byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return id, false
	}
	n := 0
	for _, part := range [...]string{s[:8], s[9:13], s[14:18], s[19:23], s[24:]} {
		for i := 0; i < len(part); i += 2 {
			high, low := hexDigit(part[i]), hexDigit(part[i+1])
			if high > 15 || low > 15 {
				return id, false
			}
			id[n] = high<<4 | low
			n++
		}
	}
	return id, true
}

// hexDigit is the value of a digit in lower case; more than 15 for another character.
func hexDigit(c byte) byte {
	if 'a' <= c && c <= 'f' {
		return c - 'a' + 10
	}
	if '0' <= c && c <= '9' {
		return c - '0'
	}
	return 16
}

// FormatUUID writes a UUID as [ParseUUID] reads it.
func FormatUUID(id [16]byte) string {
	d := hex.EncodeToString(id[:])
	return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:]
}

// IsUUID reports whether s is a UUID in lower case.
func IsUUID(s string) bool {
	_, ok := ParseUUID(s)
	return ok
}
