package inbox

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/ui/termtest"
)

func TestTheInboxFitsEveryWindow(t *testing.T) {
	open(t, 80, 24, 30, func(d *world) {
		d.Sees("30 events", "5 disagree", "following", "listening on 127.0.0.1:8425/hooks/…").Fits().HelpBarFits()
		d.Press("down", "down", "down").Wait(time.Second).Sees("paused").Fits().HelpBarFits().Golden("list")
		if n := d.Green(); n > 0 {
			t.Errorf("%d cells have the colour of success, and no answer has one", n)
		}
		d.Press("enter").Sees("event says", "service says", "Differs     ✗ status", "(unverified)").Fits().HelpBarFits().Golden("event")
		d.Press("end").Sees("User-Agent: pay/1").Press(">").Sees("Target", "https://hooks.example/in").Fits().Golden("replay")
	})
	open(t, 80, 24, 0, func(d *world) {
		d.Sees("No webhook has arrived yet").Fits()
		d.OnLoop(func() { d.receiver = Receiver{Why: "Set webhook_listen in the profile, or run paydesk listen."} })
		d.Wait(6*time.Second).Sees("not listening", "and this console does not").Fits()
	})
	open(t, 80, 24, 0, func(d *world) { d.Sees("There is no inbox", "off").Fits() }, func(o *Options) {
		o.Store, o.Off = nil, "Webhooks are kept beside the journal, and the journal of this profile is off."
	})
}

func TestOnlyTheAnswerOfTheServiceHasTheColourOfSuccess(t *testing.T) {
	open(t, 120, 40, 0, func(d *world) {
		paid := sample(2)
		paid.Verdict, paid.Differs = webhook.Waiting, nil
		paid.Answer = webhook.Answer{}
		d.store.add(paid)
		if d.Wait(time.Second).Sees("SUCCESSFUL").WaitsUntilGone("✓"); d.Green() > 0 {
			t.Error("a claim has the colour of success")
		}
		d.store.set(1, func(e *webhook.Detail) {
			e.Verdict, e.Answer = webhook.Agrees, webhook.Answer{At: time.Now(), Status: api.ParseStatus("SUCCESSFUL")}
		})
		d.Wait(time.Second).Sees("agrees", "✓ SUCCESSFUL")
	})
}

func TestWhatArrivesIsListedUntilTheMarkIsMoved(t *testing.T) {
	open(t, 80, 24, 12, func(d *world) {
		d.store.add(sample(12))
		d.Wait(time.Second).Sees("13 events", "following")
		d.marks("REF0000012")
		d.Press("down").Wait(time.Second).Sees("paused")
		d.marks("not understood")
		d.store.add(sample(13))
		d.store.add(sample(14))
		again := sample(6) // it is listed already
		again.ID, again.Deliveries = 7, 2
		d.store.add(again)
		d.Wait(time.Second).Sees("paused, 2 new").WaitsUntilGone("REF0000014")
		d.marks("not understood")
		d.Press("space").Wait(time.Second).Sees("following", "REF0000014", "×2")
		d.marks("REF0000006")
		d.Press("space").Sees("paused")
		for i := range 210 {
			d.store.add(sample(15 + i))
		}
		d.Wait(time.Second).Sees("paused, 210 new").Fits()
	})
}

func TestAnswersAreShownInTheRowsWhereTheyStand(t *testing.T) {
	open(t, 80, 24, 400, func(d *world) {
		d.Press("pgdown", "pgdown").Wait(time.Second)
		d.Sees("PaymentFailed    REF0000369")
		d.store.set(370, func(e *webhook.Detail) { e.Verdict, e.Name = webhook.NotAsked, api.Clean("renamed") })
		d.Wait(time.Second).Sees("renamed          REF0000369")
		finds, began := d.store.searches(), time.Now()
		for i := range 200 { // faster than anybody reads
			d.store.set(int64(1+i%400), func(e *webhook.Detail) { e.Deliveries++ })
			d.Wait(time.Millisecond)
		}
		if n, most := d.store.searches()-finds, 2*int(time.Since(began)/(250*time.Millisecond)+1); n > most {
			t.Errorf("%d searches in %v", n, time.Since(began))
		}
	})
}

func TestManyEventsAreReadAPartAtATime(t *testing.T) {
	open(t, 80, 24, 2_000, func(d *world) {
		d.Sees("2,000 events").Press(slices.Repeat([]string{"pgdown"}, 20)...).Wait(time.Second).Sees("REF0001738")
		d.Press("end").Wait(time.Second).Sees("REF0000000").Press("home").Wait(time.Second).Sees("REF0001998")
		if d.store.largest > 200 {
			t.Errorf("%d events were read at a time", d.store.largest)
		}
	})
}

