package sandbox

// An Assumption is one behaviour that the specification does not show.
type Assumption struct{ Topic, Says string }

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
		{"transfer at verification", "PENDING until paid, then Successfull at once; FAILED when the account expired unpaid. The account is valid for 30 minutes."},
		{"finalize", "Refused before authorization and after failure. A second finalize is answered like the first. A transfer may be finalized before it is paid. A direct payment does not need it and is not changed by it."},
		{"link flow", "A payment of a link stays PENDING until finalized; a card starts to settle then."},
		{"one-time links", "Used up by a payment that was initiated and has not failed; a failed one frees the link again."},
		{"static and dynamic links", "A static link takes exactly its amount, a dynamic one any amount; both take only their currency. The amount of a dynamic link may be 0. A link needs a currency that has a channel."},
		{"link names", "Unique (facts). A text that holds what looks like a card number is refused."},
		{"authentication check", "status AUTHENTICATION_REQUIRED and Recommendation PROCEED_WITH_AUTHENTICATION while a challenge is open, else AUTHENTICATION_NOT_REQUIRED and DO_NOT_AUTHENTICATE. Refused for transfers."},
		{"bank address", "Carries redirect, token and context; the bank refuses it when token or context do not come back byte for byte."},
		{"return", "The customer is sent to returnUrl as it was given; nothing is added to it."},
		{"list", "Newest first. The id of a row is not the reference of the payment. A page beyond the last is empty. With nothing in it pageCount is 0. Numbers are digits only, page at most 1,000,000,000."},
		{"test cards", "Any expiry in the future and any CVV of the right length."},
	}
}
