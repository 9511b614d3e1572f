package screens_test

import (
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// realCard passes every check of a number, and is on no list of test cards.
const realCard = "4539148803436467"

// typeCard goes to the review of a payment with a card that is typed.
func typeCard(c *consoletest.Console, number string) {
	c.T.Helper()
	toCard(c.Person, "12.50", "GBP")
	c.Fill("Card number", number)
	c.Fill("CVV", "123")
	c.Fill("Expiry", "12/34")
	c.Fill("Return URL", "https://shop.example/done")
	c.Press("ctrl+s")
}

func TestInTestARealCardIsSentOnlyAfterAWord(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		typeCard(c, realCard)
		c.Sees("This may be a real card", "Type real to continue", "•••• 6467")
		c.Golden("card/real")
		c.Wait(time.Second).Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("Type real exactly as shown")
		if n := c.Wire.PostsTo("/initiate"); n != 0 {
			t.Fatalf("%d were sent without the word", n)
		}
		c.Press("left").Slowly("real").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("The service rejected the request") // it was sent, and rejected
		if n := c.Wire.PostsTo("/initiate"); n != 1 {
			t.Fatalf("%d were sent", n)
		}
		c.Fill("CVV", "123").Press("ctrl+s").Sees("Charge 12.50 GBP").WaitsUntilGone("real card", "Type real")
		toMenu(c).Press("c", "ctrl+x", "esc")
		typeCard(c, "4111111111111111") // which is known as a test card
		c.Sees("Charge 12.50 GBP").WaitsUntilGone("real card", "Type real")
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
}
