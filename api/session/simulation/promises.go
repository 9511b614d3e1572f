package main

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A promise is a sentence, and what finds where a history breaks it.
type promise struct {
	sentence string
	check    func(*History) []string
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

func atMostOnce(h *History) (found []string) {
	for i, r := range h.sends() {
		confirmed, sent := 0, 1
		for _, a := range h.Acts {
			if !r.Moment.Before(a.Moment) && (r.finalizes() && a.Did == "finalize" && a.Reference == r.Reference || r.Confirmation != "" && a.Confirmation == r.Confirmation) {
				confirmed++
			}
		}
		for _, o := range h.sends()[:i] {
			if o.Path == r.Path && o.Confirmation == r.Confirmation && o.Reference == r.Reference {
				sent++
			}
		}
		if sent > confirmed {
			found = append(found, line("%v: sent %d times, confirmed %d times", r, sent, confirmed))
		}
	}
	return found
}

func recordedFirst(h *History) (found []string) {
	for _, r := range h.sends() {
		e, has := h.entry(r.Attempt)
		begun, known := h.act(r.Confirmation)
		switch {
		case known && h.lost(begun.Moment): // it may have been recorded until memory was taken away
		case r.Recorded != nil && !*r.Recorded:
			found = append(found, line("%v: not recorded when it came", r))
		case r.Recorded != nil:
		case !slices.ContainsFunc(h.Ledger, func(e Entry) bool {
			return e.ID == r.Attempt || e.Kind == "link" && e.Description == r.Confirmation || r.finalizes() && e.Kind == "finalize" && e.Reference == r.Reference
		}):
			found = append(found, line("%v: no attempt of the ledger is it", r))
		case has && e.At.After(r.At):
			found = append(found, line("%v: recorded at %v", r, e.At))
		}
	}
	return found
}

// certain orders outcomes by how much is known.
var certain = map[string]int{"": 0, "sent": 0, "unresolved": 1, "not sent": 2, "refused": 2, "accepted": 3}

func toldTruly(h *History) (found []string) {
	for _, s := range h.Said {
		if s.Said == "status" {
			continue
		}
		i := slices.IndexFunc(h.Requests, func(r Request) bool { return s.Confirmation != "" && r.IsSend() && r.Confirmation == s.Confirmation })
		e, has := h.entry(s.Attempt)
		switch {
		case i >= 0 && (s.Said == "not sent" || s.Said == "held back"):
			found = append(found, line("%s was said to be %s: %v", s.Confirmation, s.Said, h.Requests[i]))
		case i >= 0 && s.Said == "refused" && !h.Requests[i].rejected() && h.Requests[i].HTTP/100 != 4:
			found = append(found, line("%s was said to be refused: %v", s.Confirmation, h.Requests[i]))
		case i >= 0 && s.Said == "accepted" && (h.Requests[i].Lost || h.Requests[i].Success == nil || !*h.Requests[i].Success):
			found = append(found, line("%s was said to be accepted: %v", s.Confirmation, h.Requests[i]))
		case i < 0 && s.Said == "accepted" && s.Did != "finalize":
			found = append(found, line("%s was said to be accepted, and nothing was sent", s.Confirmation))
		case s.Attempt == "" || h.wentAway(s.Attempt, s.Moment):
		case !has:
			found = append(found, line("%s was said to be %s: the ledger has no attempt %s", s.Confirmation, s.Said, s.Attempt))
		case certain[e.Outcome] < certain[s.Said]:
			found = append(found, line("%s was said to be %s: attempt %s is %s in the ledger", s.Confirmation, s.Said, e.ID, e.Outcome))
		case s.Said == "accepted" && e.Kind == "initiate" && e.Reference != s.Reference:
			found = append(found, line("%s was said to be %s: attempt %s is %q in the ledger", s.Confirmation, s.Reference, e.ID, e.Reference))
		}
	}
	return found
}

// keptAnswers holds the ledger against each answer that a console received: to an initiation, and of the status endpoint
// about a payment since it was accepted here.
func keptAnswers(h *History) (found []string) {
	for _, r := range h.sends() {
		if !r.initiates() || r.Lost || r.Success == nil || r.HTTP/100 != 2 || h.wentAway(r.Attempt, r.Moment) {
			continue
		}
		e, _ := h.entry(r.Attempt)
		accepted := *r.Success && r.AnsweredReference != "" && !h.wasTaken(r)
		if accepted && (e.Outcome != "accepted" || !strings.EqualFold(e.Reference, r.AnsweredReference)) || r.rejected() && e.Outcome != "refused" {
			found = append(found, line("%v: the ledger says %q %s", r, e.Outcome, e.Reference))
		}
	}
	for _, e := range h.Ledger {
		if e.Kind != "initiate" || e.Outcome != "accepted" || e.Reference == "" || h.lost(Moment{}) || h.decided(e.ID) {
			continue
		}
		if want, from := h.folded(e); want != "" && e.Status != want {
			found = append(found, line("attempt %s is %q in the ledger: %v", e.ID, e.Status, from))
		}
	}
	return found
}

// wasTaken reports whether the reference of an answer was known before it to be another payment's.
func (h *History) wasTaken(r Request) bool {
	return slices.ContainsFunc(h.Requests, func(o Request) bool {
		return o.initiates() && o.Attempt != r.Attempt && strings.EqualFold(o.AnsweredReference, r.AnsweredReference) && !o.Lost
	}) || slices.ContainsFunc(h.Acts, func(a Act) bool {
		return a.Decision == "found" && strings.EqualFold(a.Reference, r.AnsweredReference) && a.Done
	})
}

func (h *History) decided(attempt string) bool {
	return slices.ContainsFunc(h.Acts, func(a Act) bool { return a.Did == "decide" && a.Attempt == attempt && a.Done })
}

// folded is what the answers about a payment come to, "" where none is final.
func (h *History) folded(e Entry) (status string, from Request) {
	var accepted Moment
	for _, r := range h.Requests {
		if r.Attempt == e.ID && r.initiates() {
			accepted = r.answer()
		}
	}
	if accepted.At.IsZero() {
		return "", from
	}
	for _, r := range h.byAnswer() {
		if r.states() && r.Reference == e.Reference && accepted.Before(r.answer()) && final(r.AnsweredStatus) != "" {
			return final(r.AnsweredStatus), r
		}
	}
	return "", from
}

// byAnswer are the requests in the order of their answers.
func (h *History) byAnswer() []Request {
	all := slices.Clone(h.Requests)
	slices.SortStableFunc(all, func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.AnsweredSeq, b.AnsweredSeq), a.AnsweredAt.Compare(b.AnsweredAt))
	})
	return all
}

