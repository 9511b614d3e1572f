package sandbox

import (
	"slices"
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

	plan plan
}

// A plan says how a payment goes that a bank decides, such as one with a test card.
type plan struct {
	declines      bool          // at once
	challenges    bool          // the customer must approve at the bank
	declinesAfter bool          // despite the customer's approval
	settleTime    time.Duration // 0 for the sandbox's default
}

var testCards = []TestCard{
	{"approve", "4242424242424242", "123", 12, 2034, "approved without a challenge; settles", plan{}},
	{"challenge", "4508750015741019", "100", 1, 2039, "needs approval, then settles",
		plan{challenges: true}},
	{"challenge-decline", "4000008400001629", "123", 12, 2034, "challenge; declined even when approved",
		plan{challenges: true, declinesAfter: true}},
	{"decline", "4000000000000002", "123", 12, 2034, "declined at once", plan{declines: true}},
	{"pending-long", "5555555555554444", "123", 12, 2034, "approved; stays PENDING for 10 minutes",
		plan{settleTime: 10 * time.Minute}},
	{"verve", "5060666666666666666", "123", 12, 2034, "needs approval, then settles (19 digits)",
		plan{challenges: true}},
	{"amex", "378282246310005", "1234", 12, 2034, "approved; settles (4-digit CVV)", plan{}},
}

// Cards lists the test cards; every other number is rejected.
func Cards() []TestCard { return slices.Clone(testCards) }

// testCard finds a card in the table.
func testCard(is func(TestCard) bool) (TestCard, bool) {
	i := slices.IndexFunc(testCards, is)
	if i < 0 {
		return TestCard{}, false
	}
	return testCards[i], true
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

// A propsRequest is a parsed paymentRequestProps. The card number is dropped as soon as it was
// found in the table of test cards.
type propsRequest struct {
	plan      plan
	lastFour  string // of a card
	returnURL string
	email     string // that an Interac request goes to; "" for one that is not shown
}

// readCard reads and validates paymentRequestProps of a card payment (2.2, 2.4).
func readCard(props *object, currency string, now time.Time) propsRequest {
	q := propsRequest{returnURL: readReturnURL(props, currency)}
	c := props.part("card", true)
	if c == nil {
		return q
	}
	number := c.requiredText("number")
	known, is := testCard(func(c TestCard) bool { return c.Number == number })
	switch {
	case number == "":
	case !isDigits(number):
		c.invalid("number", "must be digits only")
	case !is:
		c.invalid("number", "is not on the sandbox's list of test cards")
	default:
		q.plan, q.lastFour = known.plan, number[len(number)-4:]
	}
	if cvv := c.requiredText("cvv"); cvv != "" {
		switch {
		case !isDigits(cvv) || len(cvv) < 3 || len(cvv) > 4:
			c.invalid("cvv", "must be 3 or 4 digits")
		case is && len(cvv) != len(known.CVV):
			c.invalid("cvv", "has the wrong number of digits for this card")
		}
	}
	month, year := c.integer("expMonth", 1, 12), c.integer("expYear", 2000, 2099)
	first := now.UTC()
	if year*12+month < first.Year()*12+int(first.Month()) && c.sound("expMonth", "expYear") {
		c.invalid("expYear", "and expMonth are in the past: the card has expired")
	}
	return q
}

// readReturnURL reads the URL the customer is sent on to. It is written into headers of the
// bank's page, so it must be plain ASCII.
func readReturnURL(props *object, currency string) string {
	url := props.text("returnUrl")
	if url == "" {
		if currency == "GBP" {
			props.malformed("returnUrl", "is required for GBP")
		}
		return ""
	}
	if !returnable(url) {
		props.invalid("returnUrl", "must be an http or https address")
	}
	return url
}

// isDigits reports whether s is one or more ASCII digits. Unicode has other digits,
// which neither an amount nor a card number may have.
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// plainASCII reports whether s is printable ASCII without spaces.
func plainASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
