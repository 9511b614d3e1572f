package gate

import (
	"net/url"
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

// Evidence is what one source says of the environment.
type Evidence struct {
	By   string // who says it: "The profile", "The key"
	Word string // the word or the host, as it is
	Says Mode
}

// Who gives evidence.
const (
	ByProfile = "The profile"
	ByKey     = "The key"
	ByHost    = "The host of payments"
	ByList    = "The host of the list"
	ByLink    = "A link made here"
)

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
func Word(by, word string) Evidence { return Evidence{By: by, Word: word, Says: ModeOf(word)} }

// Host is the evidence of a host's name. The name is split at its dots and dashes; one without
// any of the words proves nothing.
func Host(by, address string) Evidence {
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
	var said [3]bool
	for _, e := range all {
		said[e.Says] = true
	}
	return said[Test] && said[Live]
}
