package newlink_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/nav"
	"paydesk/screens/present"
)

func TestTheFormAsksForALink(t *testing.T) {
	for name, size := range map[string][2]int{"form": {80, 24}, "form-small": {60, 18}, "form-wide": {120, 40}} {
		open(t, size[0], size[1], test, &line{}, func(p *person) {
			p.Golden(name).Fits().Idle(time.Hour)
			p.fill().Golden(name + "-filled").Fits()
		})
	}
}

func TestWordsAreChosenAndIntegersSent(t *testing.T) {
	const path = "/api/payment/payment-link "
	for _, c := range []struct{ use, kind, amount, body string }{
		{"once", "fixed", "12.50", `{"name":"Dues","description":"Yearly","linkType":0,"amountType":0,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":12.5}}`},
		{"again and again", "fixed", "1,500", `{"name":"Dues","description":"Yearly","linkType":1,"amountType":0,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":1500}}`},
		{"once", "chosen by the customer", "", `{"name":"Dues","description":"Yearly","linkType":0,"amountType":1,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":0}}`},
	} {
		open(t, 80, 24, test, &line{}, func(p *person) {
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

func TestACustomerWhoChoosesTheAmountIsNotAskedForOne(t *testing.T) {
	open(t, 80, 24, test, &line{}, func(p *person) {
		p.Choose("Currency", "GBP").Fill("Amount", "99").Choose("Amount is", "chosen by the customer")
		p.SeesNot("99").Golden("dynamic").Fits()
		p.Choose("Amount is", "fixed").Sees("99") // and what was typed comes back
	})
}

func TestAnyCurrencyIsTypedOnceAndSentTwice(t *testing.T) {
	open(t, 80, 24, test, &line{}, func(p *person) {
		p.Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "other").Fill("Currency code", "jpy").Fill("Amount", "1500")
		p.Golden("other-currency").Fits().Press("ctrl+s")
		if len(p.line.sent) != 1 || strings.Count(p.line.sent[0], `"currencyCode":"JPY"`) != 2 || !strings.HasSuffix(p.line.sent[0], `"amount":1500}}`) {
			t.Errorf("sent %s", p.line.sent)
		}
	})
}

func TestWhatIsWrongIsSaidAtItsFieldAndNothingIsSent(t *testing.T) {
	open(t, 80, 24, test, &line{}, func(p *person) {
		p.Choose("Currency", "other").Fill("Currency code", "xqz").Fill("Amount", "1.234").Press("ctrl+s")
		p.Sees("› Name", "Name is needed", "Description is needed").Golden("wrong").Fits().Went()
		p.sent(t)
	})
	open(t, 80, 24, test, &line{}, func(p *person) {
		p.fill().Type("9").Press("ctrl+s").Sees("GBP has 2 decimals").Went()
		p.sent(t)
	})
}

func TestARefusalKeepsAllThatWasTypedAndStandsAtTheFieldItNames(t *testing.T) {
	for name, c := range map[string]struct{ failures, at, top string }{
		"name":          {`"name: a link with this name exists"`, "› Name", ""},
		"currency":      {`"The currency of the amount is not allowed"`, "› Currency", ""},
		"amount":        {`"amountInfo.amount must be at least 1"`, "› Amount  ", ""},
		"amount-type":   {`"AmountType is not known"`, "› Amount is", ""},
		"two":           {`"Description is too long","linkType is not known"`, "› Description", ""},
		"one-and-other": {`"description is too long","The merchant is suspended"`, "› Description", "The merchant is suspended"},
		"none":          {`"The merchant is suspended"`, "› Amount  ", "The merchant is suspended"},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, 80, 24, test, &line{status: 422, answer: refusal(c.failures)}, func(p *person) {
				p.fill().Press("ctrl+s").Sees("! The service said no. Nothing was done.", c.at, c.top, "Dues", "Yearly", "12.50")
				p.Golden("refused-" + name).Fits().Went()
				p.line.answer, p.line.status = created, 200
				p.Wait(time.Second).Press("ctrl+s")
				if _, is := p.LastRequest().(nav.Replace); !is || len(p.line.sent) != 2 || p.line.sent[0] != p.line.sent[1] {
					t.Errorf("asked %+v, sent %s", p.LastRequest(), p.line.sent)
				}
			})
		})
	}
	open(t, 60, 18, test, &line{status: 422, answer: refusal(`"name: a link with this name exists"`)}, func(p *person) {
		p.fill().Press("ctrl+s").Golden("refused-small")
	})
}

func TestARefusalOfAFieldThatIsNotThereStandsOnTop(t *testing.T) {
	open(t, 80, 24, test, &line{status: 422, answer: refusal(`"amount is missing"`)}, func(p *person) {
		p.Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Amount is", "chosen by the customer").Press("ctrl+s")
		p.Sees("│ amount is missing").Went()
	})
	open(t, 80, 24, test, &line{status: 422, answer: refusal(`"currencyCode JPY is not offered"`)}, func(p *person) {
		p.Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "other").Fill("Currency code", "JPY").Fill("Amount", "5").Press("ctrl+s")
		p.Sees("› Currency code", "! currencyCode JPY is not offered")
	})
}

