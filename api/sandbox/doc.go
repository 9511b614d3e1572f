// Package sandbox is the whole service in a box: an http.Handler with state,
// written from the interface specification. It imports nothing of paydesk/api, so
// that it can disagree with the client.
//
// # Test cards
//
// No other number is accepted (R28). Any expiry in the future and any CVV of the
// right length will do. [Cards] is the same table as data.
//
//	approve            4242424242424242     approved without a challenge; settles
//	challenge          4508750015741019     challenge; approve it and it settles
//	challenge-decline  4000008400001629     challenge; declined even when approved
//	decline            4000000000000002     declined at once
//	pending-long       5555555555554444     approved; stays PENDING for 10 minutes
//	verve              5060666666666666666  challenge; approve it and it settles (19 digits)
//	amex               378282246310005      approved without a challenge; settles (CVV of 4)
//
// # The life of a payment
//
//	card      INITIATED ─ approved ─→ PENDING ─ Settle elapsed ─→ Successfull
//	              └────── rejected ─→ FAILED
//	transfer  PENDING ─ all of it paid ─→ Successfull, or at its expiration ─→ FAILED
//
// A card that needs no challenge is PENDING from the start. A payment of a link
// stays PENDING until it was finalized; for a card the time to settle begins there.
// Nothing runs in the background but the sending of webhooks: a state is worked out
// from the clock when it is asked for, so a clock that stands still keeps everything
// as it is, and [Sandbox.Forward] moves everything on at once.
//
// # Webhooks
//
// With an address ([Options], [Sandbox.SetWebhook]) every payment that has come to its
// end, Successfull or FAILED, is told to it: payment.success or payment.failed. An answer
// of 2xx within 5 s takes the event as delivered. Otherwise it is tried again 1 s, 5 s,
// 30 s and 2 minutes later, on the sandbox's clock, and then given up until
// [Sandbox.Redeliver]. Each style but the first of [Sandbox.SetWebhookStyle] is one that
// was seen.
//
// # What is forgotten
//
// The newest 10,000 payments, 10,000 links and 200 deliveries are kept, in memory alone.
//
// # Links
//
// A one-time link is used up by a payment that was initiated and has not failed: a
// declined card, a rejected challenge or an expired transfer frees it again. A
// static link takes its own amount and nothing else, a dynamic one any amount; both
// take only their own currency.
//
// The page of a link (the address in the answer that made it) pays it in a browser, with
// the checks of endpoint 1 and without script. It takes ?return=ADDRESS, where the
// customer goes afterwards, and it finalizes. Each form that was shown pays once,
// however often it is sent.
//
// # What is invented
//
// The specification leaves much "not shown". Each gap that had to be filled is one
// line of [Assumptions].
//
// Most of them can be changed: [Sandbox.Switches] is the table, [Sandbox.SetSwitch] turns one.
// With all as they are, every answer is the specification's.
//
// # Faults
//
// [Sandbox.Arm] makes calls go wrong, in every way of the fault list (F1 to F60) that
// a server can bring about, and in the twelve ways in which a list is not what it says.
// A fault comes before or after the request is carried out, as [Sandbox.Faults] and the
// switch faults.when say: that is the difference between a payment that was never made
// and one whose answer was lost. [Sandbox.Hostile] fills answers with text that attacks
// whoever shows it.
//
// # Steering
//
// All of this can be done over HTTP, too, from the same machine: GET /_sandbox/ lists how.
//
// # One place per question
//
//   - serve.go: the way of a request: path, method, key, body, answer;
//   - envelope.go: the shape of an answer; read.go: the shape of a request;
//   - one file per operation: initiate.go link.go validate.go authenticate.go
//     finalize.go transaction.go transactions.go;
//   - payment.go: the states; cards.go, transfer.go: what differs by channel; clock.go:
//     the time;
//   - webhook.go, webhooksend.go, webhookbody.go: what the merchant is told;
//   - page.go, pagestyle.go: what pages for people have in common; bank.go: the bank;
//     hosted*.go: the page of a link;
//   - faults.go: which call goes wrong; faultkinds.go: the table; faultcast.go,
//     faultlarge.go, faultspoil.go, faultlist.go: how each is done; hostile.go: the text;
//   - switches.go: the table; switchphrase.go: what each does to an answer; tree.go: an
//     answer that can be bent;
//   - control.go: what a person may do; controlpaths.go, controlcalls.go, controlguard.go:
//     the same over HTTP;
//   - listen.go, places.go: the sandbox as a server; requestlog.go: what it tells of
//     requests.
package sandbox
