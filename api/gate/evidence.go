package gate

import (
	"net/url"
	"slices"
	"strings"

	"paydesk/api"
)

// A Source is where evidence comes from.
type Source uint8

// The sources.
const (
	ByProfile Source = iota // what the profile declares
	ByKey                   // the prefix of the key
	ByHost                  // the host of the payment endpoints
	ByList                  // the host of the list endpoint
	ByLink                  // what the service reports for a link it created
)

// Evidence describes what one source indicates about the environment.
type Evidence struct {
	By   Source
	Word string // the word or the host, as written
	Says api.Mode
	// Unconfirmed is set if the source should tell and does not, as a key without a known prefix, and
	// no person has said what it is for.
	Unconfirmed bool
}

// Word is the evidence of a word.
func Word(by Source, word string) Evidence {
	return Evidence{By: by, Word: word, Says: api.ModeOf(word)}
}

// Host is the evidence of a host name. The name is split at its dots and dashes; without a known
// word it is no evidence.
func Host(by Source, address string) Evidence {
	e := Evidence{By: by}
	if u, err := url.Parse(address); err == nil {
		e.Word = u.Host
		for part := range strings.FieldsFuncSeq(u.Hostname(), func(r rune) bool { return r == '.' || r == '-' }) {
			e.Says = max(e.Says, api.ModeOf(part)) // live, where it says both
		}
	}
	return e
}

// IsContradictory reports whether one source indicates live and another test.
func IsContradictory(all []Evidence) bool { return says(all, api.LiveMode) && says(all, api.TestMode) }

func unconfirmed(all []Evidence) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Unconfirmed })
}

func says(all []Evidence, m api.Mode) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Says == m })
}
