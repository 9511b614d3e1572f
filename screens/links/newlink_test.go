package links_test

import (
	"testing"
	"time"

	"paydesk/screens/nav"
	"paydesk/screens/present"
)

func TestTheChoicesAreSentAsIntegers(t *testing.T) {
	const path = "/api/payment/payment-link "
	for _, c := range []struct{ use, kind, amount, body string }{
		{"once", "fixed", "12.50", `{"name":"Dues","description":"Yearly","linkType":0,"amountType":0,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":12.5}}`},
		{"many times", "fixed", "1,500", `{"name":"Dues","description":"Yearly","linkType":1,"amountType":0,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":1500}}`},
		{"once", "chosen by the customer", "", `{"name":"Dues","description":"Yearly","linkType":0,"amountType":1,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":1}}`},
	} {
		openForm(t, 80, 24, test, &network{}, func(p *harness) {
			p.Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Can be paid", c.use).Choose("Amount is", c.kind).Choose("Currency", "GBP")
			if c.amount != "" {
				p.Fill("Amount", c.amount)
			}
			p.Press("ctrl+s")
			p.sent(t, path+c.body)
			if r, is := p.LastRequest().(nav.Replace); !is || r.To.(nav.Share).Link.Alias != "0-abc1234" {
				t.Errorf("asked %+v", p.LastRequest())
			}
		})
	}
}

func TestARefusalKeepsTheInputAndIsShownAtTheFieldItNames(t *testing.T) {
	for name, c := range map[string]struct{ failures, at, top string }{
		"name":          {`"name: a link with this name exists"`, "▌ Name", ""},
		"one-and-other": {`"description is too long","The merchant is suspended"`, "▌ Description", "The merchant is suspended"},
	} {
		t.Run(name, func(t *testing.T) {
			openForm(t, 80, 24, test, &network{status: 422, answer: refusal(c.failures)}, func(p *harness) {
				p.fill().Press("ctrl+s").Sees("! The service rejected the request. Nothing was done.", c.at, c.top, "Dues", "Yearly", "12.50")
				p.Fits().Went()
				p.network.answer, p.network.status = created, 200
				p.Wait(time.Second).Press("ctrl+s")
				if _, is := p.LastRequest().(nav.Replace); !is || len(p.network.sent) != 2 || p.network.sent[0] != p.network.sent[1] {
					t.Errorf("asked %+v, sent %s", p.LastRequest(), p.network.sent)
				}
			})
		})
	}
}

func TestALinkThatWasNotSentCanBeSentAgain(t *testing.T) {
	openForm(t, 80, 24, test, &network{cut: true}, func(p *harness) {
		p.fill().Press("ctrl+s").Sees("Nothing was sent.", "You can send it again.", "Dues").Fits().Went()
		p.network.cut = false
		p.Wait(time.Second).Press("ctrl+s")
		if _, is := p.LastRequest().(nav.Replace); !is {
			t.Errorf("asked %+v", p.LastRequest())
		}
	})
}

func TestAnUnresolvedLinkCannotBeSentAgain(t *testing.T) {
	openForm(t, 80, 24, test, &network{broken: true}, func(p *harness) {
		p.fill().Press("ctrl+s").Sees("It is not known whether this link was created", "Do not send it again", "\"Dues\"").Fits()
		p.WaitsUntilGone("You can send", "Correct it")
		for _, k := range []string{"enter", "ctrl+s", "r", "y", "tab", "enter"} {
			p.Press(k)
		}
		p.Went()
		if len(p.network.sent) != 1 {
			t.Errorf("sent %d times", len(p.network.sent))
		}
		p.Press("esc").Went(nav.Back{})
	})
}

func TestWhileSendingTheScreenStaysAndNothingIsSentTwice(t *testing.T) {
	l := &network{}
	openForm(t, 80, 24, test, l, func(p *harness) {
		l.wait = make(chan struct{})
		p.fill().Press("ctrl+s").Sees("Creating the link").Fits()
		p.Flood("enter", 20).Flood("ctrl+s", 20).Press("esc").Sees("The link is being created").Went()
		if !p.Busy() || len(l.sent) != 1 {
			t.Errorf("busy %v, sent %d times", p.Busy(), len(l.sent))
		}
		p.Wait(60 * time.Second).Sees("Creating the link")
		close(l.wait)
		p.Wait(0)
		if _, is := p.LastRequest().(nav.Replace); !is || p.Busy() || len(l.sent) != 1 {
			t.Errorf("asked %+v, busy %v, sent %d times", p.LastRequest(), p.Busy(), len(l.sent))
		}
	})
}

func TestInLiveTheCurrencyIsTypedWhereTheCustomerChoosesTheAmount(t *testing.T) {
	live := present.Target{Environment: "LIVE", Host: "payments.example"}
	openForm(t, 80, 24, live, &network{}, func(p *harness) {
		p.Choose("Amount is", "chosen by the customer").Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "GBP").Press("ctrl+s")
		p.Sees("Type GBP").Press("esc").Sees("Dues", "Yearly").Went()
		p.Press("ctrl+s").Sees("Type GBP").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type GBP exactly as shown").Press("n").Wait(time.Second).Sees("Dues", "Yearly").Went()
		p.sent(t)
	})
}

// A keyboard repeats a held key after 200 to 660 ms, and then sends it 10 to 40 times a second.
func TestAHeldKeySendsOnce(t *testing.T) {
	for _, key := range []string{"enter", "ctrl+s"} {
		l := network{status: 422, answer: refusal(`"The merchant is suspended"`)}
		openForm(t, 80, 24, test, &l, func(p *harness) {
			p.fill().Press(key).Wait(660*time.Millisecond).Flood(key, 60)
			if p.Sees("Release the key"); len(l.sent) != 1 {
				t.Errorf("%s held: sent %d times", key, len(l.sent))
			}
			if p.Wait(time.Second).Press("ctrl+s").WaitsUntilGone("Release the key"); len(l.sent) != 2 {
				t.Errorf("a released key sent %d times", len(l.sent)-1)
			}
		})
	}
}
