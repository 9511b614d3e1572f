package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/consoletest"
)

// answerLinks changes every response to the creation of a link.
func answerLinks(c *consoletest.Console, pairs ...string) {
	c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
		if strings.HasSuffix(path, "/payment-link") {
			body = []byte(strings.NewReplacer(pairs...).Replace(string(body)))
		}
		return status, body
	})
}

// fillLink fills in a link that can be paid many times, and sends it.
func fillLink(c *consoletest.Console, name, amount string) {
	c.T.Helper()
	c.Press("n").Fill("Name", name).Fill("Description", "six oak chairs").Choose("Can be paid", "many times")
	c.Choose("Currency", "GBP").Fill("Amount", amount).Press("ctrl+s")
}

// lastLink is the newest attempt to create a link.
func lastLink(c *consoletest.Console) ledger.Attempt {
	c.T.Helper()
	all, _, err := c.Journal.Attempts(c.T.Context(), journal.Filter{Kind: ledger.CreateLink}, 0, 1)
	if err != nil || len(all) == 0 {
		c.T.Fatal(all, err)
	}
	return all[0]
}

func TestALinkThatIsNotWhatWasAskedIsReadBeforeItIsShared(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		answerLinks(c, `"amount":120.00}`, `"amount":12000.00}`, "Reuseable", "OneTime", `"name":"Chairs"`, `"name":"Tables"`)
		fillLink(c, "Chairs", "120.00")
		c.Sees("MISMATCH", "120.00 GBP", "12,000.00 GBP", "many times", "once", "Chairs", "Tables", "Have you read how it differs?")
		c.WaitsUntilGone("/pay/", "collect payment", "copy URL")
		c.Golden("link/mismatch")
		c.Press("c", "a", "enter").WaitsUntilGone("clipboard", "Channel")

		again := c.Again() // as after a crash, before anybody answered
		again.Sees("1 mismatch", "MISMATCH", "  0-").WaitsUntilGone("Nothing needs attention")
		again.Golden("link/mismatch-home")
		again.Press("4").Sees("MISMATCH", "amount: asked 120.00 GBP, answered").WaitsUntilGone("/pay/")
		again.Press("c").Sees("Read first how this link differs").Press("y").Sees("Read first how this link differs").WaitsUntilGone("clipboard")
		again.Press("esc").Press("enter").Sees("MISMATCH", "not as it was asked for", "Differs", "answered once")
		again.Press("enter").Sees("Have you read how it differs?").Press("n").Wait(time.Second).WaitsUntilGone("Have you read")
		again.Press("enter").Yes("Have you read how it differs?").Sees("collect payment", "/pay/", "asked 120.00 GBP")
		if a := lastLink(again); a.MustBeRead() || a.DecidedBy.User != "ada" || len(a.CreatedLink.Differs) != 3 {
			t.Errorf("%+v", a)
		}

		third := c.Again()
		third.Sees("Nothing needs attention").Press("4").Sees("≠ 0-", "MISMATCH", "asked 120.00 GBP").Press("enter").Sees("collect payment")
		third.Press("esc", "esc").Press("3").Sees("MISMATCH")
	})
}

func TestALostLinkIsFoundByItsAliasAndNotCreatedTwiceUnasked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		page := ""
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			if strings.HasSuffix(path, "/payment-link") {
				_, page, _ = strings.Cut(string(body), `"link":"`)
				page, _, _ = strings.Cut(page, `"`)
				return 502, nil
			}
			return status, body
		})
		fillLink(c, "Chairs", "120.00")
		c.Sees("UNRESOLVED", "Chairs", "six oak chairs", "120.00 GBP", "many times").Golden("link/lost")
		c.Wire.Rewrite(nil)
		id := string(lastLink(c).ID)
		c.Press("esc").Sees("1 unresolved")

		other := c.Again() // on the same journal
		other.Press("3").Press("/").Type("chairs").Press("enter").Sees("UNRESOLVED").Press("esc", "esc")
		fillLink(other, " CHAIRS ", "120.00")
		other.Sees("Nothing was sent: this looks like a duplicate.", id[:4], "UNRESOLVED", "Chairs", "Create it anyway?").Golden("link/duplicate")
		other.Press("esc").Sees("six oak chairs").Press("ctrl+x", "esc")
		if n := c.Wire.PostsTo("/payment-link"); n != 1 {
			t.Errorf("sent %d times", n)
		}
		fillLink(other, "Chairs", "120.00")
		other.Sees("Create it anyway?").Slowly(id[:4]).Press("right").Wait(time.Second).Press("enter")
		other.Wait(time.Second).Sees("is the name of another link") // the service has it
		if n := c.Wire.PostsTo("/payment-link"); n != 2 {
			t.Errorf("sent %d times", n)
		}
		other.Press("esc")

		decide(other.Press("4").Sees("UNRESOLVED", "Chairs", "120.00 GBP").Press("enter"), "found as…").Type(page).Press("enter")
		alias := page[strings.LastIndex(page, "/")+1:]
		other.Yes("Record that the link was found as "+alias+"?").Sees("It was found", alias).Press("esc")
		other.Sees(alias, "Chairs", "120.00 GBP", "by a person; the service's answer never arrived").WaitsUntilGone("UNRESOLVED").Golden("link/found")
		other.Press("enter").Sees("collect payment", page, "many times", "by a person").Golden("link/found-share")
		other.Press("enter").Sees("The link fixes amount and currency")

		toMenu(other).Press("n", "ctrl+x", "esc")
		answerLinks(c, `"isSuccess":true`, `"isSuccess"`) // which is no JSON
		fillLink(other, "Tables", "90.00")
		decide(other.Sees("UNRESOLVED"), "found as…").Type(alias).Press("enter").Yes("found as " + alias).Sees("has this alias already")
	})
}
