package api

import "strings"

// A redactor hides the secrets of a request in the text of its response: services and gateways were
// seen to repeat a request in their error pages, and a PAN or a key must not reach the screen that
// way.
type redactor struct {
	key, masked string
	pan, cvv    []byte // wiped once the response was read
}

// wipe overwrites the card data.
func (v redactor) wipe() {
	clear(v.pan)
	clear(v.cvv)
}

// redact replaces the key, the PAN (also grouped by spaces, dashes or dots) and the CVV (where it
// stands alone).
func (v redactor) redact(s string) string {
	if v.key != "" {
		s = strings.ReplaceAll(s, v.key, "[key]")
	}
	if len(v.pan) > 0 {
		s = replaceMatches(s, v.masked, func(i int) int { return groupedLength(s[i:], v.pan) })
	}
	if len(v.cvv) > 0 {
		s = replaceMatches(s, "•••", func(i int) int { return standaloneLength(s, i, v.cvv) })
	}
	return s
}

// replaceMatches puts with in place of every match. match returns how many bytes match at s[i],
// which is a digit.
func replaceMatches(s, with string, match func(i int) int) string {
	var out strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		if !digit(s[i]) {
			continue
		}
		if n := match(i); n > 0 {
			out.WriteString(s[kept:i])
			out.WriteString(with)
			kept = i + n
			i = kept - 1
		}
	}
	return out.String() + s[kept:]
}

// groupedLength is how many bytes at the start of s are the digits of pan with at most one
// separator between two of them.
func groupedLength(s string, pan []byte) int {
	i := 0
	for n := range len(pan) {
		if n > 0 && i < len(s) && strings.IndexByte(" -.", s[i]) >= 0 {
			i++
		}
		if i == len(s) || s[i] != pan[n] {
			return 0
		}
		i++
	}
	return i
}

// standaloneLength is len(word) when word stands at i and is not part of a longer number, such as
// an amount.
func standaloneLength(s string, i int, word []byte) int {
	if len(s)-i < len(word) {
		return 0
	}
	rest, ok := s[i+len(word):], s[i:i+len(word)] == string(word)
	before := strings.TrimRight(s[:i], ".,")
	switch {
	case !ok, rest != "" && digit(rest[0]):
		return 0
	case len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && digit(rest[1]):
		return 0
	case before != "" && len(s[:i])-len(before) <= 1 && digit(before[len(before)-1]):
		return 0
	}
	return len(word)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
