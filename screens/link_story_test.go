package screens_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// createLink creates a link and stands on its share card.
func createLink(c *consoletest.Console, name, use, currency, amount string) {
	c.T.Helper()
	c.Press("n").Fill("Name", name).Fill("Description", "six oak chairs").Choose("Can be paid", use).Choose("Currency", currency)
	c.Fill("Amount", amount).Press("ctrl+s")
	c.Sees("enter collect")
}

// payLink pays the link on the share card by card, up to what follows.
func payLink(c *consoletest.Console, card string) {
	c.T.Helper()
	c.Press("enter").Sees("These channels accept").Press("enter")
	customer(c.Person)
	pick(c.Person, card)
	c.Press("ctrl+s")
}

func TestALinkIsCreatedPaidFinalizedAndSettled(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Sees("http://127.0.0.1:8099/pay/", "120.00 GBP", "once", "New", "Test").Golden("link/share")
		c.Press("y").Sees("sent to your terminal's clipboard")
		if !strings.HasPrefix(c.Copied(), "http://127.0.0.1:8099/pay/") {
			t.Errorf("copied %q", c.Copied())
		}
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP to •••• 1019?")
		ref := reference(c)
		c.Sandbox.Approve(ref)
		c.Press("enter").Sees("Finalize " + ref + "?").Golden("link/finalize")
		c.Yes("Finalize").Sees("completed", "00").WaitsUntilGone("SUCCESSFUL").Golden("link/finalized")
		c.Press("enter").Wait(30 * time.Second).Sees("SUCCESSFUL").Golden("link/settled")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
	})
}

// The service refuses the next payment. Who begins one reads it first, wherever they come from.
func TestWhoeverCollectsThroughAPaidOneTimeLinkIsWarned(t *testing.T) {
	const warning = "This one-time link was paid already."
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Sees("once").WaitsUntilGone("paid already")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Wait(time.Second).Press("space").Sees("paused").Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc")
		c.Sees("enter collect", "once; paid already").Press("enter").Sees(warning, "These channels accept")
		c.Press("esc", "esc", "4").Wait(time.Second).Sees("1/1", "once; paid already").Press("c").Sees(warning)
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "many times", "GBP", "120.00")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Wait(time.Second).Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc")
		c.Sees("enter collect", "many times").WaitsUntilGone("paid already").Press("enter").Sees("These channels accept").WaitsUntilGone(warning)
	})
}

func TestAOneTimeLinkIsUsedUpByItsPayment(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP")
		c.Sees("Finalize").Press("esc") // back to the link
		c.Sees("enter collect")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Sees("Nothing was sent", "Send it anyway?").Golden("link/look-alike")
		c.Slowly(newest(c, ledger.Initiate).ID.Short()).Press("right").Wait(time.Second).Press("enter").Sees("one-time link that was used").Golden("link/used")
		if len(c.Sandbox.Payments()) != 1 {
			t.Errorf("the service took %d payments", len(c.Sandbox.Payments()))
		}
	})
}

// The request of a link whose customer chooses the amount carries a number all the same. No screen and no
// later run takes that for the amount.
func TestAnAmountThatTheCustomerChoosesIsShownAsThatEverywhere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		numbers := []string{"0.00", "1.00 GBP"}
		c.Press("n").Fill("Name", "Gift").Fill("Description", "what you like").Choose("Amount is", "chosen by the customer").Choose("Currency", "GBP")
		c.Sees("The customer chooses the amount", "1.00 GBP, the least").Press("ctrl+s")
		c.Sees("enter collect", "chosen by the customer, in GBP").WaitsUntilGone(numbers...)
		c.Press("esc", "esc")
		for _, run := range []*consoletest.Console{c, c.Again()} {
			run.Press("4").Wait(time.Second).Sees("customer picks", "chosen by the customer, in GBP").WaitsUntilGone(numbers...)
			run.Press("/").Type("chosen by").Sees("customer picks").Press("esc", "esc").Press("3").Wait(time.Second)
			run.Sees("customer picks").WaitsUntilGone(numbers...)
			run.Press("enter").Wait(time.Second).Sees("chosen by the customer, in GBP").WaitsUntilGone(numbers...)
			run.Press("esc", "esc")
		}
	})
}

