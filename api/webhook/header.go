package webhook

import (
	"strings"
)

// credentials are parts of the names of headers whose values let somebody in.
var credentials = [...]string{"authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "session"}

// isCredential reports whether the value of a header is not for others' eyes.
func isCredential(name string) bool {
	name = strings.ToLower(name)
	for _, part := range credentials {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
