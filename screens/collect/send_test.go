package collect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

var live = present.Target{Environment: "LIVE", Host: "payments.example"}

func TestACardIsChargedOnceWithWhatWasReviewedAndInLiveItsAmountTyped(t *testing.T) {
	withScreen(t, 78, 20, Options{Target: live}, nil, func(c *harness) {
		c.toReview().Sees("Charge 12.50 GBP to •••• 4242?", "sent as 12.5")
		c.yes().Sees("Type 12.50 to continue", "LIVE · payments.example").Golden("live")
		if len(c.f.sent) != 0 {
			t.Fatal("sent without the amount")
		}
		c.slowly("12.50").Press("enter").Wait(time.Second)
		in := c.sentOnce()
		if in.Amount.Major() != "12.50" || in.Amount.Currency.Code() != "GBP" || in.Channel != api.ChannelCard ||
			in.ReturnURL != "https://shop.example/done" || in.Narration != "Order 7" || len(in.MetaData) != 2 ||
			in.Customer != (api.Customer{FirstName: "Ada", LastName: "Okafor", Email: "ada@example.com", Phone: "+44 20 7946 0000"}) {
			t.Errorf("sent %+v", in)
		}
		if c.f.pans[0] != visa+" 123" {
			t.Error("the card that was sent is not the one that was typed")
		}
		c.Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
		c.hasNoSecret()
	})
}

// turned is an open gate, and says if real money may move.
type turned bool

func (t *turned) Check() error { return nil }
func (t *turned) Live() bool   { return bool(*t) }

func TestAQuestionFromBeforeRealMoneyCouldMoveIsAskedAgain(t *testing.T) {
	now := new(turned)
	withScreen(t, 78, 20, Options{Target: present.Target{Environment: "TEST", Host: "payments.example", Gate: now}}, nil, func(c *harness) {
		c.toReview().Sees("Charge 12.50 GBP").OnLoop(func() { *now = true })
		c.yes().Sees("Real money may move").Press("esc", "ctrl+s").Sees("Type 12.50 to continue")
	})
}

func TestTheResponseDecidesTheNextScreen(t *testing.T) {
	address, err := api.ParseAddress("https://bank.example/acs?redirect=true")
	if err != nil {
		t.Fatal(err)
	}
	watch, challenge := nav.Payment{Reference: "ref-1"}, nav.Challenge{Reference: "ref-1"}
	for _, test := range []struct {
		name, channel, word string
		p                   api.Payment
		want                nav.Route
	}{
		{"a card whose bank address cannot be used", api.ChannelCard, "INITIATED", api.Payment{BankAuthRefused: api.Clean("no host")}, challenge},
		{"a card whose bank must check", api.ChannelCard, "REQUIRED_BANK_AUTH", api.Payment{}, challenge},
		{"a card rejected at once", api.ChannelCard, "FAILED", api.Payment{BankAuth: address}, watch},
		{"an unknown status", api.ChannelCard, "ODD", api.Payment{}, watch},
		{"a transfer rejected at once", api.ChannelTransfer, "FAILED", api.Payment{}, watch},
	} {
		test.p.Reference, test.p.Status = "ref-1", api.ParseClaim(test.word)
		if got := next(api.Initiation{Channel: test.channel}, test.p); got != test.want {
			t.Errorf("%s goes to %#v, not %#v", test.name, got, test.want)
		}
	}
}

func TestChoosingTheTransferWipesTheCard(t *testing.T) {
	f := newFake()
	f.channels.Channels[0].Description = api.Clean(strings.Repeat("long ", 400))
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.amount("g", "12.50").Sees("long…").Press("enter")
		c.customer().fill(visa, "123", "1234", "https://shop.example/done").Press("esc", "esc", "down", "enter")
		c.hasNoSecret()
		c.Press("ctrl+s")
		if in := c.fill("", "", "").yes().sentOnce(); in.Card != nil || in.ReturnURL != "" {
			t.Errorf("sent %+v", in)
		}
	})
}

