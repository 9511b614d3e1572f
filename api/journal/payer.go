package journal

import (
	"cmp"
	"strings"
	"unicode"

	"paydesk/api"
)

// A Payer identifies who pays. Only keyed hashes of it are stored.
type Payer struct {
	Email, Phone string
	Card         string // last four, brand and expiry; "" for other channels
}

// payerHashes are the keyed hashes of a payer: enough to recognise the same one, and
// meaningless without the journal's key. What is not given stays "".
type payerHashes struct{ email, phone, card string }

// hashPayer hashes what stays the same when a person writes it in another way: the e-mail
// address without its tag and case, the end of the phone number.
func hashPayer(key []byte, who Payer) payerHashes {
	return payerHashes{
		email: keyedHash(key, "email", mailbox(who.Email)),
		phone: keyedHash(key, "phone", subscriber(who.Phone)),
		card:  keyedHash(key, "card", who.Card),
	}
}

// hashPayerWhole hashes the whole address and number, as rows of version 1 have them.
func hashPayerWhole(key []byte, who Payer) payerHashes {
	return payerHashes{
		email: keyedHash(key, "email", api.LowerASCII(strings.TrimSpace(who.Email))),
		phone: keyedHash(key, "phone", digits(who.Phone)),
	}
}

// mailbox is an e-mail address without its tag, folded: "Ada+shop@Example.org" is
// "ada@example.org".
func mailbox(email string) string {
	email = strings.Map(fold, strings.TrimSpace(email))
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return email
	}
	name, _, _ := strings.Cut(email[:at], "+")
	return cmp.Or(name, email[:at]) + email[at:]
}

// fold returns one letter for all that differ in case only, such as the K of kelvins and k.
func fold(r rune) rune {
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return unicode.ToLower(least)
}

// subscriber is the end of a phone number, which is the same with and without country and
// trunk prefixes.
func subscriber(phone string) string {
	const length = 9
	all := digits(phone)
	return all[max(0, len(all)-length):]
}

// A Likeness is in what an attempt resembles a payment of the same amount.
type Likeness uint8

// The likenesses. [NoCustomer] is that neither has a link or a customer, so that they cannot be
// told apart.
const (
	SameCard Likeness = 1 << iota
	SameEmail
	SamePhone
	SameLink
	SameName // of a link
	NoCustomer
)

// mayBe reports whether an attempt may be r although nothing else is alike: it is not known what the
// attempt made or charged, and it is a payment of the same amount, or a link from before names were
// recorded.
func (a *row) mayBe(r *row) bool {
	return (a.IsUnresolved() || a.Mismatch.Undecided()) && (r.Kind == Initiate || a.Draft.Name == "")
}

// likeLink compares the names of two links: letter case and the blanks around them do not count.
func (r *row) likeLink(_ payerHashes, earlier *row) Likeness {
	if strings.EqualFold(strings.TrimSpace(earlier.Draft.Name), strings.TrimSpace(r.Draft.Name)) {
		return SameName
	}
	return 0
}

// likePayment compares a payment, by its hashes of both kinds, with an earlier one.
func (r *row) likePayment(whole payerHashes, earlier *row) (all Likeness) {
	for _, c := range []struct {
		like  Likeness
		of    string
		among [2]string
	}{
		{SameCard, earlier.payer.card, [2]string{r.payer.card}},
		{SameEmail, earlier.payer.email, [2]string{r.payer.email, whole.email}},
		{SamePhone, earlier.payer.phone, [2]string{r.payer.phone, whole.phone}},
		{SameLink, string(earlier.Link), [2]string{string(r.Link)}},
	} {
		if c.of != "" && (c.of == c.among[0] || c.of == c.among[1]) {
			all |= c.like
		}
	}
	if r.isAnonymous() && earlier.isAnonymous() {
		all |= NoCustomer
	}
	return all
}

func (r *row) isAnonymous() bool { return string(r.Link)+r.payer.email+r.payer.phone == "" }
