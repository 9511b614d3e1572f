package present

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/ledger"
	"paydesk/ui"
)

// maxDuplicates limits how many duplicates get a line each; the others are listed by their short IDs.
const maxDuplicates = 3

// Duplicates are earlier attempts, newest first, that resemble one that the journal stopped: nothing
// was sent. To send it anyway the person types the short ID of the newest.
type Duplicates struct {
	attempts []ledger.Attempt
	alike    map[ledger.ID]ledger.Likeness
	place    ledger.Destination // where it would have been sent
	at       time.Time          // when they were found
}

// NewDuplicates returns what the journal found at a time.
func NewDuplicates(found *ledger.Duplicate, at time.Time) Duplicates {
	attempts := slices.Clone(found.Attempts)
	slices.SortStableFunc(attempts, func(a, b ledger.Attempt) int { return b.At.Compare(a.At) })
	return Duplicates{attempts, found.Alike, found.Place, at}
}

// Any reports whether there are duplicates.
func (d Duplicates) Any() bool { return len(d.attempts) > 0 }

// IDs returns the IDs of the duplicates that the person has seen.
func (d Duplicates) IDs() []ledger.ID {
	ids := make([]ledger.ID, len(d.attempts))
	for i, a := range d.attempts {
		ids[i] = a.ID
	}
	return ids
}

// Question asks whether to send it anyway.
func (d Duplicates) Question(target Target) ui.Question {
	q := ui.Question{
		Title: "Send it anyway?", Place: target.String(),
		Yes: "Send another", No: "Go back", Typed: d.attempts[0].ID.Short(), Closed: target.Closes(),
	}
	if d.attempts[0].Kind == ledger.CreateLink {
		q.Title, q.Yes = "Create it anyway?", "Create another"
	}
	return q
}

// Lines lists the duplicates. Those that get no line of their own still have their short ID, by
// which they can be found in the activity.
func (d Duplicates) Lines(t *ui.Theme, w int) []string {
	if !d.Any() {
		return nil
	}
	lines := t.MarkLines(ui.ToneAct, "Nothing was sent: this looks like a duplicate.", w)
	roomy := len(d.attempts) < maxDuplicates
	for _, a := range d.attempts[:min(len(d.attempts), maxDuplicates)] {
		lines = append(lines, d.about(t, a, w, roomy)...)
	}
	if len(d.attempts) > maxDuplicates {
		var ids []string
		for _, a := range d.attempts[maxDuplicates:] {
			ids = append(ids, a.ID.Short())
		}
		lines = append(lines, ui.Fit("and "+Thousands(len(ids))+" more: "+strings.Join(ids, " "), w))
	}
	return lines
}

// about describes a duplicate, the most distinctive part first: in one line, or where there is room
// in as many as it takes.
func (d Duplicates) about(t *ui.Theme, a ledger.Attempt, w int, roomy bool) []string {
	status := AttemptCell(a, d.at)
	what := []string{t.Strong.Render(a.ID.Short()), When(a.At, d.at.Local()), Amount(a), t.Mark(status.Tone, status.Text), Subject(a)}
	why := JoinWords(", ", Alike(d.alike[a.ID]), Elsewhere(d.place, a.Destination))
	whose := JoinWords(" · ", a.Reference.String(), string(a.Link), Plain(a.Draft.Name), Plain(a.By.User))
	if !roomy {
		return []string{ui.Fit(JoinWords("  ", what[0], what[1], what[3], why, what[2], what[4], whose), w)}
	}
	first, rest := JoinWords("  ", what...), JoinWords(" · ", why, whose)
	if line := JoinWords("  ", first, rest); ansi.StringWidth(line) <= w {
		return []string{line}
	}
	lines := []string{ui.Fit(first, w)}
	for _, l := range ui.Wrap(rest, max(w-len(indent), 1)) {
		lines = append(lines, ui.Fit(indent+l, w))
	}
	return lines
}

const indent = "      " // a short ID and its gap

// JoinWords joins the words that are not empty.
func JoinWords(gap string, words ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "" }), gap)
}

// Alike words in what an attempt resembles a payment or a link, besides the amount: "same card,
// e-mail".
func Alike(l ledger.Likeness) string {
	var same []string
	for _, c := range []struct {
		like ledger.Likeness
		word string
	}{
		{ledger.SameCard, "card"}, {ledger.SameEmail, "e-mail"}, {ledger.SamePhone, "phone"},
		{ledger.SameLink, "link"}, {ledger.SameName, "name"},
	} {
		if l&c.like != 0 {
			same = append(same, c.word)
		}
	}
	switch {
	case same != nil:
		return "same " + strings.Join(same, ", ")
	case l&ledger.NoCustomer != 0:
		return "both without a customer"
	}
	return ""
}
