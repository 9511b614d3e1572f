package api

import (
	"cmp"
	"strings"

	"paydesk/api/card"
	"paydesk/api/text"
)

// A redactor hides what was sent in confidence where a response repeats it: services and gateways were
// seen to repeat a request in their answers, and a PAN or a key must reach neither the screen nor the
// journal that way.
type redactor struct {
	key  string
	sent *card.Numbers // the PANs of this request and those before it
	cvv  []byte        // of this request; wiped once the response was read
}

// wipe overwrites the card data.
func (v redactor) wipe() { clear(v.cvv) }

// redact replaces the key, whatever begins as keys do, the PANs, however they are written, and the CVV where it
// stands alone. A key that is not this profile's is hidden too: a service may have the keys of others. A
// card number in an encoding is hidden also when it was not sent: no identifier is one by chance, as it
// may be in plain digits.
func (v redactor) redact(s string) string {
	if v.leaves(s) {
		return s
	}
	s = hideKeys(replaceFold(s, v.key, "[key]"))
	if v.sent != nil {
		s = v.sent.Hide(s)
	}
	s = card.HideEncoded(s, v.findAny) // before the CVV, which would break a run apart
	if len(v.cvv) == 0 {
		return s
	}
	return wholeNumbers().ReplaceAllStringFunc(s, func(number string) string {
		if number == string(v.cvv) {
			return "•••"
		}
		return number
	})
}

// hide is [redactor.redact] of all that looks like a card number, too: payers type them into free text.
func (v redactor) hide(s string) string { return card.Redact(v.redact(s)) }

// wholeNumbers are the numbers of a text with their separators, so that a CVV within an amount is none.
var wholeNumbers = text.Pattern(`\d+(?:[.,]\d+)*`)

// leaves reports that there is nothing to redact in a word that is too short for a key and a PAN, or in a UUID: neither the
// key nor the CVV could be in one, and no PAN that was sent is.
func (v redactor) leaves(s string) bool {
	const shortestKey = len("sk_test_x")
	if len(s) < shortestKey && (len(s) < len(v.key) || v.key == "") && len(v.cvv) == 0 {
		return true
	}
	return card.IsUUID(s) && len(v.cvv) == 0 && strings.Trim(v.key, "0123456789abcdefABCDEF-") != "" && (v.sent == nil || v.sent.Find(s) == "")
}

// find returns what replaces the key or a PAN that is in s as it stands; "" when none is.
func (v redactor) find(s string) (mask string) {
	if indexFold(strings.ReplaceAll(s, "\x00", ""), v.key) >= 0 { // without the half of UTF-16
		return "[key]"
	}
	if v.sent != nil {
		mask = v.sent.Find(s)
	}
	return mask
}

// findAny is [redactor.find] for all card numbers.
func (v redactor) findAny(s string) (mask string) { return cmp.Or(v.find(s), card.FindMasked(s)) }

// tells reports whether an identifier or a number repeats what was sent in confidence. It cannot be
// used then, because it would be displayed, stored and sent again.
func (v redactor) tells(s string) bool {
	return v.find(s) != "" || card.FindEncoded(s, v.findAny) != "" || len(v.cvv) > 0 && s == string(v.cvv)
}

// codeParameter is a query parameter of a URL that is named as card codes are.
var codeParameter = text.Pattern(`(?i)[?&;#][\w.%-]*(?:cv[vcn]|csc|security)[\w.%-]*=(\d{3,4})\b`)

// tellsURL is [redactor.tells] for a URL, of what was sent only: what a bank encodes in its URL may have
// long numbers of its own. Three digits of the CVV are in many URLs by chance, so a parameter must be
// named for them.
func (v redactor) tellsURL(s string) bool {
	for _, code := range codeParameter().FindAllStringSubmatch(s, -1) {
		if code[1] == string(v.cvv) {
			return true
		}
	}
	return v.find(s) != "" || card.FindEncoded(s, v.find) != ""
}

// hideKeys replaces what begins as the keys of a service do.
func hideKeys(s string) string {
	if !strings.ContainsAny(s, "_-") || !strings.ContainsAny(s, "kK\u212a") { // most texts, and cheaper than the pattern
		return s
	}
	return keysIn().ReplaceAllString(s, "[key]")
}

// replaceFold replaces word in s in any letter case.
func replaceFold(s, word, with string) string {
	var out strings.Builder
	for i := indexFold(s, word); i >= 0; i = indexFold(s, word) {
		out.WriteString(s[:i] + with)
		s = s[i+len(word):]
	}
	return out.String() + s
}

// indexFold returns the first place of word in s in any letter case, or -1; an empty word is nowhere.
func indexFold(s, word string) int {
	if word == "" {
		return -1
	}
	for i := range len(s) - len(word) + 1 {
		if s[i]|0x20 == word[0]|0x20 && strings.EqualFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
