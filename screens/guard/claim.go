package guard

import (
	"net/url"
	"strings"
)

// A Money is whose money moves, as far as a word tells it.
type Money uint8

// The kinds of money. The zero Money proves nothing.
const (
	Unsaid Money = iota
	Play
	Live
)

// A Claim is what somebody says of the environment.
type Claim struct {
	By   string // who says it: "The profile", "The key"
	Word string // the word or the host, as it is
	Says Money
}

// Who makes claims.
const (
	ByProfile = "The profile"
	ByKey     = "The key"
	ByHost    = "The host of payments"
	ByList    = "The host of the list"
	ByLink    = "A link made here"
)

// Read is what a word says: those of the specification (2.8) and of the facts page, and their
// usual synonyms.
func Read(word string) Money {
	switch strings.ToLower(word) {
	case "live", "prod", "production":
		return Live
	case "test", "sandbox", "staging":
		return Play
	}
	return Unsaid
}

// Host is what the name of a host claims. A name is cut at its dots and dashes; one without
// any of the words claims nothing.
func Host(by, address string) Claim {
	c := Claim{By: by}
	if u, err := url.Parse(address); err == nil {
		c.Word = u.Host
		for part := range strings.FieldsFuncSeq(u.Hostname(), func(r rune) bool { return r == '.' || r == '-' }) {
			if says := Read(part); says > c.Says {
				c.Says = says
			}
		}
	}
	return c
}

// disagree reports whether of two claims one says live and one says it is not.
func disagree(claims []Claim) bool {
	var said [3]bool
	for _, c := range claims {
		said[c.Says] = true
	}
	return said[Play] && said[Live]
}
