package api

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"

	"paydesk/api/card"
	"paydesk/api/text"
)

// MaskSecrets replaces what looks like a card number, a card's code or a secret key in a text from outside that is to be
// stored, whatever format it has; own is the key that is hidden however it looks, nil for none. A text without any is
// returned as it is, byte for byte, and JSON stays JSON.
func MaskSecrets(s string, own Secret) string {
	secrets := redactor{}
	if own != nil {
		secrets.key = own.Expose()
	}
	masked := maskCodes(maskCards(secrets.redact(s)))
	broken := masked != s && looksLikeJSON(s) && json.Valid([]byte(s)) && !json.Valid([]byte(masked))
	if broken || isOpaque(masked) {
		quotes := quoteReader{json: looksLikeJSON(s)}
		return quotes.quoted(hiddenText)
	}
	return masked
}

// hiddenText stands in the place of a text in which a card number, its code or a key cannot be masked by itself.
const hiddenText = "[hidden: it contains what looks like a card number, its code or a key]"

// isOpaque reports whether there is a card number in a text that is compressed or has two bytes for each letter.
func isOpaque(s string) bool {
	if strings.Contains(s, "\x00") && card.In(strings.ReplaceAll(s, "\x00", "")) {
		return true
	}
	const most = 1 << 20
	r, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		return false
	}
	b, _ := io.ReadAll(io.LimitReader(r, most)) // an error leaves what was read before
	return maskCodes(maskCards(string(b))) != string(b)
}

// maskCards masks the numbers that [card.Find] finds.
func maskCards(s string) string {
	return maskEach(s, func(s string) (from, to int, mask string) {
		from, to = card.Find(s)
		return from, to, card.FindMasked(s[from:to])
	})
}

// codes are the members and parameters in which a card's code or PIN is sent, also in a string that has JSON in it.
var codes = text.Pattern(`(?i)\b(?:cvv2?|cvc2?|cvn2?|csc|security_?code|card_?pin|pin)\\*["']?\s*[:=]\s*\\*["']?(\d{3,4})\b`)

func maskCodes(s string) string {
	return maskEach(s, func(s string) (from, to int, mask string) {
		if at := codes().FindStringSubmatchIndex(s); at != nil {
			from, to = at[2], at[3]
		}
		return from, to, "•••"
	})
}

// maskEach replaces what find finds in a text, and in the rest of it. What stands as a number of JSON becomes a string.
func maskEach(s string, find func(string) (from, to int, mask string)) string {
	var out strings.Builder
	quotes := quoteReader{json: looksLikeJSON(s)}
	for {
		from, to, mask := find(s)
		if to == from {
			return out.String() + s
		}
		quotes.read(s[:from])
		out.WriteString(s[:from] + quotes.quoted(mask))
		quotes.read(s[from:to])
		s = s[to:]
	}
}

func looksLikeJSON(s string) bool {
	s = strings.TrimLeft(s, jsonSpace+"\ufeff")
	return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
}

// A quoteReader knows whether what follows a text is in a string of JSON.
type quoteReader struct{ json, inside, escaped bool }

func (q *quoteReader) read(s string) {
	for i := range len(s) {
		switch {
		case q.escaped:
			q.escaped = false
		case s[i] == '\\':
			q.escaped = q.inside
		case s[i] == '"':
			q.inside = !q.inside
		}
	}
}

// quoted is a mask as it stands there.
func (q *quoteReader) quoted(mask string) string {
	if q.json && !q.inside {
		return `"` + mask + `"`
	}
	return mask
}
