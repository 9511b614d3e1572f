package sandbox

import (
	"math/rand/v2"
	"strings"
	"time"
)

// A cardRequest is a parsed paymentRequestProps. The card number is dropped as soon as it
// was found in the table of test cards.
type cardRequest struct {
	plan      plan
	lastFour  string
	returnURL string
}

// readCard reads and validates paymentRequestProps of a card payment (2.2, 2.4).
func readCard(props *object, currency string, now time.Time) cardRequest {
	q := cardRequest{returnURL: readReturnURL(props, currency)}
	c := props.part("card", true)
	if c == nil {
		return q
	}
	number := c.requiredText("number")
	known, plan, is := planFor(number)
	switch {
	case number == "":
	case !isDigits(number):
		c.invalid("number", "must be digits only")
	case !is:
		c.invalid("number", "is not on the sandbox's list of test cards")
	default:
		q.plan, q.lastFour = plan, number[len(number)-4:]
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
	if first := now.UTC(); year*12+month < first.Year()*12+int(first.Month()) && year >= 2000 {
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

func newCard(r *rand.Rand, q cardRequest, now time.Time) *cardPart {
	c := &cardPart{plan: q.plan, lastFour: q.lastFour, returnURL: q.returnURL}
	switch {
	case q.plan.declines:
		c.declined = true
	case q.plan.challenges:
		c.token = pick(r, base36, 32)
	default:
		c.authorized = now
	}
	return c
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// plainASCII reports whether s is printable ASCII without spaces.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
