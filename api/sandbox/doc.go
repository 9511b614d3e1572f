// Package sandbox is the payment service itself, in memory: an http.Handler written
// from the interface specification. It imports nothing of paydesk/api, so that a
// misreading on either side shows up as a disagreement between the two.
//
// # Test cards
//
// Every other card number is rejected. Any expiry date in the future and any CVV of
// the right length is accepted. [Cards] returns the same table as data.
//
//	approve            4242424242424242     approved without a challenge; settles
//	challenge          4508750015741019     needs approval, then settles
//	challenge-decline  4000008400001629     challenge; declined even when approved
//	decline            4000000000000002     declined at once
//	pending-long       5555555555554444     approved; stays PENDING for 10 minutes
//	verve              5060666666666666666  needs approval, then settles (19 digits)
//	amex               378282246310005      approved; settles (4-digit CVV)
//
// # The life of a payment
//
//	bank      INITIATED ─ approved ─→ PENDING ─ settle time passed ─→ Successfull
//	              └────── rejected ─→ FAILED
//	transfer  PENDING ─ paid in full ─→ Successfull, or at its expiration ─→ FAILED
//
// By bank means by card, PayByAccount or Interac. A card payment without a challenge starts
// as PENDING. A payment of a link stays PENDING until it is finalized; one by bank starts to
// settle then. A payment's
// state is computed from the clock when it is requested, so a stopped clock changes
// nothing and [Sandbox.Forward] moves everything on at once. Only the sending of
// webhooks runs in the background.
//
// # Webhooks
//
// With webhook URLs set ([Command], [Sandbox.SetWebhooks]), each payment that becomes
// Successfull or FAILED is posted to each of them as payment.success or payment.failed. A 2xx
// response within 5 s counts as delivered. Otherwise delivery is retried 1 s, 5 s, 30 s
// and 2 minutes later on the sandbox's clock, and then given up until
// [Sandbox.Redeliver]. The switch webhook.style selects other body formats that have
// been seen. [Sandbox.SendSample] sends an event of no payment, [Sandbox.Send] any body.
//
// No URL waits for another. Each is sent its events in order, except those that are retried.
//
// # Links
//
// A one-time link is used up by a payment that was initiated and has not failed: a
// declined card, a rejected challenge or an expired transfer frees it again. A static
// link accepts exactly its amount, a dynamic one any amount; both accept only their
// currency.
//
// The page of a link (the URL in the response that created it) accepts payments from a
// browser, with the checks of endpoint 1 and without script. With ?return=URL it sends
// the customer there afterwards. The page finalizes the payment. Each form pays at most
// once, however often it is submitted.
//
// # Memory
//
// The newest 10,000 payments, 10,000 links and 1,000 deliveries of webhooks are kept, in memory only.
//
// # Assumptions and switches
//
// [Assumptions] has one line for each gap in the specification that had to be filled.
// Most can be changed: [Sandbox.Switches] returns the table, [Sandbox.SetSwitch] sets
// one. With every switch at its default, all responses follow the specification.
//
// The switch list.changes makes the list change while it is read, by a fixed step before each
// page, so that a test can repeat it: transactions.go says how.
//
// # Faults
//
// [Sandbox.Arm] makes calls fail as a service, a network or a gateway does to the program of its tester,
// and events be lost or sent twice. A fault
// applies before or after the request is carried out ([Sandbox.Faults], the switch
// faults.when): that is the difference between a payment that was never made and one
// whose response was lost. Options can have more faults: what only tests a client is in faulttest.
//
// A [Scenario] has faults and statuses that calls meet at their time, and so reproduces a case.
//
// # Control API
//
// All of this is also available over HTTP from the same machine: GET /_sandbox/ lists
// the calls. [Find] finds one by its address, and a [Controller] makes the
// calls, of that one or of one in this process.
//
// # Files
//
//   - serve.go: routing, key check and dispatch; envelope.go: responses; read.go: requests;
//     jsonnode.go: the JSON of both;
//   - initiate.go, link.go, validate.go, transactions.go: the operations, and the rows of the list, with how
//     they change while it is read; values.go: references, ids and amounts;
//   - payment.go: states; cards.go, transfer.go: what differs by channel;
//   - webhook.go: the events of webhooks, and their deliveries; webhookbody.go: their formats, and
//     events of no payment; webhooktargets.go: the URLs, and sending;
//   - page.go: what the HTML pages share; bank.go: the bank's page; hosted.go, hostedform.go: the
//     page of a link; *.html, page.css and answered.js: their markup, style and script;
//   - faults.go, faults.json: the table, arming, failures in place of an answer, and answers that are
//     wrong; scenario.go: what calls meet, and when;
//   - switches.go, switches.json, assumptions.json: the tables, and the effect of the switches on a response;
//   - control.go, control.json: the control API; controller.go: its client, and how a sandbox is found;
//   - listen.go: the server, its command, and its log.
package sandbox
