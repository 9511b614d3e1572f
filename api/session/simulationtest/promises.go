package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A promise is a sentence, and what reports where a history breaks it.
type promise struct {
	sentence string
	check    func(*History, report)
}

// A report is told what breaks a promise, formatted as by fmt.
type report func(format string, args ...any)

// brokenBy returns what breaks the promise.
func (p promise) brokenBy(h *History) (found []string) {
	p.check(h, func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) })
	return found
}

// promises are all of them.
var promises = []promise{
	{"A confirmation sends at most one request that changes something.", atMostOnce},
	{"What is sent was recorded before its first byte.", recordedFirst},
	{"What people are told of an attempt is what came of it.", toldTruly},
	{"Every answer that was received is in the ledger.", keptAnswers},
	{"Nothing is SUCCESSFUL or FAILED that the status endpoint did not call so, and that stays.", onlyTheStatus},
	{"A person was asked about each look-alike.", askedAboutLookalikes},
	{"One decides, and one takes.", oneDecides},
	{"A purge takes only what is done.", purgesWhatIsDone},
	{"One payment is one attempt's.", oneAttempt},
	{"Folding the facts gives the entry.", foldsToTheEntry},
	{"A journal that goes back sends nothing before a person has acknowledged that.", lossIsAcknowledged},
}

const (
	soon      = 100 * time.Second
	lookback  = 10 * time.Minute // a look-alike is asked about
	leaseTime = 15 * time.Minute
)

func atMostOnce(h *History, broken report) {
	sends := h.sends()
	for i, r := range sends {
		confirmed, sent := 0, 1
		for _, a := range h.Acts {
			if r.confirmedBy(a) {
				confirmed++
			}
		}
		for _, o := range sends[:i] {
			if o.Path == r.Path && o.Confirmation == r.Confirmation && o.Reference == r.Reference {
				sent++
			}
		}
		if sent > confirmed {
			broken("%v: sent %d times, confirmed %d times", r, sent, confirmed)
		}
	}
}

// confirmedBy reports whether a person confirmed a request by an act before it came.
func (r Request) confirmedBy(a Act) bool {
	return !r.At.Before(a.At) && (r.finalizes() && a.Did == "finalize" && a.Reference == r.Reference || r.Confirmation != "" && a.Confirmation == r.Confirmation)
}

func recordedFirst(h *History, broken report) {
	for _, r := range h.sends() {
		recorded := slices.ContainsFunc(h.Ledger, func(e Entry) bool {
			is := e.ID == r.Attempt || e.Kind == "link" && e.Description == r.Confirmation || r.finalizes() && e.Kind == "finalize" && e.Reference == r.Reference
			return is && !e.At.After(r.At)
		})
		if r.Recorded != nil {
			recorded = *r.Recorded
		}
		// It may have been recorded until memory was taken away.
		if !recorded && slices.ContainsFunc(h.Acts, func(a Act) bool { return r.confirmedBy(a) && !h.lost(a.At) }) {
			broken("%v: not recorded when it came", r)
		}
	}
}

// certain orders outcomes by how much is known.
var certain = map[string]int{"": 0, "sent": 0, "unresolved": 1, "not sent": 2, "refused": 2, "accepted": 3}

func toldTruly(h *History, broken report) {
	for _, s := range h.Said {
		r, sent := find(h.Requests, func(r Request) bool { return s.Confirmation != "" && r.IsSend() && r.Confirmation == s.Confirmation })
		e, has := entryOf(h.Ledger, s.Attempt)
		switch {
		case s.Said == "status":
		case sent && (s.Said == "not sent" || s.Said == "held back"),
			sent && s.Said == "refused" && !r.rejected() && r.HTTP/100 != 4,
			sent && s.Said == "accepted" && !r.succeeded():
			broken("%s was said to be %s: %v", s.Confirmation, s.Said, r)
		case !sent && s.Said == "accepted" && s.Did != "finalize":
			broken("%s was said to be accepted, and nothing was sent", s.Confirmation)
		case s.Attempt == "" || h.wentAway(s.Attempt, s.At):
		case !has || certain[e.Outcome] < certain[s.Said] || s.Said == "accepted" && e.Kind == "initiate" && e.Reference != s.Reference:
			broken("%s was said to be %s %s: attempt %s is %q %q in the ledger", s.Confirmation, s.Said, s.Reference, s.Attempt, e.Outcome, e.Reference)
		}
	}
}

