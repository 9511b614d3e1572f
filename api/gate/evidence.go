package gate

import (
	"net/url"
	"slices"
	"strings"
)

// A Mode is whose money moves, as far as a word says.
type Mode uint8

// The modes. The zero Mode proves nothing.
const (
	Unknown Mode = iota
	Test
	Live
)

// Contradicts reports whether one mode is live and the other is not.
func (m Mode) Contradicts(other Mode) bool { return m != Unknown && other != Unknown && m != other }

// A Source is who gives evidence.
type Source uint8

// The sources.
const (
	ByProfile Source = iota // what the profile declares
	ByKey                   // how the key begins
	ByHost                  // the host of the payment endpoints
	ByList                  // the host of the list endpoint
	ByLink                  // what the service says of a link it created
)

// Evidence is what one source says of the environment.
type Evidence struct {
	By   Source
	Word string // the word or the host, as it is
	Says Mode
}

// ModeOf is what a word says: those of the specification (2.8) and of the facts page, and their
// usual synonyms.
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

// Host is the evidence of a host's name. The name is split at its dots and dashes; one without
// any of the words proves nothing.
func Host(by Source, address string) Evidence {
	e := Evidence{By: by}
	if u, err := url.Parse(address); err == nil {
		e.Word = u.Host
		for part := range strings.FieldsFuncSeq(u.Hostname(), func(r rune) bool { return r == '.' || r == '-' }) {
			if says := ModeOf(part); says > e.Says {
				e.Says = says
			}
		}
	}
	return e
}

// contradictory reports whether one source says live and another that it is not.
func contradictory(all []Evidence) bool {
	return slices.ContainsFunc(all, func(a Evidence) bool {
		return slices.ContainsFunc(all, func(b Evidence) bool { return a.Says.Contradicts(b.Says) })
	})
}
