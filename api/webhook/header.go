package webhook

import (
	"encoding/json"
	"net/http"
	"strings"

	"paydesk/api"
)

// hidden stands in the place of a credential in a header.
const hidden = "[hidden]"

// credentials are parts of the names of headers whose values let somebody in, or may have such in them.
var credentials = [...]string{"auth", "cookie", "token", "secret", "key", "pass", "pwd", "credential", "jwt", "session", "x-api", "referer"}

// isCredential reports whether the value of a header is not for others' eyes.
func isCredential(name string) bool {
	name = strings.ToLower(name)
	if name == "idempotency-key" {
		return false
	}
	for _, part := range credentials {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// storedHeader is a header as it is stored, in JSON, without credentials. masked is whether what looks like a card number or
// a key was masked in another value.
func storedHeader(h http.Header, key api.Secret) (stored string, masked bool, err error) {
	kept := make(http.Header, len(h))
	for name, values := range h {
		of := api.MaskSecrets(name, key)
		masked = masked || of != name
		if isCredential(name) {
			kept[of] = append(kept[of], hidden)
			continue
		}
		if all := strings.Join(values, " "); len(values) > 1 && api.MaskSecrets(all, key) != all { // one over several lines
			kept[of], masked = append(kept[of], hidden), true
			continue
		}
		for _, v := range values {
			clean := api.MaskSecrets(v, key)
			masked = masked || clean != v
			kept[of] = append(kept[of], clean)
		}
	}
	b, err := json.Marshal(kept)
	return string(b), masked, err
}
