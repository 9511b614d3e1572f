package present

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/ui"
)

// maxDuplicates is how many duplicates get a line each; the others are listed by their short IDs.
const maxDuplicates = 3

// Duplicates are earlier attempts, newest first, that resemble one that the journal stopped: nothing
// was sent. To send it anyway the person types the short ID of the newest.
type Duplicates struct {
	attempts []journal.Attempt
	at       time.Time // when they were found
}

// NewDuplicates is what the journal found at a time.
func NewDuplicates(found []journal.Attempt, at time.Time) Duplicates {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b journal.Attempt) int { return b.At.Compare(a.At) })
	return Duplicates{found, at}
}

// Any reports whether there are duplicates.
func (d Duplicates) Any() bool { return len(d.attempts) > 0 }

// IDs are the duplicates that the person has seen.
func (d Duplicates) IDs() []journal.ID {
	ids := make([]journal.ID, len(d.attempts))
	for i, a := range d.attempts {
		ids[i] = a.ID
	}
	return ids
}

// Question asks whether to send it anyway.
func (d Duplicates) Question(target Target) ui.Question {
	return ui.Question{
		Title: "Send it anyway?", Lines: []string{target.String()},
		Yes: "Send another", No: "Go back", Typed: d.attempts[0].ID.Short(), Closed: target.Closed,
	}
}

// Lines lists the duplicates. Those that get no line of their own still have their short ID, by
// which they can be found in the activity.
func (d Duplicates) Lines(t *ui.Theme, w int) []string {
	if !d.Any() {
		return nil
	}
	lines := []string{t.Mark(ui.ToneAct, "Nothing was sent: this looks like a duplicate.")}
	for _, a := range d.attempts[:min(len(d.attempts), maxDuplicates)] {
		what, whose := d.line(t, a)
		if len(d.attempts) < maxDuplicates && ansi.StringWidth(what+"  "+whose) > w { // there is room for two lines
			lines = append(lines, ui.Fit(what, w), ui.Fit("      "+whose, w))
			continue
		}
		lines = append(lines, ui.Fit(what+"  "+whose, w))
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

// line describes a duplicate, the most distinctive part first, and whose it is.
func (d Duplicates) line(t *ui.Theme, a journal.Attempt) (what, whose string) {
	by := Subject(a.Kind, Card(a), a.Channel)
	parts := []string{t.Strong.Render(a.ID.Short()), sentAt(a.At, d.at), a.Amount.String(), outcomeMark(t, a), by}
	var others []string
	for _, part := range []string{string(a.Reference), string(a.Link), Plain(a.By.User)} {
		if part != "" {
			others = append(others, part)
		}
	}
	return strings.Join(parts, "  "), strings.Join(others, "  ")
}

// outcomeMark is a duplicate's status, or the outcome where it has no status. Only a status can
// have the colour of success.
func outcomeMark(t *ui.Theme, a journal.Attempt) string {
	if !a.IsUnresolved() && !a.Status.Text.Empty() {
		return Status(t, a.Status) // there is room for the whole word
	}
	cell := AttemptCell(a)
	return t.Mark(cell.Tone, cell.Text)
}

// sentAt is the time of day, with the date unless it is today.
func sentAt(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if y, m, d := now.Date(); !t.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())) {
		return Clock(t)
	}
	return t.Format("2006-01-02 15:04")
}