// A form that was refused, or whose link was not sent, is sent again as it was typed. While it is sent nothing else is.
func TestALinkThatWasNotCreatedIsSentAgainAndOneThatIsBeingSentIsNot(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refusal := `{"isSuccess":false,"title":"no","failures":["name: a link with this name exists","The merchant is suspended"]}`
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return 422, []byte(refusal) })
		linkForm(c)
		for i, key := range []string{"enter", "ctrl+s"} { // a keyboard repeats a held key 660 ms later, 40 times a second
			c.To("Amount").Press(key).Wait(660 * time.Millisecond)
			c.Press(slices.Repeat([]string{key}, 60)...).Sees("Release the key").Wait(time.Second)
			if n := c.Wire.PostsTo("/payment-link"); n != i+1 {
				t.Errorf("%s held: sent %d times", key, n-i)
			}
		}
		c.Sees("! The service rejected the request. Nothing was done.", "▌ Name", "The merchant is suspended", "Chairs", "six oak chairs", "120.00")
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) {
			return 422, []byte(strings.Replace(refusal, `,"The merchant is suspended"`, "", 1))
		})
		c.To("Name").Press("ctrl+s").Wait(time.Second).WaitsUntilGone("suspended").Sees("rejected the request").Type("2").WaitsUntilGone("rejected the request")
		c.Wire.Rewrite(nil)
		c.Wire.Disconnect(true)
		c.Press("ctrl+s").Wait(time.Second).Sees("Nothing was sent.", "You can send it again.", "Chairs")
		c.Wire.Disconnect(false)
		c.Wire.Slow(20 * time.Second)
		c.Press("ctrl+s").Sees("Creating the link").Press("enter", "ctrl+s", "enter", "ctrl+s", "esc").Sees("The link is being created")
		c.Wait(30*time.Second).Sees("enter collect", "120.00 GBP")
		if n := c.Wire.PostsTo("/payment-link"); n != 4 {
			t.Errorf("sent %d times", n)
		}
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		c.Press("n").Choose("Amount is", "chosen by the customer").Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "GBP").Press("ctrl+s")
		c.Sees("Type GBP").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type GBP exactly as shown").Press("esc").Sees("Dues", "Yearly")
	}, consoletest.Live())
}

// A URL stands whole, on as many lines as it takes. One that is not safe is neither copied nor drawn as a code, here and in the list.
func TestTheURLOfALinkStandsWholeOrIsNotOffered(t *testing.T) {
	query := "?" + strings.Repeat("part=1&", 20)
	for url, safe := range map[string]bool{"${1}" + query: true, `javascript:alert(1)\u001b]52;c;aGk=\u0007`: false, "": false} {
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Wire.Rewrite(replacing("/payment-link", `"link":"([^"]*)"`, `"link":"`+url+`"`))
			linkForm(c)
			c.Press("ctrl+s").Wait(time.Second).Press("y")
			if safe {
				lines := strings.Split(c.Screen(), "\n")[ui.BodyY:]
				if whole := strings.TrimSpace(lines[0]) + strings.TrimSpace(lines[1]) + strings.TrimSpace(lines[2]); !strings.HasSuffix(whole, query) || c.Copied() != whole {
					t.Errorf("copied %q, of\n%s", c.Copied(), c.Screen())
				}
				return
			}
			c.Sees("no URL that is safe").WaitsUntilGone("copy URL", "▀", "QR")
			c.Press("esc", "esc", "4").Wait(time.Second).Sees("1 link", "none that is safe to open").WaitsUntilGone("y copy").Press("y").Sees("no URL that is safe to copy")
			if c.Copied() != "" {
				t.Errorf("copied %q", c.Copied())
			}
		})
	}
}