func TestTheSearchIsInTheCommonLanguage(t *testing.T) {
	open(t, 80, 24, 30, func(d *world) {
		d.Press("/").Type("disagrees").Wait(time.Second).Sees("verdict is disagrees", "5 of 30 events").Fits().Golden("search")
		d.Press("down", "enter").Sees("5 of 30 events: disagrees").WaitsUntilGone("waiting", "unknown").Press("esc").Wait(time.Second).Sees("30 events ·")
		d.Press("/").Type("REF999").Wait(time.Second).Sees("No events match the search").Press("esc").Sees("30 events ·").Went()
	})
	open(t, 80, 24, 30, func(d *world) {
		d.Sees("5 of 30 events: verdict:disagrees").Press("enter").Sees("Event").Press("esc").Sees("5 of 30")
		d.Press("/", "enter", "esc").Wait(time.Second).Sees("30 events ·")
	}, func(o *Options) { o.Query = "verdict:disagrees" })
	open(t, 80, 24, 30, func(d *world) {
		d.Sees("5 of 30 events: verdict:disagrees").Press("esc").Went(nav.Back{})
	}, func(o *Options) { o.Query = "verdict:disagrees" })
}

func TestKeysLeadToThePaymentAndItsAttempt(t *testing.T) {
	open(t, 120, 40, 2, func(d *world) {
		d.Press("s").Went(nav.Push{To: nav.Payment{Reference: "REF0000001"}})
		d.Press("h").Went(nav.Push{To: nav.Attempt{ID: "k3f9000001"}})
		d.Press("v").Went(nav.Push{To: nav.Raw{Reference: "REF0000001"}})
		d.Press("y").Sees("reference was sent")
		if d.Copied() != "REF0000001" {
			t.Errorf("copied %q", d.Copied())
		}
		if d.Press("Y"); d.Copied() != d.receiver.URL {
			t.Errorf("copied %q", d.Copied())
		}
		d.Press("r").Sees("The service is asked about REF0000001.")
		if want := []api.Reference{"REF0000001"}; !slices.Equal(d.asked, want) {
			t.Errorf("asked about %v", d.asked)
		}
		d.Press("down").Wait(time.Second).Press("h").Sees("not made from here")
	})
	open(t, 80, 24, 0, func(d *world) {
		nothing := sample(5)
		d.store.add(nothing)
		d.Wait(time.Second)
		for _, k := range []string{"s", "h", "v", "y", "r"} {
			d.Press(k).Sees("This webhook has no payment reference.").Went()
		}
		d.OnLoop(func() { d.receiver = Receiver{Why: "the port is taken by another program"} })
		d.Wait(6 * time.Second).Sees("not listening: the port is taken by another program").Press("Y").Sees("no URL to copy")
	})
}

func TestAnEventIsReplayedToATargetThatIsAllowed(t *testing.T) {
	open(t, 80, 24, 2, func(d *world) {
		d.Press(">").Sees("Send PaymentFailed · REF0000001 again").Press("ctrl+u").Type("http://192.0.2.1/").Press("enter").Sees("The address is not a loopback address").Fits()
		d.Press("ctrl+u").Type("http://127.0.0.1:3000/hooks").Press("enter").Sees("It answered 200 in 12 ms.").WaitsUntilGone("Replay")
		if want := []string{"2 http://127.0.0.1:3000/hooks"}; !slices.Equal(d.replayed, want) {
			t.Errorf("sent %q", d.replayed)
		}
		d.answer = webhook.Forward{Status: 500, Took: time.Second, Problem: "the target answered 500"}
		d.Press("enter").Press("end").Sees("Sent on", "replayed to http://127.0.0.1:3000/hooks").Fits()
		d.Press(">").Sees("http://127.0.0.1:3000/hooks").Press("enter").Sees("Target", "It answered 500 in 1.0 s").Fits()
		if len(d.replayed) != 2 {
			t.Errorf("sent %q", d.replayed)
		}
		d.Press("esc", "esc")
		d.store.set(2, func(e *webhook.Detail) { e.Masked = true })
		d.Wait(time.Second).Sees("Masked").Press(">").Sees("A masked event cannot be replayed").WaitsUntilGone("Target").Fits()
	})
}

