package sandbox

import (
	"strings"
	"time"
)

// A TestCard is a published test number and what paying with it does.
type TestCard struct {
	Name   string `json:"name"` // "approve", "challenge", …: one word, unique
	Number string `json:"number"`
	CVV    string `json:"cvv"`
	Month  int    `json:"expMonth"`
	Year   int    `json:"expYear"`
	Does   string `json:"does"` // one line for people
}

// A plan says how a card payment with a test card goes.
type plan struct {
	declines      bool          // at once
	challenges    bool          // the customer must approve at the bank
	declinesAfter bool          // despite the customer's approval
	settleTime    time.Duration // 0 for the sandbox's default
}

const pendingLong = 10 * time.Minute

var testCards = []struct {
	TestCard
	plan plan
}{
	{TestCard{"approve", "4242424242424242", "123", 12, 2034, "approved without a challenge; settles"}, plan{}},
	{TestCard{"challenge", "4508750015741019", "100", 1, 2039, "challenge; approve it and it settles"}, plan{challenges: true}},
	{TestCard{"challenge-decline", "4000008400001629", "123", 12, 2034, "challenge; declined even when approved"}, plan{challenges: true, declinesAfter: true}},
	{TestCard{"decline", "4000000000000002", "123", 12, 2034, "declined at once"}, plan{declines: true}},
	{TestCard{"pending-long", "5555555555554444", "123", 12, 2034, "approved; stays PENDING for 10 minutes"}, plan{settleTime: pendingLong}},
	{TestCard{"verve", "5060666666666666666", "123", 12, 2034, "challenge; approve it and it settles (19 digits)"}, plan{challenges: true}},
	{TestCard{"amex", "378282246310005", "1234", 12, 2034, "approved without a challenge; settles (CVV of 4)"}, plan{}},
}

// Cards lists the test cards; every other number is rejected.
func Cards() []TestCard {
	cards := make([]TestCard, len(testCards))
	for i, c := range testCards {
		cards[i] = c.TestCard
	}
	return cards
}

// planFor finds a number in the table.
func planFor(number string) (TestCard, plan, bool) {
	for _, c := range testCards {
		if c.Number == number {
			return c.TestCard, c.plan, true
		}
	}
	return TestCard{}, plan{}, false
}

// holdsCardNumber reports whether a text contains what can be a card number: 12 to 19
// consecutive digits with a card's first digits and a valid Luhn check digit. Such a text
// is rejected wherever it would come back in a response. Timestamps written as digits start
// with 1 or 20 and pass.
func holdsCardNumber(text string) bool {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if n := len(run); n >= 12 && n <= 19 && run[:2] >= "22" && run[:2] <= "69" && luhn(run) {
			return true
		}
	}
	return false
}

// luhn reports whether the check digit of a digit string is right.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
