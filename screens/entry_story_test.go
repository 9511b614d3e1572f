package screens_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// shownAsRemoved fails unless the screen says that a card number was removed and shows none of it.
func shownAsRemoved(c *consoletest.Console) {
	c.T.Helper()
	c.Sees("Card number removed").WaitsUntilGone("42424", "4242 4242", "4242-4242")
}

func TestACardNumberThatIsLookedUpIsNeitherShownNorSentAndAKeyNeither(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Sees("Reference").Type("4242 4242 4242 4242")
		shownAsRemoved(c)
		c.Sees("the card step. Not sent. Backspace,", "then type the reference.")
		c.Press("enter", "enter", "ctrl+s").Wait(time.Minute)
		shownAsRemoved(c)
		c.Golden("lookup/card")
		c.Paste("card 4242-4242-4242-4242 please")
		shownAsRemoved(c)
		const key = "live_sk_somethingtyped99"
		c.Press("ctrl+u").Type(key).Press("enter").Wait(time.Second).Sees("This is a secret key").Press("f2").Sees("1 request ").WaitsUntilGone(key)
		if gets := c.Wire.Gets(); len(gets) != 1 { // the one of home
			t.Errorf("asked %q", gets)
		}
		c.Press("esc", "ctrl+u").Type("NOSUCHREF1").Press("enter").Sees("NOSUCHREF1", "has no record of it")
		c.Press("esc").Sees("Look up a payment").Type("NOSUCHREF2").Press("enter").Sees("NOSUCHREF2", "has no record of it").WaitsUntilGone("Payment NOSUCHREF1")
	})
}

func TestAReferenceOfTheJournalCanBeLookedUpThoughItLooksLikeACard(t *testing.T) {
	const like = "4111111111111111"
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			switch {
			case strings.HasSuffix(path, "/pay/initiate"):
				var v struct {
					Value struct {
						PaymentItem struct{ PaymentReference string }
					}
				}
				if err := json.Unmarshal(body, &v); err != nil {
					t.Error(err)
				}
				return status, []byte(strings.ReplaceAll(string(body), v.Value.PaymentItem.PaymentReference, like))
			case strings.HasSuffix(path, "/transactions/"+like):
				return 200, []byte(`{"isSuccess":true,"value":{"paymentReference":"` + like + `","paymentStatus":"PENDING",` +
					`"amount":{"currencyCode":"GBP","amount":12.5}}}`)
			}
			return status, body
		})
		c.Yes("Charge 12.50 GBP").Wait(10*time.Second).Sees("<pan …1111>", "PENDING")
		for _, c := range []*consoletest.Console{c, c.Again()} { // in this run, and after a restart
			toMenu(c).Press("l").Type(like).Press("enter").Wait(time.Second).Sees("PENDING")
			c.Press("l").Type("4242424242424242")
			shownAsRemoved(c)
		}
	})
}

func TestNoListAndNoFormShowsACardNumber(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		for _, way := range [][]string{{"3", "/"}, {"2", "/"}, {"4", "/"}, {"n"}} {
			toMenu(c).Press(way...).Wait(time.Second)
			c.Type("4242424242424242")
			shownAsRemoved(c)
			c.Press("ctrl+u").Paste("for 4242 4242 4242 4242")
			shownAsRemoved(c)
			c.Press("enter")
			shownAsRemoved(c)
			c.Press("ctrl+u")
		}
	})
}

const asLeft = "Filled in as you left it."

// Esc is the way to look something up in between: what was typed is there again.
func TestALinkIsTypedOnceThoughItsFormIsLeft(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Fill("Name", "Chairs").Fill("Description", "six oak chairs").Choose("Currency", "GBP").Fill("Amount", "120.00")
		c.Press("esc").Sees("Menu").Press("n").Sees(asLeft, "Chairs", "six oak chairs", "120.00").Golden("link/left")
		c.Press("esc", "4").Sees("No links have been created").Press("n").Sees(asLeft, "Chairs").Press("ctrl+s").Sees("enter collect", "120.00 GBP")
		c.Press("esc", "n").Sees("New link").WaitsUntilGone(asLeft, "Chairs") // it was created
	})
}

// What was pasted at once is there until it is pinned, whatever a person does in between.
func TestReferencesArePastedOnceThoughTheyAreNotPinnedYet(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Paste("no reference\nnone at all").Press("enter").Sees("There is no reference to pin.").Press("esc").WaitsUntilGone("There is no reference")
		c.Paste("REF-1\nREF-2").Sees("2 references to pin").Paste("no reference\nnone at all").Sees("2 references to pin", "2 lines are not references")
		c.Press("1").WaitsUntilGone("REF-2").Press("esc").Sees("2 pasted references are not pinned yet", "enter list what was pasted")
		c.Paste("REF-9").Press("enter").Sees("no record of it").Press("l", "esc", "l").Sees(asLeft).Press("enter").Sees("REF-2")
		must(t, c.Journal.Close())
		c.Press("enter").Sees("Not pinned: ", "2 references to pin").Press("esc").Sees("2 pasted references are not pinned yet")
	})
}

// The card is the exception: it is wiped as soon as the form is left.
func TestAPaymentIsTypedOnceThoughItsFormIsLeft(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sees("•••• 4242").Wait(time.Second)
		c.Press("esc").Fill("Narration", "six chairs").Press("esc", "esc", "esc").Sees("● Amount").Press("esc").Sees("Menu")
		c.Press("c").Sees(asLeft, "● Amount", "12.50").Golden("card/left")
		c.Press("ctrl+s").Sees("These channels accept").WaitsUntilGone(asLeft).Press("enter").Sees("Ada", "Obi", "ada@example.org")
		c.Press("ctrl+s").Sees("Card number", "https://shop.example/done", "six chairs").WaitsUntilGone("•••• 4242")
		toMenu(c).Press("c").Sees(asLeft, "ctrl+x: empty form", "12.50").Press("ctrl+x").WaitsUntilGone(asLeft, "12.50").Press("esc") // for the next customer
		c.Press("c").Sees("● Amount").WaitsUntilGone(asLeft, "12.50")
		if posts := c.Wire.PostsTo("/pay/initiate"); posts != 0 {
			t.Errorf("%d were sent", posts)
		}
	})
}

// What was typed for one link is not what is paid through another, or without one.
func TestWhatWasTypedComesBackWhereItBelongs(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Press("enter").Sees("These channels accept").Press("enter").Fill("First name", "Ada")
		for c.Press("esc"); !c.Has("enter collect"); {
			c.Press("esc")
		}
		c.Press("enter").Sees(asLeft, "These channels accept").Press("esc", "esc").Sees("Menu")
		c.Press("c").Sees("● Amount").WaitsUntilGone(asLeft, "Chairs")
	})
}
