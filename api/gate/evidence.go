package gate

import (
	"net/url"
	"slices"
	"strings"
)

// A Mode is whether real money moves.
type Mode uint8

// The modes. The zero Mode is no evidence.
const (
	Unknown Mode = iota
	Test
	Live
)

// Contradicts reports whether one mode is live and the other is not.
func (m Mode) Contradicts(other Mode) bool { return m != Unknown && other != Unknown && m != other }

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

// Evidence is what one source indicates about the environment.
type Evidence struct {
	By   Source
	Word string // the word or the host, as written
	Says Mode
	// Unconfirmed is set if the source should tell and does not, as a key without a known prefix, and
	// no person has said what it is for.
	Unconfirmed bool
}

// ModeOf is the meaning of a word: those of the specification (2.8), those the service was observed
// to use, and their usual synonyms.
func ModeOf(word string) Mode {
	switch strings.ToLower(word) {
	case "live", "prod", "production":
		return Live
	case "test", "sandbox", "staging":
		return Test
	}
	return Unknown
}

// Word is the evidence of a word.
func Word(by Source, word string) Evidence { return Evidence{By: by, Word: word, Says: ModeOf(word)} }

// Host is the evidence of a host name. The name is split at its dots and dashes; without a known
// word it is no evidence.
func Host(by Source, address string) Evidence {
	e := Evidence{By: by}
	if u, err := url.Parse(address); err == nil {
		e.Word = u.Host
		for part := range strings.FieldsFuncSeq(u.Hostname(), func(r rune) bool { return r == '.' || r == '-' }) {
			e.Says = max(e.Says, ModeOf(part)) // live, where it says both
		}
	}
	return e
}

// IsContradictory reports whether one source indicates live and another test.
func IsContradictory(all []Evidence) bool { return says(all, Live) && says(all, Test) }

func unconfirmed(all []Evidence) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Unconfirmed })
}

func says(all []Evidence, m Mode) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Says == m })
}
