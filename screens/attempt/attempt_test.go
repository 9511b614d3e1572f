package attempt_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/nav"
)

var sizes = []struct {
	name string
	w, h int
}{{"80", 80, 24}, {"60", 60, 18}, {"120", 120, 40}}

func TestAnAttemptNobodyKnowsAboutIsShownWithAllThereIsToCompare(t *testing.T) {
	for _, s := range sizes {
		open(t, time.Minute, s.w, s.h, nil, func(c *world) {
			c.Sees("Nobody knows whether this payment was made", "k3f9m2x7qa", "12.50 GBP", "•••• 4242", "TEST · payments.example",
				"No answer came in time", "OWN4567890ABCDEFGHIJ").Golden("unresolved-" + s.name)
			c.Fits().HelpBarFits()
			if c.Green() > 0 {
				t.Error("something is painted as a success")
			}
		})
	}
}

func TestNothingIsEverSentAgainFromHere(t *testing.T) {
	open(t, time.Hour, 80, 24, nil, func(c *world) {
		for _, k := range "bcdehijklopqstuvwxzABCDEFGHIJ0123456789 " {
			c.Type(string(k))
		}
		c.Press("enter", "ctrl+s", "tab", "enter").Wait(time.Minute)
		c.Sees("Nobody knows").SeesNot("Try again", "Send")
		c.Went()
		c.wasAsked()
		c.wrote()
	})
}

func TestTheScreenDoesNotTick(t *testing.T) {
	open(t, time.Hour, 80, 24, nil, func(c *world) { c.Idle(time.Hour) })
}

func TestAStatusForOurOwnReferenceResolvesIt(t *testing.T) {
	for name, c := range map[string]struct {
		named string
		want  api.Reference
	}{
		"the answer names another reference": {"ref-7", "ref-7"},
		"the answer names none":              {"", "OWN4567890ABCDEFGHIJ"},
		"the answer names nonsense":          {"../x", "OWN4567890ABCDEFGHIJ"},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, time.Minute, 80, 24, func(_ *book, s *service) {
				s.told = api.Transaction{Status: api.ParseStatus("PENDING"), OtherReference: api.CleanASCII(c.named), HasAmount: true, Amount: gbp(1250)}
			}, func(w *world) {
				w.Press("a")
				w.wasAsked("OWN4567890ABCDEFGHIJ")
				w.wrote("found " + string(c.want))
				w.Went(nav.Replace{To: nav.Payment{Reference: c.want}})
			})
		})
	}
}

func TestWithoutAStatusOurReferenceResolvesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*service)
		says   string
	}{
		"the service does not know it": {func(s *service) {
			s.unread = &api.Refusal{Kind: api.KindService, HTTP: 404, Text: api.Clean("no such payment")}
		}, "no proof that nothing was made"},
		"the key is refused": {func(s *service) { s.unread = &api.Refusal{HTTP: 401} }, "Check the secret key"},
		"nobody answers":     {func(s *service) { s.unread = &api.Failure{Kind: api.KindTimeout} }, "No answer came in time"},
		"there is no status": {func(s *service) {}, "without a status"},
		"it is another amount": {func(s *service) {
			s.told = api.Transaction{Status: api.ParseStatus("SUCCESSFUL"), HasAmount: true, Amount: gbp(99)}
		}, "another amount"},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, time.Minute, 80, 24, func(_ *book, s *service) { c.change(s) }, func(w *world) {
				w.Press("a").Sees("Nobody knows whether", c.says).SeesNot("failed", "declined", "rejected")
				w.Fits()
				w.Went()
				w.wrote()
				if w.Green() > 0 {
					t.Error("something is painted as a success")
				}
			})
		})
	}
	open(t, time.Minute, 80, 24, func(_ *book, s *service) {
		s.unread = &api.Refusal{Kind: api.KindService, HTTP: 404, Text: api.Clean("no such payment")}
	}, func(c *world) { c.Press("a").Golden("unknown-80") })
}

func TestWithoutAReferenceOfOursThereIsNoKeyToAskByOne(t *testing.T) {
	open(t, time.Minute, 80, 24, func(b *book, _ *service) { b.attempt.OwnReference = "" }, func(c *world) {
		c.SeesNot("a ask", "Our reference")
		c.Press("a").Sees("No reference of our own was sent")
		c.wasAsked()
	})
}

func TestNotFoundOpensTenMinutesAfterTheSending(t *testing.T) {
	open(t, 9*time.Minute, 80, 24, nil, func(c *world) {
		at := c.book.attempt.At.Add(10 * time.Minute).Format(time.TimeOnly)
		c.SeesNot("n not found").Sees("opens at " + at)
		c.Press("n").Sees("It may still appear", "\"not found\" opens at "+at)
		c.Wait(59 * time.Second).SeesNot("n not found")
		c.Wait(2 * time.Second).Sees("n not found").SeesNot("opens at")
		c.Press("n").Sees("Record that this payment was never made?", "the customer pays twice").Fits().Golden("not-found-80")
		c.wrote()
		c.Slowly("y")
		c.wrote("not found ")
		c.Went()
		c.Sees("It was decided that this was never done", "not found, 20", "grace on till-1").SeesNot("give up").Fits().Golden("decided-80")
	})
}