func onlyTheStatus(h *History) (found []string) {
	called := func(reference, status string, before Moment) bool {
		return slices.ContainsFunc(h.Requests, func(r Request) bool {
			return r.states() && strings.EqualFold(r.Reference, reference) && final(r.AnsweredStatus) == status && (before.At.IsZero() || !before.Before(r.answer()))
		})
	}
	shown := map[string]string{}
	for _, s := range h.Said {
		if s.Said != "status" {
			continue
		}
		is := final(s.Status)
		if is != "" && !called(s.Reference, is, s.Moment) {
			found = append(found, line("%s said that %s is %s", s.Console, s.Reference, s.Status))
		}
		key := s.Console + " " + s.Reference
		if was := shown[key]; was != "" && is != was && !h.moved() {
			found = append(found, line("%s said that %s is %s, after %s", s.Console, s.Reference, s.Status, was))
		}
		shown[key] = is
	}
	for _, e := range h.Ledger {
		if is := final(e.Status); is != "" && e.Kind == "initiate" && !called(e.Reference, is, Moment{}) {
			found = append(found, line("the ledger says that %s is %s", e.Reference, e.Status))
		}
		if e.Kind == "finalize" && e.Outcome == "accepted" && !called(e.Reference, "SUCCESSFUL", Moment{}) && !slices.ContainsFunc(h.Requests, func(r Request) bool {
			return r.finalizes() && r.Reference == e.Reference && !r.Lost && r.Success != nil && *r.Success
		}) {
			found = append(found, line("the ledger says that %s was finalized", e.Reference))
		}
	}
	return found
}

// moved reports whether a payment may have become another attempt's, or what was known of it went away.
func (h *History) moved() bool {
	return len(h.Exports) > 0 || slices.ContainsFunc(h.Acts, func(a Act) bool { return a.Did == "decide" && a.Done })
}

// askedAboutLookalikes compares each two payments of one amount that may both have been made.
func askedAboutLookalikes(h *History) (found []string) {
	var all []Request
	for _, r := range h.sends() {
		if !r.finalizes() {
			all = append(all, r)
		}
	}
	for i, b := range all {
		for _, a := range all[:i] {
			earlier, is := h.act(a.Confirmation)
			later, both := h.act(b.Confirmation)
			first, second := a, b
			if later.Moment.Before(earlier.Moment) {
				earlier, later, first, second = later, earlier, b, a
			}
			if !is || !both || first.initiates() != second.initiates() || first.Amount != second.Amount || first.Currency != second.Currency ||
				slices.Contains(later.Allowed, first.Attempt) || slices.Contains(later.Allowed, earlier.Confirmation) {
				continue
			}
			if why := h.mustAsk(first, earlier, second, later); why != "" {
				found = append(found, line("%v was sent, and nobody was asked about %v, %s", second, first, why))
			}
		}
	}
	return found
}

