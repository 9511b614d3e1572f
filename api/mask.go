package api

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"paydesk/api/card"
	"paydesk/api/text"
)

// MaskSecrets replaces what looks like a card number, a card's code or a secret key in a text from outside that is to be
// stored, whatever format it has; own is the key that is hidden however it looks, nil for none. JSON is masked by what its
// names and values say without their escapes, and stays JSON. A text without any secret is returned as it is, byte for byte.
func MaskSecrets(s string, own Secret) string {
	secrets := redactor{}
	if own != nil {
		secrets.key = own.Expose()
	}
	document := strings.TrimPrefix(s, "\ufeff")
	masked := secrets.mask(document, "")
	if isDocument(document) {
		masked = secrets.maskText(masked, "") // a number may be spread over several values
		if !json.Valid([]byte(masked)) {
			return preview(hiddenText)
		}
	}
	switch {
	case isOpaque(masked):
		return hiddenText
	case masked != document:
		return masked
	}
	return s
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
	return card.In(string(b)) || codes().Match(b)
}

// codeNames are the names under which a card's code or PIN is sent.
const codeNames = `(?:cvv2?|cvc2?|cvn2?|csc|security_?code|card_?pin|\bpin)`

var (
	// codes are card codes behind their names, also in a string that has JSON in it.
	codes = text.Pattern(`(?i)(` + codeNames + `\\*["']?\s*[:=]\s*\\*["']?)\d{3,4}\b`)
	// ofCode matches the name of a member that has a card's code.
	ofCode = text.Pattern(`(?i)` + codeNames + `\W*$`)
)

// asCode stands before a value that is masked as a card's code is.
const asCode = "cvv:"

// mask masks the secrets in a text, or in each name and value where it is JSON. What stands before it is "" or [asCode].
func (v redactor) mask(s, before string) string {
	if !isDocument(s) {
		return v.maskText(s, before)
	}
	return rewrite(s, before, func(before, name string) string {
		if ofCode().MatchString(name) {
			return asCode
		}
		return before // all that is in a card's code may be one
	}, func(before string, token json.Token, raw string) string {
		s := fmt.Sprint(token)
		if masked := v.mask(s, before); masked != s {
			return preview(masked) // a number becomes a string
		}
		return raw
	})
}

// maskText masks the secrets in a text as it stands.
func (v redactor) maskText(s, before string) string {
	return codes().ReplaceAllString(before+card.Hide(v.redact(s)), "${1}•••")[len(before):]
}

// isDocument reports whether a text is JSON with names, values or escapes in it.
func isDocument(s string) bool {
	s = strings.TrimLeft(s, jsonSpace)
	return s != "" && strings.Contains(`{["`, s[:1]) && json.Valid([]byte(s))
}
