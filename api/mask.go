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
	case secrets.isOpaque(masked):
		return hiddenText
	case masked == document:
		return s
	}
	return masked
}

// hiddenText stands in the place of a text in which a card number, its code or a key cannot be masked by itself.
const hiddenText = "[hidden: it contains what looks like a card number, its code or a key]"

// isOpaque reports whether there is a secret in a text that is compressed, or a card number in one that has two bytes for
// each letter.
func (v redactor) isOpaque(s string) bool {
	if strings.Contains(s, "\x00") && card.In(strings.ReplaceAll(s, "\x00", "")) {
		return true
	}
	const most = 1 << 20
	r, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		return false
	}
	b, _ := io.ReadAll(io.LimitReader(r, most)) // an error leaves what was read before
	return v.mask(string(b), "") != string(b)
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
	m := jsonMasker{Decoder: json.NewDecoder(strings.NewReader(s)), secrets: v, src: s}
	m.UseNumber()
	m.value(before)
	return m.out.String() + s[m.copied:]
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

// A jsonMasker masks the names and values of a document while it reads them, and copies all else byte for byte.
type jsonMasker struct {
	*json.Decoder
	secrets redactor
	src     string
	copied  int // of src into out
	out     strings.Builder
}

// value masks a value and all that is in it. All that a member named as card codes are has in it may be one.
func (m *jsonMasker) value(before string) {
	open := m.next(before)
	if open != json.Delim('{') && open != json.Delim('[') {
		return
	}
	for m.More() {
		inner := before
		if open == json.Delim('{') && ofCode().MatchString(fmt.Sprint(m.next(""))) {
			inner = asCode
		}
		m.value(inner)
	}
	m.next("") // its end
}

// next masks the next token, in which a number with a mask becomes a string, and returns it as it came.
func (m *jsonMasker) next(before string) json.Token {
	from := m.InputOffset()
	token, _ := m.Token() // the document is valid
	s := fmt.Sprint(token)
	if masked := m.secrets.mask(s, before); masked != s {
		to := int(m.InputOffset())
		raw := strings.TrimLeft(m.src[from:to], jsonSpace+",:")
		m.out.WriteString(m.src[m.copied:to-len(raw)] + preview(masked))
		m.copied = to
	}
	return token
}