// A finalize is sent once, by one console, and only where it can be. What was refused or not sent is tried again.
func TestAFinalizeIsSentOnceAndOnlyWhereItCanBe(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP")
		ref := reference(c)
		open := func(c *consoletest.Console) *consoletest.Console {
			c.Send(nav.Push{To: nav.Finalize{Reference: api.Reference(ref)}})
			return c.Wait(time.Second)
		}
		open(c).Sees("This payment cannot be finalized now", "The customer must complete the bank's check first.").Press("y", "r").Wait(time.Second).Press("esc")
		c.Sandbox.Approve(ref)
		c.Press("enter").Sees("Finalize " + ref + "?")
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) {
			return 422, []byte(`{"isSuccess":false,"message":"not authorised yet\u001b[2J"}`)
		})
		c.Yes("Finalize").Sees("✗ Not finalized", "Nothing was")
		c.Wire.Rewrite(nil)
		c.Wire.Disconnect(true)
		c.Press("r").Yes("Finalize "+ref).Sees("✗ Not finalized", "Nothing was sent")
		c.Wire.Disconnect(false)
		c.Wire.Slow(20 * time.Second)
		c.Press("r").Yes("Finalize " + ref).Sees("Finalizing…")
		other := c.Again()
		open(other).Yes("Finalize "+ref).Sees("This payment cannot be finalized now", "Nothing was sent.", "finalizing this payment now.")
		c.Press("enter", "y", "r", "esc").Sees("The payment is being finalized")
		c.Wait(30*time.Second).Sees("The service accepted it").WaitsUntilGone("SUCCESSFUL", "✓ The")
		c.Wire.Slow(0)
		open(c).Sees("The payment was already finalized.")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 2 { // one of them was refused
			t.Errorf("finalized %d times", n)
		}
	})
	const undecided, notOurs = "A mismatch: decide about it first", "not our payment;"
	for _, why := range []string{undecided, notOurs} {
		consoletest.Run(t, func(c *consoletest.Console) {
			createLink(c, "Chairs", "once", "GBP", "120.00")
			payLink(c, "approve")
			c.Yes("Charge 120.00 GBP").Wait(time.Second).Press("f").Sees("Finalize")
			a := attempts(c)[0]
			got := api.PaymentStatus{Reference: a.Reference, Status: api.ParseStatus("PENDING"), Amount: pounds(99), HasAmount: true}
			must(c.T, c.Journal.RecordTransaction(c.T.Context(), a.Destination, got)) // another console has asked
			if why == notOurs {
				must(c.T, c.Journal.Decide(c.T.Context(), attempts(c)[0], ledger.Deciding{Decision: ledger.NotOurs}))
			}
			c.Yes("Finalize").Sees("This payment cannot be finalized now", why)
			c.Wait(time.Second).Press("enter").Wait(time.Second).WaitsUntilGone("press f").Press("f").Sees(why)
			if n := c.Wire.PostsTo("/pay/finalize"); n != 0 {
				t.Errorf("finalized %d times", n)
			}
		})
	}
}

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

// newest is the newest attempt of a kind.
func newest(c *consoletest.Console, of ledger.Kind) ledger.Attempt {
	c.T.Helper()
	all := attempts(c)
	i := slices.IndexFunc(all, func(a ledger.Attempt) bool { return a.Kind == of })
	if i < 0 {
		c.T.Fatal(all)
	}
	return all[i]
}

func TestALinkThatIsNotWhatWasAskedIsReadBeforeItIsShared(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		answerLinks(c, `"amount":120.00}`, `"amount":12000.00}`, "Reuseable", "OneTime", `"name":"Chairs"`, `"name":"Tables"`)
		fillLink(c, "Chairs", "120.00")
		c.Sees("MISMATCH", "120.00 GBP", "12,000.00 GBP", "many times", "once", "Chairs", "Tables", "Have you read how it differs?")
		c.WaitsUntilGone("/pay/", "enter collect", "copy URL")
		c.Golden("link/mismatch")
		c.Press("c", "a", "enter").WaitsUntilGone("clipboard", "Channel")

		again := c.Again() // as after a crash, before anybody answered
		again.Sees("1 mismatch", "MISMATCH", "new link   0-").WaitsUntilGone("No payment needs attention")
		again.Golden("link/mismatch-home")
		again.Press("4").Sees("MISMATCH", "amount: asked 120.00 GBP, answered").WaitsUntilGone("/pay/")
		again.Press("c").Sees("Read first how this link differs").Press("y").Sees("Read first how this link differs").WaitsUntilGone("clipboard")
		again.Press("esc").Press("enter").Sees("MISMATCH", "differs from what was asked for", "Differs", "answered once")
		again.Press("enter").Sees("Have you read how it differs?").Press("n").Wait(time.Second).WaitsUntilGone("Have you read")
		again.Press("enter").Yes("Have you read how it differs?").Sees("enter collect", "/pay/", "asked 120.00 GBP")
		if a := newest(again, ledger.CreateLink); a.MustBeRead() || a.DecidedBy.User != "ada" || len(a.CreatedLink.Differs) != 3 {
			t.Errorf("%+v", a)
		}

		third := c.Again()
		third.Sees("No payment needs attention").Press("4").Sees("≠ 0-", "MISMATCH", "asked 120.00 GBP").Press("enter").Sees("enter collect")
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
		id := string(newest(c, ledger.CreateLink).ID)
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
		other.Press("enter").Sees("enter collect", page, "many times", "by a person").Golden("link/found-share")
		other.Press("enter").Sees("These channels accept")

		toMenu(other).Press("n", "ctrl+x", "esc")
		answerLinks(c, `"isSuccess":true`, `"isSuccess"`) // which is no JSON
		fillLink(other, "Tables", "90.00")
		decide(other.Sees("UNRESOLVED"), "found as…").Type(alias).Press("enter").Yes("found as " + alias).Sees("has this alias already")
	})
}