// mustAsk says why a person had to be asked about an earlier request; "" where none had to.
func (h *History) mustAsk(first Request, earlier Act, second Request, later Act) string {
	id := first.Attempt
	said, told := h.said(first.Confirmation)
	told = told && said.Moment.Before(later.Moment)
	known := told && (said.Said == "accepted" || said.Said == "refused")
	if h.wentAway(id, first.Moment) || first.rejected() && first.answer().Before(later.Moment) || known && said.Said == "refused" {
		return ""
	}
	alike := first.Link != "" && first.Link == second.Link || slices.ContainsFunc(first.Payer, func(p string) bool { return slices.Contains(second.Payer, p) }) ||
		first.Name != "" && strings.EqualFold(strings.TrimSpace(first.Name), strings.TrimSpace(second.Name))
	age := later.At.Sub(earlier.At)
	verdict, decided := "", Moment{}
	for _, a := range h.Acts {
		if a.Did == "decide" && a.Done && id != "" && a.Attempt == id && a.Moment.Before(later.Moment) {
			verdict, decided = a.Decision, a.Moment
			if verdict == "found" {
				first.AnsweredReference = a.Reference
			}
		}
	}
	undecided := verdict == "" || verdict == "taken back"
	switch {
	case verdict == "not found" && first.Moment.Before(decided):
		return ""
	case verdict == "not found":
		return "which left after somebody had decided that it was not found"
	case h.differed(first, later.Moment):
		if alike && age <= lookback-time.Second {
			return "whose answer differed"
		}
		return ""
	case h.failed(first, later.Moment):
		return ""
	case first.initiates() && !known && undecided && (told && said.Said == "unresolved" || age > soon+10*time.Second):
		return "of which nobody knows what it did"
	case alike && age <= lookback-time.Second:
		return "which is like it"
	}
	return ""
}

// differed reports whether any answer about a payment was about another amount or payment.
func (h *History) differed(first Request, before Moment) bool {
	return slices.ContainsFunc(h.Requests, func(r Request) bool {
		ours := r.Attempt == first.Attempt && r.initiates() || r.asks() && first.AnsweredReference != "" && r.Reference == first.AnsweredReference
		return ours && !r.Lost && r.HTTP/100 == 2 && r.answer().Before(before) &&
			(r.AnsweredAmount != "" && r.AnsweredAmount != first.Amount || r.asks() && r.AnsweredReference != "" && r.AnsweredReference != r.Reference)
	})
}

// failed reports whether the status endpoint first called a payment final by the word of a failure.
func (h *History) failed(first Request, before Moment) bool {
	all := h.byAnswer()
	i := slices.IndexFunc(all, func(r Request) bool {
		return r.states() && first.AnsweredReference != "" && r.Reference == first.AnsweredReference && r.answer().Before(before) && final(r.AnsweredStatus) != ""
	})
	return i >= 0 && final(all[i].AnsweredStatus) == "FAILED"
}

func oneDecides(h *History) (found []string) {
	saw := map[string]Act{}
	held := map[string]Act{} // by attempt
	for _, a := range h.Acts {
		if a.Did == "decide" && a.Done {
			if e, has := h.entry(a.Attempt); a.Decision == "not found" && has && a.At.Sub(e.At) < lookback-time.Second {
				found = append(found, line("%s decided that %s was not found, %v after it was sent", a.Who, a.Attempt, a.At.Sub(e.At)))
			}
			if other, twice := saw[a.Attempt+" "+a.Saw]; twice {
				found = append(found, line("%s and %s both decided about %s as %q: %s, %s", other.Who, a.Who, a.Attempt, a.Saw, other.Decision, a.Decision))
			}
			saw[a.Attempt+" "+a.Saw] = a
		}
		holder, is := held[a.Attempt]
		is = is && a.At.Sub(holder.At) < leaseTime-time.Second
		switch {
		case !a.Done || a.Attempt == "":
		case a.Did == "decide":
			if is && holder.Who != a.Who {
				found = append(found, line("%s decided about %s, which %s had taken", a.Who, a.Attempt, holder.Who))
			}
			delete(held, a.Attempt)
		case a.Did == "release" && is && holder.Who == a.Who:
			delete(held, a.Attempt)
		case a.Did == "take":
			if is && holder.Who != a.Who && a.Saw != holder.Who {
				found = append(found, line("%s took %s unseen from %s", a.Who, a.Attempt, holder.Who))
			}
			held[a.Attempt] = a
		}
	}
	if h.lost(Moment{}) {
		return nil
	}
	return found
}

