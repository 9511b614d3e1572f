package ledger

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// A Payer identifies who pays. Only keyed hashes of it are stored.
type Payer struct {
	Email, Phone string
	Card         string // last four, brand and expiry; "" for other channels
}

// Marks are the keyed hashes of a payer: enough to recognise the same one, and
// meaningless without the key. What is not given stays "".
type Marks struct {
	Email string `json:"email,omitzero"`
	Phone string `json:"phone,omitzero"`
	Card  string `json:"card,omitzero"`
}

// isAnother reports whether two payers are known to be different: what both have given is not the same.
func (m Marks) isAnother(o Marks) bool {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differ(m.Email, o.Email) || differ(m.Phone, o.Phone)
}

// Marks hashes what stays the same when a person writes it in another way: the e-mail
// address without its tag and case, the end of the phone number.
func (p Payer) Marks(key []byte) Marks {
	return Marks{
		Email: KeyedHash(key, "email", mailbox(p.Email)),
		Phone: KeyedHash(key, "phone", subscriber(p.Phone)),
		Card:  KeyedHash(key, "card", p.Card),
	}
}

// KeyedHash returns the hash of a text of a kind; "" for an empty text.
func KeyedHash(key []byte, kind, text string) string {
	if text == "" {
		return ""
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil)[:16])
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
	all := Digits(phone)
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

// mayBe reports whether an attempt may be e although nothing else is alike: it is not known what the
// attempt made or charged, and it is a payment of the same amount, or a link without a name.
func (o Entry) mayBe(e *Entry) bool {
	return (o.IsUnresolved() || o.Mismatch.Undecided()) && (e.Kind == Initiate || o.Draft.Name == "")
}

// likeLink compares the names of two links: letter case and the blanks around them do not count.
func (e *Entry) likeLink(earlier Entry) Likeness {
	if strings.EqualFold(strings.TrimSpace(earlier.Draft.Name), strings.TrimSpace(e.Draft.Name)) {
		return SameName
	}
	return 0
}

// likePayment compares a payment with an earlier one.
func (e *Entry) likePayment(earlier Entry) (all Likeness) {
	for like, same := range map[Likeness][2]string{
		SameCard:  {e.Payer.Card, earlier.Payer.Card},
		SameEmail: {e.Payer.Email, earlier.Payer.Email},
		SamePhone: {e.Payer.Phone, earlier.Payer.Phone},
		SameLink:  {string(e.Link), string(earlier.Link)},
	} {
		if same[0] != "" && same[0] == same[1] {
			all |= like
		}
	}
	if e.isAnonymous() && earlier.isAnonymous() {
		all |= NoCustomer
	}
	return all
}

func (e Entry) isAnonymous() bool { return string(e.Link)+e.Payer.Email+e.Payer.Phone == "" }
