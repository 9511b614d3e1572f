package collect

import (
	"strings"
	"testing"
)

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