func TestAProblemOfTheStoreIsSaidAndEnds(t *testing.T) {
	open(t, 80, 24, 2, func(d *world) {
		d.store.set(1, func(*webhook.Detail) { d.store.err = errors.New("the inbox cannot be read: the disk reports an error") })
		d.Wait(time.Second).Sees("! The inbox cannot be read").Fits()
		d.store.set(1, func(*webhook.Detail) { d.store.err = nil })
		d.Wait(6 * time.Second).WaitsUntilGone("cannot be read").Sees("2 events")
		d.Press("enter")
		d.store.mu.Lock()
		d.store.events, d.store.dropped = d.store.events[1:], 1
		d.store.change()
		d.store.mu.Unlock()
		d.Wait(time.Second).Sees("no longer in the inbox").Fits().Press("esc").Sees("full: 1 dropped")
		d.store.set(1, func(*webhook.Detail) { d.store.renamed = "webhooks.db.damaged-1" })
		d.Wait(time.Second).Sees("The inbox was damaged. It was saved as webhooks.db.damaged-1").Fits()
	})
}

// hostile is a text that a terminal would obey.
const hostile = "\x1b]0;owned\a\x1b[2J\r\n\u202e4242 4242 4242 4242\u200b" + "\x9b31m"

func TestHostileTextIsSpelledOutInEveryField(t *testing.T) {
	open(t, 80, 24, 0, func(d *world) {
		e := sample(2)
		text := api.Clean(hostile)
		e.Name, e.Status, e.AmountText, e.HasAmount = text, api.ParseClaim(hostile), text, false
		e.Channel, e.Narration, e.Environment, e.Source, e.Problem = text, text, text, text, text
		e.Answer.Status, e.Answer.Problem = api.ParseStatus(hostile), hostile
		e.Body, e.Header = []byte(hostile+strings.Repeat("x", 500)), http.Header{hostile: {hostile}}
		e.Sent = []webhook.Forward{{At: time.Now(), Target: hostile, Problem: hostile}}
		e.Size = len(e.Body)
		d.store.add(e)
		for i, v := range webhook.Verdicts {
			other := e
			other.ID, other.Verdict = int64(i+2), v
			d.store.add(other)
		}
		d.Wait(time.Second).Sees(strconv.Itoa(len(webhook.Verdicts)+1) + " events").Fits()
		d.Press("enter").Fits().Press("end", ">").Fits().Press("esc", "esc")
		for range webhook.Verdicts {
			d.Press("down").Wait(time.Second).Press("enter", "end", "esc")
		}
		if breaches := termtest.Breaches(d.Bytes()); len(breaches) > 0 {
			t.Error(breaches)
		}
	})
}

func TestNothingIsWrittenWhileNothingHappens(t *testing.T) {
	open(t, 120, 40, 30, func(d *world) { d.Press("down").Wait(time.Second).Idle(time.Hour) })
}

func TestAllThatASearchFoundIsReplayedAfterAQuestion(t *testing.T) {
	open(t, 80, 24, 30, func(d *world) {
		d.store.set(3, func(e *webhook.Detail) { e.Masked = true })
		d.answer.Took = 2 * time.Second
		d.Wait(time.Second).Press(">").Sees("all found").Press("ctrl+u").Type("http://127.0.0.1:3000/hooks").Press("tab", "right", "enter").Wait(time.Second)
		d.Sees("Send 4 events again?", "1 masked event is left out.").Fits().Golden("question")
		if len(d.replayed) > 0 {
			t.Error("they were sent without an answer")
		}
		d.Press("n").Wait(time.Second).Sees("all found").Press("ctrl+s").Yes("Send 4 events again?").Wait(3*time.Second).Sees("Sending… ", " of 4").Fits()
		d.Wait(9 * time.Second).Sees("4 events were accepted.")
		if want := "[9 http://127.0.0.1:3000/hooks 15 http://127.0.0.1:3000/hooks 21 http://127.0.0.1:3000/hooks 27 http://127.0.0.1:3000/hooks]"; fmt.Sprint(d.replayed) != want {
			t.Errorf("sent %v", d.replayed)
		}
	}, func(o *Options) { o.Query = "verdict:disagrees" })
	open(t, 80, 24, 30, func(d *world) {
		d.answer = webhook.Forward{Status: 404, Took: 2 * time.Second, Problem: "The target answered HTTP 404."}
		d.Wait(time.Second).Press(">").Press("ctrl+u").Type("http://127.0.0.1:3000/").Press("tab", "right", "enter").Yes("Send 5 events again?")
		d.Wait(3*time.Second).Sees("esc stop").Press("esc").Wait(3*time.Second).Sees("Stopped. ", " of 5 events were sent, 0 accepted").Fits()
		d.Press("ctrl+s").Yes("Send 5 events again?").Wait(15 * time.Second).Sees("5 of 5 events were sent, 0 accepted. The last failure").Fits().Golden("refused")
	}, func(o *Options) { o.Query = "verdict:disagrees" })
}