// keptAnswers holds the ledger against each answer that a console received: to an initiation, and of the status endpoint
// about a payment since it was accepted here. What was asked about its reference before counts as well, without a mismatch.
func keptAnswers(h *History, broken report) {
	for _, r := range h.sends() {
		e, _ := entryOf(h.Ledger, r.Attempt)
		isAccepted := r.succeeded() && r.HTTP/100 == 2 && r.AnsweredReference != "" && !h.wasTaken(r)
		_, isDecided := h.decision(r.Attempt, time.Time{})
		first, last := h.settled(e.Reference, func(time.Time) bool { return true }), h.settled(e.Reference, r.AnsweredAt.Before)
		switch {
		case !r.initiates() || h.wentAway(r.Attempt, r.At):
		case isAccepted && (e.Outcome != "accepted" || !strings.EqualFold(e.Reference, r.AnsweredReference)), r.rejected() && r.HTTP/100 == 2 && e.Outcome != "refused":
			broken("%v: the ledger says %q %s", r, e.Outcome, e.Reference)
		case last.states() != "" && !r.AnsweredAt.IsZero() && e.Outcome == "accepted" && !isDecided && !h.lost(time.Time{}) && e.Status != last.states() && e.Status != first.states():
			broken("attempt %s is %q in the ledger: %v", e.ID, e.Status, last)
		}
	}
}

// wasTaken reports whether the reference of an answer was known before it to be another payment's.
func (h *History) wasTaken(r Request) bool {
	return slices.ContainsFunc(h.Requests, func(o Request) bool {
		return o.initiates() && o.Attempt != r.Attempt && strings.EqualFold(o.AnsweredReference, r.AnsweredReference) && !o.Lost
	}) || slices.ContainsFunc(h.Acts, func(a Act) bool {
		return a.Decision == "found" && strings.EqualFold(a.Reference, r.AnsweredReference) && a.Done
	})
}

func onlyTheStatus(h *History, broken report) {
	claims := slices.DeleteFunc(slices.Clone(h.Said), func(s Said) bool { return s.Said != "status" })
	for _, e := range h.Ledger {
		claim := Said{Console: "the ledger, " + e.ID, Reference: e.Reference, Status: e.Status}
		if e.Kind == "finalize" && e.Outcome == "accepted" && !slices.ContainsFunc(h.Requests, func(r Request) bool {
			return r.finalizes() && r.Reference == e.Reference && r.succeeded()
		}) {
			claim.Status = "SUCCESSFUL"
		}
		claims = append(claims, claim)
	}
	// A payment may have become another attempt's, or what was known of it went away.
	moved := slices.ContainsFunc(h.Acts, func(a Act) bool { return a.Did == "export" || a.Did == "decide" && a.Done })
	shown := map[string]string{}
	for _, s := range claims {
		is, where := final(s.Status), s.Console+" "+s.Reference
		if is != "" && !slices.ContainsFunc(h.Requests, func(r Request) bool {
			return r.states() == is && strings.EqualFold(r.Reference, s.Reference) && (s.At.IsZero() || !s.At.Before(r.AnsweredAt))
		}) {
			broken("%s said that %s is %s", s.Console, s.Reference, s.Status)
		}
		if was := shown[where]; was != "" && is != was && !moved {
			broken("%s said that %s is %s, after %s", s.Console, s.Reference, s.Status, was)
		}
		shown[where] = is
	}
}

