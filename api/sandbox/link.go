package sandbox

import (
	"slices"
	"time"
)

type link struct {
	id, name, description, alias string
	reusable, dynamic            bool
	amount                       int64 // hundredths; only a suggestion when dynamic
	currency                     string
	made                         time.Time
	last                         *payment // the link's latest payment
}

const (
	maxLinkText = 200
	maxLinks    = 10_000 // that are kept, the newest
)

// createLink creates a payment link (endpoint 2).
func (s *Sandbox) createLink(c call) *answer {
	l := s.readLinkDraft(c.body)
	if no := c.refusal(); no != nil {
		return no
	}
	l.id = uuid(s.random)
	l.alias = drawUnused(s.links, func() string { return "0-" + pick(s.random, base36, 7) })
	l.made = c.now
	s.keepLink(l)
	return ok(objectNode("value", s.linkValue(l), "isSuccess", true, "message", "The payment link was created."))
}

// keepLink stores a new link and drops the oldest when there are too many.
func (s *Sandbox) keepLink(l *link) {
	s.links[l.alias] = l
	s.orderedLinks = append(s.orderedLinks, l)
	if len(s.orderedLinks) > maxLinks {
		oldest := s.orderedLinks[0]
		s.orderedLinks = slices.Delete(s.orderedLinks, 0, 1)
		delete(s.links, oldest.alias)
	}
}

// readLinkDraft reads and validates the request; violations are collected in its
// reading.
func (s *Sandbox) readLinkDraft(b *object) *link {
	l := &link{name: b.requiredText("name"), description: b.limitedText("description", maxLinkText)}
	b.limitedText("name", maxLinkText)
	if slices.ContainsFunc(s.orderedLinks, func(other *link) bool { return other.name == l.name }) {
		b.invalid("name", "is the name of another link")
	}
	for _, field := range []string{"name", "description"} {
		if holdsCardNumber(b.text(field)) {
			b.invalid(field, "holds what looks like a card number")
		}
	}
	l.reusable = b.integer("linkType", 0, 1) == 1
	if b.value("amountType") != nil { // static when left out
		l.dynamic = b.integer("amountType", 0, 1) == 1
	}
	l.currency = b.requiredText("currencyCode")
	if l.currency != "" && channelsOf[l.currency] == nil {
		b.invalid("currencyCode", mustBeCurrency())
	}
	if i := b.part("amountInfo", true); i != nil {
		same := i.requiredText("currencyCode") == l.currency
		if !same && b.sound("currencyCode") && i.sound("currencyCode") {
			i.invalid("currencyCode", "must be the same as currencyCode")
		}
		least := int64(minAmount)
		if l.dynamic {
			least = 0
		}
		l.amount = i.amount("amount", least)
	}
	return l
}

// linkValue is the value of the response to creating a link (2.8), with the URL of its page.
func (s *Sandbox) linkValue(l *link) node {
	linkType, amountType := "OneTime", "Static"
	if l.reusable {
		linkType = "Reuseable" // as the specification spells it (2.8)
	}
	if l.dynamic {
		amountType = "Dynamic"
	}
	v := objectNode(
		"id", l.id,
		"name", l.name,
		"description", l.description,
		"alias", l.alias,
		"link", s.origin+linkPath+l.alias,
		"amountInfo", currencyAmount{l.currency, formatMajor(l.amount)},
		"linkType", linkType,
		"status", "New",
		"createdDate", l.made.UTC().Format(wireTime),
		"environment", s.options.Environment,
	)
	if s.switches.is("link.extras", "on") {
		v.add("amountType", amountType)
		v.add("supportEmail", "support@sandbox.example")
		v.add("logo", "")
	}
	return v
}

// used reports whether a one-time link is used up by a payment that has not failed. Only
// the latest payment counts: it was accepted because those before it had failed.
func (l *link) used(now time.Time) bool {
	return !l.reusable && l.last != nil && l.last.at(now) != failed
}

// readLink reads the link of an initiation and checks the payment against it.
func (s *Sandbox) readLink(b, part *object, q request, now time.Time) *link {
	alias := part.requiredText("alias")
	if alias == "" {
		return nil
	}
	l := s.links[alias]
	switch {
	case l == nil:
		part.invalid("alias", "is not the alias of a link")
		return nil
	case l.used(now):
		part.invalid("alias", "belongs to a one-time link that was used")
	case q.currency != l.currency && b.sound("currency"):
		b.invalid("currency", "must be the currency of the link")
	case !l.dynamic && q.amount != l.amount && b.sound("amount"):
		b.invalid("amount", "must be the amount of the link")
	}
	return l
}