func TestAGBPCardWithoutAReturnURLIsStoppedAtTheField(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer().fill(visa, "123", "1234").Press("ctrl+s")
		c.Sees("A GBP card payment needs a return URL").WaitsUntilGone("Charge")
		c.Type("shop.example").Press("ctrl+s").Sees("Enter a full URL").WaitsUntilGone("Charge 12.50")
	})
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("n", "12.50").Press("enter")
		c.customer().fill(visa, "123", "1234").Press("ctrl+s").Sees("Charge 12.50 NGN")
	})
}

// A request that was recorded leads to its attempt. One that was not shows what is not known, and no key sends it again.
func TestAnUnresolvedPaymentIsNotSentAgain(t *testing.T) {
	for name, fail := range map[string]func(*fake){
		"a response that never came": func(f *fake) { f.failed = &api.Unresolved{Kind: api.KindTimeout} },
		"a console that broke off":   func(f *fake) { f.breaks = true },
		"an unknown error":           func(f *fake) { f.failed = errors.New("odd") },
		"a refusal inside":           func(f *fake) { f.failed = errors.Join(&api.Refusal{HTTP: 200}, api.ErrUnresolved) },
	} {
		for _, recorded := range []ledger.ID{"a9z8y7x6w5", ""} {
			f := newFake()
			f.attempt = recorded
			fail(f)
			withScreen(t, 78, 20, Options{}, f, func(c *harness) {
				t.Log(name)
				c.toReview().yes().hasNoSecret()
				c.sentOnce()
				if recorded != "" {
					c.Went(nav.Replace{To: nav.Attempt{ID: recorded}})
					return
				}
				c.Sees("It is not known").WaitsUntilGone("Nothing was sent", "again by", "failed", "declined", "rejected")
				for _, b := range c.m.Keys() {
					if strings.Contains(b.Help().Desc, "again") || strings.Contains(b.Help().Desc, "send") {
						t.Errorf("there is a key for %q", b.Help().Desc)
					}
				}
				c.Type("abcdefghijklmnopqrstuvwxyz0123456789").Press("enter", "ctrl+s", "tab", "pgdown", "ctrl+t", "y", "enter").Wait(time.Minute)
				c.sentOnce()
				c.Sees("It is not known").Went()
			})
		}
	}
}

func gbp(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

var testCards = []TestCard{
	{"approve", visa, "123", 12, 2034, "approved without a challenge; settles"},
	{"amex", "378282246310005", "1234", 12, 2034, "approved; settles (4-digit CVV)"},
}

func TestAStaticLinksAmountCannotBeChanged(t *testing.T) {
	l := api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1000)}
	withScreen(t, 78, 20, Options{Collect: nav.Collect{Link: &l}}, nil, func(c *harness) {
		c.Sees("These channels").Type("99.00").Paste("77").Sees("Through the link 0-abcdefg for 10.00 GBP", "These channels accept 10.00 GBP").Press("enter")
		c.customer().WaitsUntilGone("Link alias").Press("ctrl+t")
		c.fill(visa, "123", "1234", "https://shop.example/done", "", "").Sees("Charge 10.00 GBP", "0-abcdefg")
		if in := c.yes().sentOnce(); in.Amount != gbp(1000) || in.Link != "0-abcdefg" {
			t.Errorf("sent %+v", in)
		}
	})
}

func TestADynamicLinkFixesTheCurrencyAndAsksForTheAmount(t *testing.T) {
	l := api.Link{Alias: "0-abcdefg", AmountType: api.Dynamic, HasAmount: true, Amount: gbp(500)} // a suggestion
	withScreen(t, 78, 20, Options{Collect: nav.Collect{Link: &l}}, nil, func(c *harness) {
		c.Sees("0-abcdefg", "GBP").WaitsUntilGone("Currency")
		c.fill("7.5").Sees("These channels accept 7.50 GBP", "Through the link 0-abcdefg for 7.50 GBP")
	})
}