func TestAFoundReferenceBecomesItsPayment(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *book, s *service) {
		s.told = api.Transaction{Status: api.ParseStatus("PENDING"), HasAmount: true, Amount: gbp(1250)}
	}, func(c *world) {
		c.Press("f").Press("enter").Sees("Found as is needed")
		c.Type("not a reference").Press("enter").Sees("A reference has 1 to 128").Golden("found-80")
		c.Fits()
		c.Press("ctrl+u").Type("ref-9").Press("enter")
		c.wasAsked("ref-9")
		c.Sees("Record that it was found as ref-9?", "The service says of it: PENDING, 12.50 GBP.").Fits().Golden("found-as-80")
		c.wrote()
		c.Press("esc").Sees("ref-9").Press("esc").Sees("Attempt id").Press("f").Sees("ref-9").Press("enter")
		c.Slowly("y")
		c.wrote("found ref-9")
		c.Went(nav.Replace{To: nav.Payment{Reference: "ref-9"}})
	})
}

func TestAReferenceTheServiceDoesNotKnowIsNotWhatWasFound(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *book, s *service) {
		s.unread = &api.Refusal{Kind: api.KindService, HTTP: 404, Text: api.Clean("no such payment")}
	}, func(c *world) {
		c.Press("f").Type("ref-9").Press("enter").Sees("The service knows no payment of this reference").SeesNot("Record that").Golden("found-unknown-80")
		c.Fits()
		c.wrote()
		c.service.unread = &api.Failure{Kind: api.KindTimeout}
		c.Press("enter").Sees("Record that it was found as ref-9?", "could not be asked for it. No answer came in time")
	})
	for says, told := range map[string]api.Transaction{
		"ANOTHER AMOUNT: 0.99 GBP instead of 12.50 GBP": {Status: api.ParseStatus("SUCCESSFUL"), HasAmount: true, Amount: gbp(99)},
		"The service says of it: FAILED, and no amount": {Status: api.ParseStatus("FAILED")},
		"found as ref-10?": {Status: api.ParseStatus("PENDING"), OtherReference: api.CleanASCII("ref-10")},
	} {
		open(t, time.Minute, 60, 18, func(_ *book, s *service) { s.told = told }, func(c *world) {
			c.Press("f").Type("ref-9").Press("enter").Sees(says).Fits()
			if c.Green() > 0 {
				t.Error("something is painted as a success")
			}
		})
	}
}

func TestAnAnswerAboutWhatWasTypedBeforeIsNotTaken(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *book, s *service) { s.statusTakes = time.Minute }, func(c *world) {
		c.Press("f").Type("ref-9").Press("enter").Sees("Asking the service for it").Fits()
		c.Type("9").SeesNot("Asking").Wait(time.Hour).SeesNot("Record that")
		c.Press("enter").Wait(time.Hour).Sees("Record that it was found as ref-99?")
	})
}

func TestGivingUpIsKeptAndStaysUnknown(t *testing.T) {
	open(t, time.Minute, 80, 24, nil, func(c *world) {
		c.Press("g").Sees("Give up finding out", "nothing here says so")
		c.Slowly("n").Sees("Attempt id")
		c.wrote()
		c.Press("g")
		c.Slowly("y")
		c.wrote("gave up ")
		c.Sees("Nobody knows whether this payment was made. It was given up.", "gave up, 20", "grace on till-1")
		c.Press("n", "g").SeesNot("Record that", "Give up", "give up").Golden("given-up-80")
		c.Fits()
		c.wrote("gave up ")
	})
}

func TestWhatWasGivenUpCanStillBeFound(t *testing.T) {
	for _, v := range []journal.Decision{journal.GaveUp, journal.NotFound} {
		open(t, time.Hour, 80, 24, func(b *book, s *service) {
			b.attempt.Verdict, b.attempt.DecidedBy, b.attempt.DecidedAt = v, ada, time.Now()
			s.told = api.Transaction{Status: api.ParseStatus("SUCCESSFUL")}
		}, func(c *world) {
			c.Press("a")
			c.wrote("found OWN4567890ABCDEFGHIJ")
			c.Went(nav.Replace{To: nav.Payment{Reference: "OWN4567890ABCDEFGHIJ"}})
		})
	}
	open(t, time.Hour, 80, 24, func(b *book, _ *service) { b.attempt.Verdict, b.attempt.Reference = journal.Found, "ref-1" }, func(c *world) {
		c.SeesNot("f found", "m matches").Press("a", "f", "m").Sees("It was found", "ref-1")
		c.wasAsked()
	})
}