// between are the acts between an export and the next.
func (h *History) between(i int) (acts []Act) {
	for _, a := range h.Acts {
		if h.Exports[i].Moment.Before(a.Moment) && a.Moment.Before(h.Exports[i+1].Moment) {
			acts = append(acts, a)
		}
	}
	return acts
}

func purgesWhatIsDone(h *History) (found []string) {
	for i := 0; i+1 < len(h.Exports); i++ {
		acts := h.between(i)
		p := slices.IndexFunc(acts, func(a Act) bool { return a.Did == "purge" })
		if p < 0 {
			continue
		}
		for _, e := range h.Exports[i].Entries {
			if _, kept := entryOf(h.Exports[i+1].Entries, e.ID); !kept && (e.open() || !e.At.Before(acts[p].Before)) {
				found = append(found, line("the purge of what is before %v took %+v", acts[p].Before, e))
			}
		}
	}
	return found
}

func oneAttempt(h *History) (found []string) {
	for i, e := range h.Ledger {
		for _, o := range h.Ledger[:i] {
			if e.Kind == "initiate" && o.Kind == e.Kind && e.Reference != "" && strings.EqualFold(e.Reference, o.Reference) {
				found = append(found, line("attempts %s and %s both have %s", e.ID, o.ID, e.Reference))
			}
		}
	}
	return found
}

func foldsToTheEntry(h *History) (found []string) {
	for _, f := range h.Facts {
		e, has := h.entry(f.ID)
		outcome, verdict := "", ""
		status := ""
		for _, x := range f.History {
			switch {
			case certain[x.What] > certain[outcome] || x.What == "sent" && outcome == "":
				outcome, status = x.What, ""
			case x.What == "decided" && x.Detail != "":
				word, _, _ := strings.Cut(x.Detail, " as ")
				switch word {
				case "taken back":
					verdict = ""
				case "found", "not found", "gave up", "no longer followed", "difference read":
					verdict = word
				}
			case x.What == "status" && x.Source != "initiate" && final(status) == "":
				status = cmp.Or(x.Detail, x.Words)
			}
		}
		switch {
		case !has:
			found = append(found, line("attempt %s has facts and no entry", f.ID))
		case outcome == "":
			found = append(found, line("attempt %s: no fact says that it was sent", f.ID))
		case outcome != e.Outcome && !(outcome == "sent" && e.Outcome == "unresolved"):
			found = append(found, line("attempt %s is %s, and its facts say %s", f.ID, e.Outcome, outcome))
		case verdict != e.Verdict && slices.ContainsFunc(f.History, func(x Fact) bool { return x.What == "decided" && x.Detail != "" }):
			found = append(found, line("attempt %s is decided as %q, and its facts say %q", f.ID, e.Verdict, verdict))
		case e.Kind == "initiate" && !h.decided(e.ID) && (final(status) != "" || final(e.Status) != "") && final(status) != final(e.Status) && e.Outcome == "accepted" && !h.lost(Moment{}):
			found = append(found, line("attempt %s is %s, and its facts say %s", f.ID, e.Status, status))
		}
	}
	return found
}

func lossIsAcknowledged(h *History) (found []string) {
	for i := 0; i+1 < len(h.Exports); i++ {
		acts := h.between(i)
		l := slices.IndexFunc(acts, func(a Act) bool { return a.Did != "restore" && slices.Contains(losses, a.Did) })
		if l < 0 || !slices.ContainsFunc(h.Exports[i].Entries, func(e Entry) bool {
			has, still := entryOf(h.Exports[i+1].Entries, e.ID)
			return !still || has != e
		}) {
			continue
		}
		for _, r := range h.sends() {
			a, confirmed := h.act(r.Confirmation)
			if confirmed && acts[l].Moment.Before(a.Moment) && !slices.ContainsFunc(h.Acts, func(o Act) bool {
				return o.Did == "acknowledge" && acts[l].Moment.Before(o.Moment) && o.Moment.Before(r.Moment)
			}) {
				found = append(found, line("%v: after the loss at %v (%s)", r, acts[l].At, acts[l].Did))
			}
		}
	}
	return found
}
