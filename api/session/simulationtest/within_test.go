package main

import (
	"slices"
	"time"
)

// within are promises of what only the simulation sees: when a console was locked, and whose each question was.
var within = []promise{
	{"What is confirmed is sent within 100 seconds, or not at all.", sentSoon},
	{"Nothing is sent while sending is locked, and no live card unless the profile allows it.", notWhileLocked},
	{"A payment is not finalized again while the outcome of a finalize may be success.", finalizedOnce},
	{"What is recorded is what the facts amount to, and the facts are those that were written.", agreesWithTheFacts},
	{"A service is asked within bounds, and not while it asks to wait.", asksPolitely},
}

const (
	repeatFin  = 60 * time.Second // a finalize without an answer may be repeated
	unlockTime = 5 * time.Minute  // how long an unlock lasts
)

func sentSoon(h *History, broken report) {
	for _, r := range h.sends() {
		if a, confirmed := h.act(r.Confirmation); confirmed && r.At.Sub(a.At) > soon {
			broken("%v: confirmed %v before", r, r.At.Sub(a.At))
		}
	}
}

func agreesWithTheFacts(h *History, broken report) {
	for _, differs := range h.Audit {
		broken("%s", differs)
	}
}

func notWhileLocked(h *History, broken report) {
	for _, r := range h.sends() {
		var live, open, closed bool
		var until time.Time
		begun := r.At // the gate is passed when it is confirmed
		if a, is := h.act(r.Confirmation); is {
			begun = a.At
		}
		for _, a := range h.Acts {
			if a.Console != r.Console || r.Console == "" || begun.Before(a.At) {
				continue
			}
			switch a.Did {
			case "open", "open live":
				live, open, until, closed = a.Did == "open live", true, time.Time{}, false
			case "unlock":
				until = a.At.Add(unlockTime)
			case "lock":
				until = time.Time{}
			case "hide":
				until, closed = time.Time{}, true
			case "show":
				closed = false
			case "contradiction":
				closed = true
			case "contradiction read":
				closed = false
			}
		}
		switch {
		case !open:
		case closed, live && !begun.Before(until):
			broken("%v: it was locked", r)
		case live && r.Card:
			broken("%v: a live card", r)
		}
	}
}

func finalizedOnce(h *History, broken report) {
	if slices.ContainsFunc(h.Acts, func(a Act) bool { return a.Did == "export" }) {
		return // what went away is no longer known
	}
	var before []Request
	for _, r := range h.sends() {
		if !r.finalizes() {
			continue
		}
		for _, o := range before {
			accepted := o.succeeded() && o.AnsweredAt.Before(r.At)
			if o.Reference == r.Reference && (accepted || !o.rejected() && r.At.Sub(o.At) < repeatFin && !h.decidedFinalize(o.Reference) && !h.failed(o.Reference, r.At)) {
				broken("%v: after %v", r, o)
			}
		}
		before = append(before, r)
	}
}

func (h *History) decidedFinalize(reference string) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool { return a.Did == "decide" && a.Done && a.Reference == reference })
}

// reading is how long an answer may take to be read. What is asked in the same moment of fake time crosses it.
const reading = time.Millisecond

func asksPolitely(h *History, broken report) {
	begun := map[string][]Request{}
	for _, r := range h.Requests {
		if !r.asks() || r.Console == "" || h.checked(r, "check") {
			continue
		}
		all := append(begun[r.Console], r)
		begun[r.Console] = all
		if n := len(all); n > 10 && r.At.Sub(all[n-11].At) < time.Second {
			broken("%v: the eleventh within a second", r)
		}
		if h.forNothing(r, all) && !h.checked(r, "watch", "open", "open live", "key") {
			broken("%v: nothing more can come of it", r)
		}
		for _, o := range all {
			until := o.AnsweredAt.Add(time.Duration(o.RetryAfter) * time.Second)
			if o.RetryAfter > 0 && !o.Lost && r.At.Sub(o.AnsweredAt) > reading && r.At.Before(until) && !h.changed(r, o, "open", "open live") {
				broken("%v: %s was asked to wait until %v", r, r.Console, until)
			}
		}
	}
}

// forNothing reports whether a question was answered for good to a console before, or its key was rejected, and neither is
// it another now nor did a person ask since: a question without an answer is asked again.
func (h *History) forNothing(r Request, earlier []Request) bool {
	var last Request
	for _, o := range earlier {
		if o.states() != "" && o.Reference == r.Reference && o.AnsweredAt.Before(r.At) && r.At.Sub(o.AnsweredAt) > time.Second && !h.lost(o.AnsweredAt) {
			return true
		}
		if !o.Lost && o.HTTP > 0 && o.AnsweredAt.Before(r.At) && o.AnsweredAt.After(last.AnsweredAt) {
			last = o
		}
	}
	return last.HTTP == 401 && r.At.Sub(last.AnsweredAt) > time.Second && !h.changed(r, last, "key", "watch")
}

// changed reports whether something was done at the console of a request after the answer to an earlier one.
func (h *History) changed(r, earlier Request, by ...string) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool {
		return slices.Contains(by, a.Did) && a.Console == r.Console && earlier.AnsweredAt.Before(a.At) && a.At.Before(r.At)
	})
}

// checked reports whether a person asked for it just then, or while the console was asked to wait, which has just ended.
func (h *History) checked(r Request, by ...string) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool {
		if !slices.Contains(by, a.Did) || a.Console != r.Console || a.Reference != r.Reference && a.Reference != "" || !a.At.Before(r.At) {
			return false
		}
		free := a.At
		for _, o := range h.Requests {
			if until := o.AnsweredAt.Add(time.Duration(o.RetryAfter) * time.Second); o.RetryAfter > 0 && o.Console == r.Console && o.AnsweredAt.Before(r.At) && until.After(free) {
				free = until
			}
		}
		return r.At.Sub(free) < time.Second
	})
}
