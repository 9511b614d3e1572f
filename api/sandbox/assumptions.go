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

// WriteAssumptions writes the table as text, each assumption with its switches.
func WriteAssumptions(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("What the sandbox does where the specification is silent.\n")
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

// writeIndented wraps a text for a terminal.
func writeIndented(b *bufio.Writer, text string) {
	const indent, width = "  ", 78
	line := indent
	for word := range strings.FieldsSeq(text) {
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

// accepts lists the values that a switch accepts.
func (w Switch) accepts() string {
	if w.Values == nil && w.Default == "" {
		return "any word; default none"
	}
	if w.Values == nil {
		return "any word; default " + w.Default
	}
	return strings.Join(w.Values, ", ")
}

// Assumptions lists everything the sandbox had to invent. "facts" marks what was observed
// on deployed instances.
func Assumptions() []Assumption {
	return []Assumption{
		{"key", "The bare secret key goes in the header X-Api of every operation (facts)."},
		{"paths", "Authentication check: GET /api/payment/pay/get-auth-3ds?referenceId=REFERENCE. Status: GET /api/payment/transactions/REFERENCE (facts). Paths are not case-sensitive, except in a reference."},
		{"units", "Amounts are in major units everywhere but in the list, which uses minor units."},
		{"errors", "422 for a missing field or a wrong type, 400 for a broken constraint or an unreadable body, 401, 404, 405, 413, 415. The envelope of a refusal has no value; error and detail have the same text. The list returns status false and a message."},
		{"response codes", "00 for success; 99 for a refusal of the authentication check or of finalize."},
		{"unknown fields", "Ignored, unless a name differs from a known one only by case; then rejected. null is the same as absent."},
		{"amounts", "From 1.00 to 1,000,000,000.00 with at most 2 decimals (facts for the lower end and the decimals); no exponent."},
		{"limits", "narration 100 characters (facts); name and description of a link 200; a body 256 KiB."},
		{"customer", "firstName, lastName and emailAddress are required, phone is not."},
		{"reference", "A merchant's own reference of at most 20 letters and digits is accepted, must be new, and becomes the reference of the payment (facts). One that looks like a card number is rejected."},
		{"channels", "NGN: Card, PayByTransfer. GBP: Card, PayByAccount. CAD: Interac (facts). PayByAccount and Interac are listed, but rejected at initiation."},
		{"channel validation", "isValid is true when at least one channel is usable and every requested channel was found. Channels are requested by name or alias."},
		{"fees", "1.5 % of the amount, rounded half up."},
		{"card at verification", "INITIATED while a challenge is open, then PENDING, then Successfull or FAILED. A card declined at once gets isSuccess true and paymentStatus FAILED (facts)."},
		{"transfer at verification", "PENDING until paid in full, then Successfull at once; FAILED when the account expires before. The account is valid for 30 minutes. The transfer is paid in full by itself after the settle time, unless an amount is paid on demand before."},
		{"part payments", "A transfer paid in part waits for the rest until its account expires; nothing is paid back. An overpaid one succeeds: its amount stays the requested one, and the webhook reports both. An account that was paid in full or has expired accepts no more."},
		{"webhooks", "Sent once a payment is finally Successfull or FAILED, without a signature or a key, with the public body (facts), the events of the specification and SUCCESSFUL or FAILED as PaymentStatus. AmountPaid is 0 when nothing was paid. RequestSource is Api or PaymentLink, Metadata null or the alias. A narration that contains what looks like a card number is left out."},
		{"webhook delivery", "Delivered by a 2xx response within 5 s; redirects are not followed. Five attempts, 1 s, 5 s, 30 s and 2 minutes apart. The order of events is not kept when an attempt fails. The newest 200 are kept."},
		{"memory", "The newest 10,000 payments and 10,000 links are kept; older ones are dropped, except that a one-time link stays used. The list counts the payments that are kept."},
		{"finalize", "Rejected before authorization and after failure. A second finalize gets the same response as the first. A transfer may be finalized before it is paid. A direct payment does not need it and is not changed by it."},
		{"link flow", "A payment of a link stays PENDING until finalized; a card payment starts to settle then."},
		{"one-time links", "Used up by a payment that was initiated and has not failed; a failed one frees the link again."},
		{"static and dynamic links", "A static link accepts exactly its amount, a dynamic one any amount; both accept only their currency. The amount of a dynamic link may be 0. A link needs a currency that has a channel."},
		{"link names", "Unique (facts). A text that contains what looks like a card number is rejected."},
		{"authentication check", "status AUTHENTICATION_REQUIRED and Recommendation PROCEED_WITH_AUTHENTICATION while a challenge is open, otherwise AUTHENTICATION_NOT_REQUIRED and DO_NOT_AUTHENTICATE. Rejected for transfers."},
		{"bank URL", "Contains redirect, token and context; the bank rejects it when token or context do not come back byte for byte."},
		{"return", "The customer is sent to returnUrl unchanged; nothing is added to it."},
		{"leaving the bank", "A customer who leaves without answering is sent on like one who answered; the payment does not change and can be answered later. A challenge does not expire."},
		{"hosted page", "Accepts the channels of its currency that the sandbox accepts, and a return URL in its query (?return=). The page finalizes the payment: a card payment once authorized, when the customer visits the page of the payment; a transfer when its account is shown. Then the customer is sent back, for a transfer once it is paid, with nothing added to the URL. After a failure the customer can pay in another way. A form can be submitted for one hour."},
		{"list", "Newest first. The id of a row is not the reference of the payment. A page after the last is empty. An empty list has pageCount 0. Numbers are digits only, page at most 1,000,000,000."},
		{"status words", "As in the specification, including its example: Successfull. At initiation INITIATED, with or without a challenge."},
		{"further fields", "Only those of the specification. With their switches: requiresAction, paymentItem.totalAmount (amount and fees); amountType, supportEmail and logo of a link."},
		{"metadata", "Only strings as values (specification; a boolean has been seen)."},
		{"link answers", "status New for every new link; createdDate in UTC with an offset and without a fraction. The digits of a fraction are invented."},
		{"faults", "None unless armed. They apply only to requests with the right key that can be parsed, in the order they were armed."},
		{"hostile text", "None unless switched on; then in every string of every response of the seven operations, including refusals."},
		{"control", "Below /_sandbox/, without a key, only from this machine and not from web pages."},
		{"test cards", "Any expiry date in the future and any CVV of the right length."},
	}
}