func TestAChannelMayBeChosenUncheckedOnlyWhenTheRequestFailed(t *testing.T) {
	f := newFake()
	f.refused = &api.Failure{Kind: api.KindTimeout}
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.amount("n", "12.50").Sees("The request timed out", "unchecked").Press("down", "enter")
		c.customer().fill("", "", "").Sees("Transfer, unchecked")
		c.Press("esc", "esc", "esc", "up", "enter", "ctrl+s").Sees("Card number")
	})
	withScreen(t, 58, 14, Options{NoCards: true}, f, func(c *harness) {
		c.amount("n", "12.50").Press("end").Sees("▌ Interac")
	})
	f = newFake()
	f.channels.Valid = false
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.amount("n", "12.50").Sees("▲ The service reported an invalid request").Press("down", "enter")
		c.customer().fill("", "", "").Sees("Transfer, reported as invalid")
	})
}

func TestGoingBackLosesNothingButTheCVVAndLeavingWipesEveryCopyOfTheCard(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.toReview()
		frozen := c.m.review.in.Card
		c.Press("esc").Sees("Card number")
		if !frozen.PAN.IsZero() || !frozen.CVV.IsZero() {
			t.Error("the review's copy outlived the review")
		}
		if d := c.m.details; d.cvv.Empty() || d.pan.Empty() {
			t.Error("going back to the card lost it")
		}
		c.Press("esc").Sees("ada@example.com")
		if !c.m.details.cvv.Empty() {
			t.Error("the CVV outlived the card stage")
		}
		c.Press("esc").Sees("These channels").Press("esc").Sees("12.50")
		c.Press("ctrl+s", "enter", "ctrl+s").Sees("4242", "https://shop.example/done", "Order 7", "order=7, desk=2")
		c.Press("ctrl+s").Sees("CVV is required").Type("123").Press("ctrl+s").Sees("Charge 12.50 GBP").Press("esc", "esc", "esc", "esc")
		if c.Went(); c.m.details.pan.Empty() {
			t.Fatal("the number was lost on the way back")
		}
		c.Press("esc").Went(nav.Back{})
		if len(c.f.shown) == 0 {
			t.Fatal("no JSON was built of the card")
		}
		c.hasNoSecret()
	})
}

func TestMetadataIsParsedAsPairs(t *testing.T) {
	for text, want := range map[string]struct {
		pairs []api.Pair
		wrong string
	}{
		"":                   {},
		" a = b c , d=e=f, ": {pairs: []api.Pair{{Key: "a", Value: "b c"}, {Key: "d", Value: "e=f"}}},
		"a":                  {wrong: "Enter key=value pairs, separated by commas"},
		"a=b, a=c":           {wrong: "The key a appears twice"},
	} {
		got, wrong := pairs(text)
		if fmt.Sprint(got) != fmt.Sprint(want.pairs) || wrong != want.wrong {
			t.Errorf("%q is %v, %q; not %v, %q", text, got, wrong, want.pairs, want.wrong)
		}
	}
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("n", "12.50").Press("down", "enter")
		c.customer().fill("Card 4242 4242 4242 4242", "order", "").Sees("Card number removed", "Enter key=value pairs").WaitsUntilGone("42424")
	})
}

