package api

import (
	"compress/gzip"
	"compress/zlib"
	"encoding/hex"
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
	masked := secrets.maskWhole(document)
	switch {
	case masked != document && isDocument(document) && !json.Valid([]byte(masked)):
		return preview(hiddenText)
	case secrets.isOpaque(masked):
		return hiddenText
	case masked != document:
		return masked
	}
	return s
}

// hiddenText stands in the place of a text in which a card number, its code or a key cannot be masked by itself.
const hiddenText = "[hidden: it contains what looks like a card number, its code or a key]"

// largeText is the size from which a text that was compressed is searched only for what stands there in plain: it may be a
// hundred times as long as what was sent.
const largeText = 64 << 10

// isOpaque reports whether there is a secret in what a text says once it is decoded: percent-encoded or escaped, with two bytes for each
// letter, or compressed.
func (v redactor) isOpaque(s string) bool {
	for _, decoded := range []string{strings.ReplaceAll(s, "\x00", ""), escapes().ReplaceAllStringFunc(s, unescape)} {
		if decoded != s && v.maskWhole(decoded) != decoded {
			return true
		}
	}
	const most = 1 << 20
	r, err := decompressed(s)
	if err != nil {
		return false
	}
	b, _ := io.ReadAll(io.LimitReader(r, most)) // an error leaves what was read before
	if len(b) >= largeText {
		return card.In(string(b)) || codes().Match(b)
	}
	return v.maskWhole(string(b)) != string(b)
}

// decompressed reads what was compressed with gzip, or as "deflate" is.
func decompressed(s string) (io.Reader, error) {
	if r, err := gzip.NewReader(strings.NewReader(s)); err == nil {
		return r, nil
	}
	return zlib.NewReader(strings.NewReader(s))
}

// escapes are bytes of a form or a URL that are percent-encoded, and characters of ASCII that JSON escapes, in what is no document.
var escapes = text.Pattern(`%[0-9A-Fa-f]{2}|\\u00[0-7][0-9A-Fa-f]`)

// unescape decodes one of them.
func unescape(s string) string {
	b, _ := hex.DecodeString(s[len(s)-2:]) // the pattern has two digits
	return string(b)
}

// codeNames are the names under which a card's code or PIN is sent.
const codeNames = `(?:(?:cv[vcn]2?|cv2|csc)(?:[-_ ]?(?:code|number|no|value))?|` +
	`(?:security|card[-_ ]?verification)[-_ ]?(?:code|number|value)|card[-_ ]?pin|\bpin)`

var (
	// codes are card codes behind their names: in a form, in XML, as parts of a message and as named values, also in a string that has
	// JSON in it.
	codes = text.Pattern(`(?i)(` + codeNames + `\\*["'\]]*(?:(?:\s*\\*["']?\s*[:=>])+|\s*,\s*\\*["']?value\\*["']?\s*:|\s*\r?\n\r?\n)[\s\[]*\\*["']?)\d{3,4}\b`)
	// ofCode matches the name of a member that has a card's code.
	ofCode = text.Pattern(`(?i)` + codeNames + `\W*$`)
)

// NamesCardCode reports whether what has a name is a card's code or PIN.
func NamesCardCode(name string) bool { return ofCode().MatchString(name) }

// maskWhole is [redactor.mask] for a text that is not part of another. A document is then searched as it stands, too, for what
// several of its values encode together: once for all that is in it, since that search takes long.
func (v redactor) maskWhole(s string) string {
	masked := v.mask(s, "")
	if isDocument(s) {
		return v.maskText(masked, false)
	}
	return masked
}

// mask masks the secrets in a text, or in each name and value where it is JSON, and then the card numbers that are spread over
// several of them. member is the name of what has the text where that names a card's code, and "" elsewhere.
func (v redactor) mask(s, member string) string {
	if !isDocument(s) {
		return v.maskText(v.maskDocuments(s, member), member != "")
	}
	return hideSpread(rewrite(s, member, func(member, name string) string {
		if NamesCardCode(name) {
			return name
		}
		return member // all that is in a card's code may be one
	}, func(member string, token json.Token, raw string) string {
		s := fmt.Sprint(token)
		if masked := v.mask(s, member); masked != s {
			return preview(masked) // a number becomes a string
		}
		return raw
	}))
}

// maskDocuments masks what is JSON within a text: documents that follow each other, or one behind the name of a parameter. It
// ends at the first that is none: to look for another behind each bracket of a long text would take long.
func (v redactor) maskDocuments(s, member string) string {
	var out strings.Builder
	for {
		at := strings.IndexAny(s, "{[")
		if at < 0 {
			break
		}
		d := json.NewDecoder(strings.NewReader(s[at:]))
		if err := d.Decode(new(json.RawMessage)); err != nil {
			break
		}
		end := at + int(d.InputOffset())
		out.WriteString(s[:at] + v.mask(s[at:end], member))
		s = s[end:]
	}
	return out.String() + s
}

// maskText masks the secrets in a text as it stands. One that isCode is masked as behind the name of a code.
func (v redactor) maskText(s string, isCode bool) string {
	before := ""
	if isCode {
		before = "cvv:"
	}
	return codes().ReplaceAllString(before+card.Hide(v.redact(s)), "${1}•••")[len(before):]
}

// quotes are those of a document, among its escapes.
var quotes = text.Pattern(`\\.|"`)

// hideSpread hides card numbers that are spread over several values of a document. What begins or ends outside a string has
// quotes there, so that the rest of the document stays.
func hideSpread(document string) string {
	inside, read := false, 0
	quote := func(at int) string {
		for _, q := range quotes().FindAllString(document[read:at], -1) {
			inside = inside != (q == `"`)
		}
		read = at
		if inside {
			return ""
		}
		return `"`
	}
	return card.HideFunc(document, func(from, to int, mask string) string { return quote(from) + mask + quote(to) })
}

// isDocument reports whether a text is JSON with names, values or escapes in it.
func isDocument(s string) bool {
	s = strings.TrimLeft(s, jsonSpace)
	return s != "" && strings.Contains(`{["`, s[:1]) && json.Valid([]byte(s))
}