// askedAboutLookalikes compares each two payments of one amount that may both have been made.
func askedAboutLookalikes(h *History, broken report) {
	sends := slices.DeleteFunc(h.sends(), Request.finalizes)
	for i, b := range sends {
		for _, a := range sends[:i] {
			first, second := a, b
			earlier, is := h.act(first.Confirmation)
			later, both := h.act(second.Confirmation)
			if later.At.Before(earlier.At) {
				earlier, later, first, second = later, earlier, second, first
			}
			isSame := is && both && first.initiates() == second.initiates() && first.Amount == second.Amount && first.Currency == second.Currency
			isAllowed := slices.Contains(later.Allowed, first.Attempt) || slices.Contains(later.Allowed, earlier.Confirmation)
			if why := h.mustAsk(first, earlier, second, later); isSame && !isAllowed && why != "" {
				broken("%v was sent, and nobody was asked about %v, %s", second, first, why)
			}
		}
	}
}

// mustAsk says why a person had to be asked about an earlier request; "" where none had to.
func (h *History) mustAsk(first Request, earlier Act, second Request, later Act) string {
	told, _ := find(h.Said, func(s Said) bool { return s.Confirmation == first.Confirmation && s.At.Before(later.At) })
	last, _ := h.decision(first.Attempt, later.At)
	if found, is := h.decision(first.Attempt, later.At, "found"); is {
		first.AnsweredReference = found.Reference
	}
	unknown := first.initiates() && told.Said != "accepted" && (last.Decision == "" || last.Decision == "taken back")
	differs, age := h.differed(first, later.At), later.At.Sub(earlier.At)
	alike := first.Link != "" && first.Link == second.Link || slices.ContainsFunc(first.Payer, func(p string) bool { return slices.Contains(second.Payer, p) }) ||
		first.Name != "" && strings.EqualFold(strings.TrimSpace(first.Name), strings.TrimSpace(second.Name))
	alike = alike && age <= lookback-time.Second
	switch {
	case h.wentAway(first.Attempt, first.At), first.rejected() && first.AnsweredAt.Before(later.At), told.Said == "refused",
		last.Decision == "not found" && first.At.Before(last.At):
		return ""
	case last.Decision == "not found":
		return "which left after somebody had decided that it was not found"
	case differs && !alike, !differs && h.failed(first.AnsweredReference, later.At):
		return ""
	case unknown && (told.Said == "unresolved" || age > soon+10*time.Second):
		return "of which nobody knows what it did"
	case alike:
		return "which is like it"
	}
	return ""
}

// differed reports whether any answer about a payment was about another amount or payment.
func (h *History) differed(first Request, before time.Time) bool {
	return slices.ContainsFunc(h.Requests, func(r Request) bool {
		ours := r.Attempt == first.Attempt && r.initiates() || r.asks() && first.AnsweredReference != "" && r.Reference == first.AnsweredReference
		return ours && !r.Lost && r.HTTP/100 == 2 && r.AnsweredAt.Before(before) &&
			(r.AnsweredAmount != "" && r.AnsweredAmount != first.Amount || r.asks() && r.AnsweredReference != "" && r.AnsweredReference != r.Reference)
	})
}

// failed reports whether the status endpoint first called a payment final by the word of a failure.
func (h *History) failed(reference string, before time.Time) bool {
	return h.settled(reference, func(at time.Time) bool { return at.Before(before) }).states() == "FAILED"
}

func oneDecides(h *History, broken report) {
	saw, held := map[string]Act{}, map[string]Act{} // held by attempt
	for _, a := range h.Acts {
		e, _ := entryOf(h.Ledger, a.Attempt)
		other, twice := saw[a.Attempt+" "+a.Saw]
		holder := held[a.Attempt]
		another := holder.Who != "" && holder.Who != a.Who && a.At.Sub(holder.At) < leaseTime-time.Second
		switch {
		case !a.Done || h.lost(time.Time{}):
		case a.Did == "release" && !another:
			delete(held, a.Attempt)
		case another && (a.Did == "decide" || a.Did == "take" && a.Saw != holder.Who):
			broken("%s: %s %s, which %s had taken", a.Who, a.Did, a.Attempt, holder.Who)
		case a.Did == "take":
			held[a.Attempt] = a
		case a.Did == "decide" && a.Decision == "not found" && a.At.Sub(e.At) < lookback-time.Second:
			broken("%s decided that %s was not found, %v after it was sent", a.Who, a.Attempt, a.At.Sub(e.At))
		case a.Did == "decide" && twice:
			broken("%s and %s both decided about %s as %q: %s, %s", other.Who, a.Who, a.Attempt, a.Saw, other.Decision, a.Decision)
		case a.Did == "decide":
			saw[a.Attempt+" "+a.Saw] = a
			delete(held, a.Attempt)
		}
	}
}