func TestADecisionIsWrittenEvenWhenThePersonLeaves(t *testing.T) {
	open(t, time.Minute, 80, 24, nil, func(c *world) {
		c.book.writing = make(chan struct{})
		c.Press("g")
		c.Slowly("y").Sees("Writing it down")
		c.Press("g", "enter", "esc").Sees("The decision is being written down")
		if !c.Busy() {
			t.Error("the console could end before it is written")
		}
		c.Leave()
		close(c.book.writing)
		c.Settle()
		c.wrote("gave up ")
	})
}

func TestADecisionThatCannotBeWrittenIsNotTakenForOne(t *testing.T) {
	for name, err := range map[string]error{
		"a full disk":       &journal.Unavailable{Why: "The disk is full."},
		"another objection": errors.New("the disk is full"),
	} {
		open(t, time.Minute, 80, 24, func(b *book, _ *service) { b.refused = err }, func(c *world) {
			c.Press("g")
			c.Slowly("y").Sees("The decision was not recorded", "disk is full", "Nobody knows whether this payment was made")
			c.SeesNot("gave up")
			c.Went()
			c.Fits()
			if c.Busy() {
				t.Errorf("%s: it is still busy", name)
			}
		})
	}
}

func TestTheAttemptIDIsCopied(t *testing.T) {
	open(t, time.Minute, 80, 24, nil, func(c *world) {
		c.Press("y").Sees("sent to your terminal's clipboard")
		if !strings.Contains(string(c.Bytes()), "\x1b]52;c;azNmOW0yeDdxYQ==") {
			t.Error("the id was not sent to the clipboard")
		}
	})
}

func TestAnAttemptThatIsKnownLeadsToItsPayment(t *testing.T) {
	open(t, time.Hour, 80, 24, func(b *book, _ *service) {
		b.attempt.Outcome, b.attempt.Why, b.attempt.Reference = journal.Accepted, "", "ref-1"
		b.attempt.Status, b.attempt.SeenAt = api.ParseStatus("PENDING"), b.attempt.At
	}, func(c *world) {
		c.Sees("The service took it", "ref-1", "PENDING").SeesNot("give up", "Nobody knows").Fits().Golden("known-80")
		c.Press("n", "g", "f", "m", "a").SeesNot("Record that", "Rows of")
		c.wasAsked()
		c.Press("enter")
		c.Went(nav.Push{To: nav.Payment{Reference: "ref-1"}})
	})
	for outcome, says := range map[journal.Outcome]string{
		journal.Refused: "Nothing was done", journal.NotSent: "Nothing was sent", journal.Sent: "its answer may still come",
	} {
		open(t, time.Minute, 80, 24, func(b *book, _ *service) { b.attempt.Outcome = outcome }, func(c *world) {
			c.Sees(says).Press("enter").Sees("no reference")
			c.Went()
		})
	}
}

func TestAJournalThatCannotBeReadIsSaidAndReadAgain(t *testing.T) {
	open(t, time.Minute, 80, 24, func(b *book, _ *service) { b.failed = errors.New("the file is\x1b[2J gone") }, func(c *world) {
		c.Sees("could not be read", "the file is^[[2J gone").Fits()
		c.Press("y", "n", "enter", "g")
		c.book.failed = nil
		c.Press("r").Sees("Nobody knows").SeesNot("could not be read")
	})
}

func TestALinkWithoutAnAnswerIsComparedInTheDashboard(t *testing.T) {
	open(t, time.Hour, 80, 24, func(b *book, _ *service) {
		b.attempt.Kind, b.attempt.Channel, b.attempt.Card, b.attempt.OwnReference, b.attempt.Link = journal.CreateLink, "", "", "", ""
	}, func(c *world) {
		c.Sees("Nobody knows whether this link was created", "provider's dashboard").SeesNot("m matches", "a ask").Fits().Golden("link-80")
		c.Press("m").Sees("The list has payments only")
		c.wasAsked()
		c.Press("f").Sees("Record that the link was found")
		c.Slowly("y")
		c.wrote("found ")
		c.Went()
		c.Sees("It was found")
	})
}

func TestAFinalizationWithoutAnAnswerIsRepeatedByHandAfterAMinute(t *testing.T) {
	open(t, 30*time.Second, 80, 24, func(b *book, _ *service) {
		b.attempt.Kind, b.attempt.Channel, b.attempt.Card, b.attempt.OwnReference = journal.Finalize, "", "", ""
		b.attempt.Amount, b.attempt.Reference, b.attempt.Link = money.Amount{}, "ref-1", ""
	}, func(c *world) {
		c.Sees("Nobody knows whether this finalization was taken", "ref-1").SeesNot("finalize again", "m matches").Fits().Golden("finalize-80")
		c.Press("z").Sees("Ask for the status first")
		c.Went()
		c.Wait(31 * time.Second).Sees("finalize again")
		c.Press("enter")
		c.Went(nav.Push{To: nav.Payment{Reference: "ref-1"}})
		c.Press("z")
		c.Went(nav.Push{To: nav.Finalize{Reference: "ref-1"}})
	})
}