func TestWhatWasNeverSentCanBeSentAgain(t *testing.T) {
	open(t, 80, 24, test, &line{cut: true}, func(p *person) {
		p.fill().Press("ctrl+s").Sees("Nothing was sent.", "You can send it again.", "Dues").Golden("unsent").Fits().Went()
		p.line.cut = false
		p.Wait(time.Second).Press("ctrl+s")
		if _, is := p.LastRequest().(nav.Replace); !is {
			t.Errorf("asked %+v", p.LastRequest())
		}
	})
}

func TestWhatNobodyKnowsIsNotOfferedAgain(t *testing.T) {
	for name, size := range map[string][2]int{"unresolved": {80, 24}, "unresolved-small": {60, 18}, "unresolved-wide": {120, 40}} {
		open(t, size[0], size[1], test, &line{broken: true}, func(p *person) {
			p.fill().Press("ctrl+s").Sees("Nobody knows whether this link was created", "Do not send it again", "\"Dues\"").Golden(name).Fits()
			p.SeesNot("You can send", "Correct it")
			for _, k := range []string{"enter", "ctrl+s", "r", "y", "tab", "enter"} {
				p.Press(k)
			}
			p.Went()
			if len(p.line.sent) != 1 {
				t.Errorf("sent %d times", len(p.line.sent))
			}
			p.Press("esc").Went(nav.Back{})
		})
	}
}

func TestWhileItIsSentTheScreenIsHeldAndNothingIsSentTwice(t *testing.T) {
	l := &line{}
	open(t, 80, 24, test, l, func(p *person) {
		l.wait = make(chan struct{})
		p.fill().Press("ctrl+s").Sees("Creating the link").Golden("sending").Fits()
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

func TestAnAnswerIsWaitedForNinetySecondsAndNotForEver(t *testing.T) {
	l := &line{}
	open(t, 80, 24, test, l, func(p *person) {
		l.wait = make(chan struct{})
		p.fill().Press("ctrl+s").Wait(91*time.Second).Sees("Nobody knows whether this link was created", "no answer came in time")
	})
}

func TestLeavingDoesNotStopACreation(t *testing.T) {
	l := &line{}
	open(t, 80, 24, test, l, func(p *person) {
		l.wait = make(chan struct{})
		p.fill().Press("ctrl+s")
		p.Leave().Wait(10 * time.Second)
		if !p.Busy() {
			t.Error("the creation was stopped")
		}
		close(l.wait)
		if p.Wait(0); p.Busy() {
			t.Error("the creation never ends")
		}
	})
}

func TestInLiveTheAmountIsTypedBeforeALinkIsMade(t *testing.T) {
	live := present.Target{Environment: "LIVE", Host: "payments.example"}
	answer := strings.Replace(created, `"Test"`, `"Live"`, 1)
	open(t, 80, 24, live, &line{answer: answer}, func(p *person) {
		p.fill().Press("ctrl+s").Sees("Create the link \"Dues\"?", "LIVE · payments.example", "Type 12.50").Golden("live").Fits()
		p.Flood("enter", 100).Wait(time.Second).Paste("12.50").Press("right", "enter").Wait(time.Second).Went()
		p.sent(t)
	})
	open(t, 80, 24, live, &line{answer: answer}, func(p *person) {
		p.fill().Press("ctrl+s").Slowly("12.50").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		if _, is := p.LastRequest().(nav.Replace); !is || len(p.line.sent) != 1 {
			t.Errorf("asked %+v, sent %s", p.LastRequest(), p.line.sent)
		}
	})
	open(t, 80, 24, live, &line{}, func(p *person) {
		p.Choose("Amount is", "chosen by the customer").Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "GBP").Press("ctrl+s")
		p.Sees("Type GBP").Press("esc").Sees("Dues", "Yearly").Went()
		p.sent(t)
	})
}

func TestALinkOfAnotherEnvironmentIsNotHandedOn(t *testing.T) {
	open(t, 80, 24, test, &line{answer: strings.Replace(created, `"Test"`, `"Live"`, 1)}, func(p *person) {
		p.fill().Press("ctrl+s").Sees("ENVIRONMENT MISMATCH", "\"Live\"", "declared TEST", "Do not give it to anybody", "0-abc1234").Golden("mismatch").Fits()
		p.Press("enter", "c").Went()
		if p.Copied() != "" {
			t.Errorf("copied %q", p.Copied())
		}
	})
	for _, word := range []string{`"Test"`, `"Sandbox"`, `"Staging"`, `""`, `null`} {
		open(t, 80, 24, present.Target{Environment: "SANDBOX"}, &line{answer: strings.Replace(created, `"Test"`, word, 1)}, func(p *person) {
			p.fill().Press("ctrl+s")
			if _, is := p.LastRequest().(nav.Replace); !is {
				t.Errorf("%s stops a link of the sandbox", word)
			}
		})
	}
}

func TestHostileWordsOfTheServiceStayWords(t *testing.T) {
	open(t, 80, 24, test, &line{status: 422, answer: refusal(`"name \u001b[2J\u001b]52;c;aGk=\u0007\nSUCCESSFUL"`)}, func(p *person) {
		p.fill().Press("ctrl+s").Sees("! name ^[[2J^[]52;c;aGk=^G").Fits().Went()
		if p.Copied() != "" {
			t.Errorf("copied %q", p.Copied())
		}
	})
}