func purgesWhatIsDone(h *History, broken report) {
	for _, a := range h.Acts {
		before, after := h.around(a.At)
		for _, e := range before {
			_, kept := entryOf(after, e.ID)
			isOpen := e.Outcome == "sent" || e.Outcome == "unresolved" && e.Verdict == "" || e.Mismatch != "" && e.MismatchVerdict == ""
			if a.Did == "purge" && !kept && (isOpen || !e.At.Before(a.Before)) {
				broken("the purge of what is before %v took %+v", a.Before, e)
			}
		}
	}
}

func oneAttempt(h *History, broken report) {
	for i, e := range h.Ledger {
		other, is := find(h.Ledger[:i], func(o Entry) bool { return o.Kind == e.Kind && strings.EqualFold(o.Reference, e.Reference) })
		if is && e.Kind == "initiate" && e.Reference != "" {
			broken("attempts %s and %s both have %s", e.ID, other.ID, e.Reference)
		}
	}
}

func foldsToTheEntry(h *History, broken report) {
	for _, f := range h.Facts {
		e, _ := entryOf(h.Ledger, f.ID) // without an outcome where there is none
		_, isDecided := h.decision(f.ID, time.Time{})
		outcome, verdict, status := f.fold(e.Verdict)
		switch {
		case outcome != e.Outcome && !(outcome == "sent" && e.Outcome == "unresolved"):
			broken("attempt %s is %q, and its facts say %q", f.ID, e.Outcome, outcome)
		case verdict != e.Verdict:
			broken("attempt %s is decided as %q, and its facts say %q", f.ID, e.Verdict, verdict)
		case e.Kind == "initiate" && e.Outcome == "accepted" && status != final(e.Status) && !isDecided && !h.lost(time.Time{}):
			broken("attempt %s is %s, and its facts say %s", f.ID, e.Status, status)
		}
	}
}

// fold returns what facts come to: the most certain outcome, the last decision or else the one that is given, and the
// first final status since it was accepted.
func (f Facts) fold(given string) (outcome, verdict, status string) {
	for _, x := range f.History {
		switch {
		case certain[x.What] > certain[outcome] || x.What == "sent" && outcome == "":
			outcome, status = x.What, ""
		case x.What == "decided" && x.Detail != "":
			given = ""
			switch word, _, _ := strings.Cut(x.Detail, " as "); word {
			case "taken back":
				verdict = ""
			case "found", "not found", "gave up", "no longer followed", "difference read":
				verdict = word
			}
		case x.What == "status" && x.Source != "initiate" && status == "":
			status = final(cmp.Or(x.Detail, x.Words))
		}
	}
	return outcome, cmp.Or(verdict, given), status
}

func lossIsAcknowledged(h *History, broken report) {
	for _, loss := range h.Acts {
		before, after := h.around(loss.At)
		isLost := slices.ContainsFunc(before, func(e Entry) bool { return !slices.Contains(after, e) })
		for _, r := range h.sends() {
			a, _ := h.act(r.Confirmation)
			isRead := slices.ContainsFunc(h.Acts, func(o Act) bool { return o.Did == "acknowledge" && o.Done && loss.At.Before(o.At) && o.At.Before(r.At) })
			if isLost && slices.Contains(losses, loss.Did) && loss.At.Before(a.At) && !isRead {
				broken("%v: after the loss at %v (%s)", r, loss.At, loss.Did)
			}
		}
	}
}
