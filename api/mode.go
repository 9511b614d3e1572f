package api

import "strings"

// A Mode is whether real money moves.
type Mode uint8

// The modes. The zero Mode is no evidence.
const (
	UnknownMode Mode = iota
	TestMode
	LiveMode
)

// Contradicts reports whether one mode is live and the other is not.
func (m Mode) Contradicts(other Mode) bool {
	return m != UnknownMode && other != UnknownMode && m != other
}

// ModeOf is the meaning of a word: those of the specification (2.8), those the service was observed
// to use, and their usual synonyms.
func ModeOf(word string) Mode {
	switch strings.ToLower(word) {
	case "live", "prod", "production":
		return LiveMode
	case "test", "sandbox", "staging":
		return TestMode
	}
	return UnknownMode
}
