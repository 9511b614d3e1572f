package collect

import (
	"strings"
	"testing"
)

func TestTheJSONBesideTheFormHoldsNoSecretAndIsNotBuiltUnseen(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.Sees("What will be sent").Type("g").Press("enter").Type("12.50").Sees(`"amount": 12.5`, `"currency": "GBP"`)
		c.Press("enter", "enter")
		c.customer().card(visa, "987").Sees(`"•••• 4242"`, `"emailAddress": "ada@example.com"`, `"narration": "Order 7"`)
		c.WaitsUntilGone("42424", "987", secret)
		if strings.Contains(string(c.Bytes()), "987") {
			t.Error("the CVV was written to the terminal")
		}
	})
	withScreen(t, 97, 36, Options{}, nil, func(c *harness) {
		c.toReview().WaitsUntilGone("What will be sent")
		if c.f.bodies != 0 {
			t.Errorf("built %d times without being shown", c.f.bodies)
		}
	})
}

// The request is drawn for each frame, with the card as far as it was typed.
func TestNoFrameOfACardHasItsCVV(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer()
		c.Type(visa).Press("enter")
		for _, digit := range "937" {
			c.Type(string(digit))
			for _, shown := range []string{"93", "37", `"cvv": "9`} {
				if c.Has(shown) {
					t.Fatalf("%s is on the screen", shown)
				}
			}
		}
		c.Press("enter").Type("1234").Sees(`"cvv": "•••"`, `"number": "•••• 4242"`).Press("up", "backspace").Sees("•• ")
		if strings.Contains(string(c.Bytes()), "937") {
			t.Error("a frame has the CVV")
		}
	})
}