func TestNoFieldOfAPaymentKeepsACardNumber(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		look := func(labels ...string) {
			for _, label := range labels {
				c.To(label).Type("4242 4242 4242 4242").Sees("! Card number removed: it belongs in the card step")
				c.Press("ctrl+s").Sees(label, "! Card number removed")
				c.WaitsUntilGone("4242 4242 4", "42424").To(label).Press("ctrl+u").Type("x")
			}
		}
		look("Amount")
		c.Press("ctrl+u").To("Currency")
		c.amount("g", "12.50").Press("enter")
		look("First name", "Last name", "E-mail", "Phone")
		for _, f := range [][2]string{{"First name", "Ada"}, {"Last name", "Obi"}, {"E-mail", "a@b.example"}, {"Phone", "+442079460000"}} {
			c.To(f[0]).Press("ctrl+u").Type(f[1])
		}
		c.Press("ctrl+s").Type(visa).Press("enter").Type("123").Press("enter").Type("1234")
		look("Return URL", "Narration", "Metadata", "Link alias")
		if len(c.f.sent) != 0 {
			t.Error("it was sent")
		}
	})
}

// duplicate is a payment that was sent some time ago.
func duplicate(id ledger.ID, ago time.Duration) ledger.Attempt {
	return ledger.Attempt{
		ID: id, Kind: ledger.Initiate, At: time.Now().Add(-ago), By: ledger.Operator{User: "grace", Host: "till-1"},
		Amount: gbp(1250), Channel: api.ChannelCard, Card: "4242",
		Outcome: ledger.Accepted, Reference: "ref-0", Status: api.ParseStatus("PENDING"),
	}
}

// guard stops a payment unless all duplicates are acknowledged, as the journal does.
func guard(sent ...ledger.Attempt) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, a := range sent {
			if !slices.Contains(ledger.AllowedDuplicates(ctx), a.ID) {
				return &ledger.Duplicate{Attempts: sent}
			}
		}
		return nil
	}
}

// slowly types at the speed of a hand.
func (c *harness) slowly(text string) *harness {
	c.Wait(time.Second)
	for _, r := range text {
		c.Type(string(r)).Wait(200 * time.Millisecond)
	}
	return c
}

func (c *harness) confirms() *harness {
	c.Press("right").Wait(200 * time.Millisecond).Press("enter").Wait(time.Second)
	return c
}

// In live the amount is typed first. All duplicates are shown before one is allowed, also one that was sent meanwhile.
func TestEveryDuplicateIsShownBeforeItIsAllowed(t *testing.T) {
	f := newFake()
	link := &api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1250)}
	withScreen(t, 58, 14, Options{Collect: nav.Collect{Link: link}, Target: live}, f, func(c *harness) {
		var sent []ledger.Attempt
		for i := range 6 {
			sent = append(sent, duplicate(ledger.ID(fmt.Sprintf("%d%d%d%d000000", i, i, i, i)), time.Duration(i+1)*time.Minute))
		}
		f.guard = guard(sent...)
		c.Press("enter")
		c.customer().fill(visa, "123", "1234", "https://shop.example/done", "Order 7", "order=7").slowly("12.50").confirms()
		for _, a := range sent {
			c.Sees(a.ID.Short())
		}
		f.guard = guard(append(sent, duplicate("bbbb000000", time.Second))...)
		c.slowly("12.50").confirms().Sees("Type 0000 exactly as shown")
		c.Wait(time.Second).Press("ctrl+u")
		if c.slowly("0000").confirms().Sees("Type bbbb"); f.asks != 2 || len(f.sent) != 0 {
			t.Fatalf("asked for %d times, sent %d", f.asks, len(f.sent))
		}
		c.slowly("bbbb").confirms().sentOnce()
	})
}

func TestAJournalThatCannotBeWrittenSendsNothingAndSaysWhy(t *testing.T) {
	f := newFake()
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		f.guard = func(context.Context) error {
			return &ledger.Unavailable{Why: "The disk of /home is full; make room on it."}
		}
		c.toReview().yes()
		c.Sees("The disk of /home is full; make room on it. Nothing was sent.", "Fix that and try again", "Charge 12.50 GBP").Golden("blocked")
		c.Resize(58, 14).Press("pgdown").WaitsUntilGone("The disk of")
		c.yes().Sees("The disk of")
		f.guard = nil
		c.yes().sentOnce()
	})
}
