package api

import (
	"strings"
	"testing"
)

func TestEverySpellingThatCounts(t *testing.T) {
	for word, want := range map[string]State{
		"SUCCESSFUL": Successful, "Successful": Successful, "Successfull": Successful, "sUcCeSsFuLl": Successful, "\tsuccessfull\r\n": Successful,
		"FAILED": Failed, "Failed": Failed, "failed ": Failed,
		"PENDING": Pending, "Pending": Pending, "INITIATED": Initiated, "initiated": Initiated,
		"REQUIRE_USER_OFFLINE_ACTION": ActionRequired, "require_user_offline_action": ActionRequired,
		"REQUIRE_BANK_AUTH": BankAuthRequired, "REQUIRED_BANK_AUTH": BankAuthRequired, "required_bank_auth": BankAuthRequired,
		"": Unrecognised, "InProgress": Unrecognised, "completed": Unrecognised, "00": Unrecognised, "REQUIRE_BANK-AUTH": Unrecognised, "PEND\u0130NG": Unrecognised, "UNRECOGNISED": Unrecognised,
	} {
		got := ParseStatus(word)
		if got.State != want {
			t.Errorf("%q is %v, want %v", word, got.State, want)
		}
		if got.State != Unrecognised && ParseStatus(got.State.String()).State != got.State {
			t.Errorf("the word of %v is read as something else", got.State)
		}
	}
	if (Status{}).State != Unrecognised || Unrecognised.String() != "UNRECOGNISED" || State(99).String() != "UNRECOGNISED" {
		t.Error("the zero state is not the unrecognised one")
	}
	for s := Unrecognised; s <= Failed; s++ {
		if s.Final() != (s == Successful || s == Failed) {
			t.Errorf("%v is final: %v", s, s.Final())
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	for _, h := range hostileSamples(f, "status-drift", "confusable", "invisible", "bidi") {
		f.Add(h.text())
	}
	for _, s := range []string{"SUCCESSFULLL", "SUCCESSFU", "UNSUCCESSFUL", "SUCCESS FUL", "\u00a0SUCCESSFUL", "\u017fuccessful", "F\u0131LED", "FAILED\x00", "\u0405UCCESSFUL", "SUCCESSFUL\u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		state := ParseStatus(s).State
		word := strings.Trim(s, "\t\n\v\f\r ")
		success := len(word) <= 11 && (asciiEqual(word, "SUCCESSFUL") || asciiEqual(word, "SUCCESSFULL"))
		if success != (state == Successful) || (state == Failed) != asciiEqual(word, "FAILED") {
			t.Fatalf("%q is %v", s, state)
		}
	})
}

// asciiEqual compares byte by byte, ignoring bit 5 of letters.
func asciiEqual(s, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(s) {
		if s[i] != upper[i] && s[i] != upper[i]|0x20 {
			return false
		}
	}
	return true
}
