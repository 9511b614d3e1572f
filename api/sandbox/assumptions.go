package sandbox

import (
	"bufio"
	"io"
	"strings"
)

// An Assumption is one behaviour that the specification does not show.
type Assumption struct {
	Topic string `json:"topic"`
	Says  string `json:"says"`
}

// WriteAssumptions writes the table for people, each assumption with the switches that
// change it.
func WriteAssumptions(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("What the sandbox does that the specification does not show.\n")
	for _, a := range Assumptions() {
		b.WriteString("\n" + a.Topic + "\n")
		writeIndented(b, a.Says)
		for _, s := range switchTable() {
			if s.Topic == a.Topic {
				writeIndented(b, "Switch "+s.Name+": "+s.Does+" ("+s.accepts()+").")
			}
		}
	}
	return b.Flush()
}

// writeIndented breaks a text into lines of a terminal.
func writeIndented(b *bufio.Writer, said string) {
	const indent, width = "  ", 78
	line := indent
	for word := range strings.FieldsSeq(said) {
		if len(line)+1+len(word) > width && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// accepts says which values a switch has.
func (w Switch) accepts() string {
	if w.Values == nil && w.Default == "" {
		return "any word; none"
	}
	if w.Values == nil {
		return "any word; " + w.Default
	}
	return strings.Join(w.Values, ", ")
}

// Assumptions lists everything the sandbox made up to be whole. "Facts" are what
// was seen of deployed instances.
func Assumptions() []Assumption {
	return []Assumption{
		{"key", "The bare secret key goes in the header X-Api of every operation (facts)."},
		{"paths", "Authentication check: GET /api/payment/pay/get-auth-3ds?referenceId=REFERENCE. Status: GET /api/payment/transactions/REFERENCE (facts). Capitals in paths do not matter, except in a reference."},
		{"units", "Amounts are in major units everywhere but in the list, which counts minor units."},
		{"errors", "422 for what is missing or of the wrong type, 400 for a broken constraint or an unreadable body, 401, 404, 405, 413, 415. The envelope of a refusal has no value; error and detail say the same. The list answers status false and a message."},
		{"response codes", "00 for done; 99 for a refusal of the authentication check or of finalize."},
		{"unknown fields", "Ignored, unless a name differs from a known one by capitals alone; then refused. null is the same as absent."},
		{"amounts", "From 1.00 to 1,000,000,000.00 with at most 2 decimals (facts for the lower end and the decimals); no exponent."},
		{"limits", "narration 100 characters (facts); name and description of a link 200; a body 256 KiB."},
		{"customer", "firstName, lastName and emailAddress are required, phone is not."},
		{"reference", "A merchant's own reference of at most 20 letters and digits is taken, must be new, and becomes the reference of the payment (facts). One that looks like a card number is refused."},
		{"channels", "NGN: Card, PayByTransfer. GBP: Card, PayByAccount. CAD: Interac (facts). PayByAccount and Interac are listed, and refused at initiation."},
		{"channel validation", "isValid is true when at least one channel is usable and every channel named was found. Channels are named by name or alias."},
		{"fees", "1.5 % of the amount, rounded half up."},
		{"card at verification", "INITIATED while a challenge is open, then PENDING, then Successfull or FAILED. A card declined at once is answered with isSuccess true and paymentStatus FAILED (facts)."},
		{"transfer at verification", "PENDING until all of it was paid, then Successfull at once; FAILED when the account expired before. The account is valid for 30 minutes. All of it is paid by itself once the time to settle has passed, unless something is paid on demand before."},
		{"part payments", "A transfer that was paid in part waits for the rest until its account expires; nothing is paid back. One that was overpaid succeeds: its amount stays what was asked for, and the webhook tells both. An account that was paid in full or has expired takes no more."},
		{"webhooks", "Sent once a payment is Successfull or FAILED for good, with no signature and no key, in the public body (facts) with the events of the specification and SUCCESSFUL or FAILED as PaymentStatus. AmountPaid is 0 when nothing was paid. RequestSource is Api or PaymentLink, Metadata null or the alias. A narration that holds what looks like a card number is left out."},
		{"webhook delivery", "Delivered by an answer of 2xx within 5 s; redirects are not followed. Five tries, 1 s, 5 s, 30 s and 2 minutes apart. The order of events is not kept when a try fails. The newest 200 are kept."},
		{"memory", "The newest 10,000 payments and 10,000 links are kept; older ones are as if they had never been, except that a one-time link stays used. The list counts what is kept."},
		{"finalize", "Refused before authorization and after failure. A second finalize is answered like the first. A transfer may be finalized before it is paid. A direct payment does not need it and is not changed by it."},
		{"link flow", "A payment of a link stays PENDING until finalized; a card starts to settle then."},
		{"one-time links", "Used up by a payment that was initiated and has not failed; a failed one frees the link again."},
		{"static and dynamic links", "A static link takes exactly its amount, a dynamic one any amount; both take only their currency. The amount of a dynamic link may be 0. A link needs a currency that has a channel."},
		{"link names", "Unique (facts). A text that holds what looks like a card number is refused."},
		{"authentication check", "status AUTHENTICATION_REQUIRED and Recommendation PROCEED_WITH_AUTHENTICATION while a challenge is open, else AUTHENTICATION_NOT_REQUIRED and DO_NOT_AUTHENTICATE. Refused for transfers."},
		{"bank address", "Carries redirect, token and context; the bank refuses it when token or context do not come back byte for byte."},
		{"return", "The customer is sent to returnUrl as it was given; nothing is added to it."},
		{"leaving the bank", "A customer who leaves without an answer is sent on like one who answered; the payment stays as it was and can be answered later. A challenge does not expire."},
		{"hosted page", "Takes the channels of its currency that the sandbox takes, and a return address in its query (?return=). It is the page that finalizes: a card once authorized, when the customer comes to the page of the payment; a transfer when its account was shown. Then the customer is sent back, for a transfer once it was paid, with nothing added to the address. After a failure the customer can pay in another way. A form can be sent for one hour."},
		{"list", "Newest first. The id of a row is not the reference of the payment. A page beyond the last is empty. With nothing in it pageCount is 0. Numbers are digits only, page at most 1,000,000,000."},
		{"status words", "As in the specification, its example included: Successfull. At initiation INITIATED, whether or not the bank asks the customer."},
		{"further fields", "None that the specification does not name. With their switches: requiresAction, paymentItem.totalAmount (amount and fees); amountType, supportEmail and logo of a link."},
		{"metadata", "Strings alone as values (specification; a boolean was seen)."},
		{"link answers", "status New for every new link; createdDate in UTC with its offset and without a fraction. The digits of a fraction are made up."},
		{"faults", "None unless armed. Only a request with the right key that could be read meets one. A fault that was armed first comes first."},
		{"hostile text", "None unless switched on; then in every string of every answer of the seven operations, refusals included."},
		{"steering", "Below /_sandbox/, without a key, from this machine and not from web pages."},
		{"test cards", "Any expiry in the future and any CVV of the right length."},
	}
}
