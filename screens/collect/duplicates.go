package collect

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// maxDuplicates is how many duplicates get a line each; the others are listed by their short IDs.
const maxDuplicates = 3

// onDuplicate returns to the review after the journal stopped a possible duplicate: nothing was
// sent. To send it anyway the person types the short ID of the newest duplicate.
func (m *Model) onDuplicate(duplicates []journal.Attempt, now time.Time) tea.Cmd {
	duplicates = slices.Clone(duplicates)
	slices.SortStableFunc(duplicates, func(a, b journal.Attempt) int { return b.At.Compare(a.At) })
	m.stage, m.review.from = reviewing, 0
	m.review.duplicates, m.review.sentAt = duplicates, now
	m.review.confirm = ui.NewConfirm(m.Theme, ui.Question{
		Title: "Send it anyway?", Lines: []string{m.options.Target.String()},
		Yes: "Send another", No: "Go back", Typed: duplicates[0].ID.Short(), Closed: m.options.Target.Closed,
	})
	return m.review.confirm.Init(m.Scope)
}

// duplicateIDs are the duplicates the person has seen.
func (r review) duplicateIDs() []journal.ID {
	ids := make([]journal.ID, len(r.duplicates))
	for i, a := range r.duplicates {
		ids[i] = a.ID
	}
	return ids
}

// duplicateLines lists the duplicates. Those that get no line of their own still have their short
// ID, by which they can be found in the activity.
func (m *Model) duplicateLines(w int) []string {
	duplicates := m.review.duplicates
	lines := []string{m.Theme.Mark(ui.ToneAct, "Nothing was sent: this looks like a duplicate.")}
	for _, a := range duplicates[:min(len(duplicates), maxDuplicates)] {
		what, whose := m.duplicateLine(a)
		if len(duplicates) < maxDuplicates && ansi.StringWidth(what+"  "+whose) > w { // there is room for two lines
			lines = append(lines, ui.Fit(what, w), ui.Fit("      "+whose, w))
			continue
		}
		lines = append(lines, ui.Fit(what+"  "+whose, w))
	}
	if len(duplicates) > maxDuplicates {
		var ids []string
		for _, a := range duplicates[maxDuplicates:] {
			ids = append(ids, a.ID.Short())
		}
		lines = append(lines, ui.Fit("and "+present.Thousands(len(ids))+" more: "+strings.Join(ids, " "), w))
	}
	return lines
}

// duplicateLine describes a duplicate, the most distinctive part first, and whose it is.
func (m *Model) duplicateLine(a journal.Attempt) (what, whose string) {
	by := present.Subject(journal.Initiate, present.Card(a), a.Channel)
	parts := []string{m.Theme.Strong.Render(a.ID.Short()), when(a.At, m.review.sentAt), a.Amount.String(), m.outcomeMark(a), by}
	var others []string
	for _, part := range []string{string(a.Reference), string(a.Link), present.Plain(a.By.User)} {
		if part != "" {
			others = append(others, part)
		}
	}
	return strings.Join(parts, "  "), strings.Join(others, "  ")
}

// outcomeMark is a duplicate's status, or the outcome where it has no status. Only a status can
// have the colour of success.
func (m *Model) outcomeMark(a journal.Attempt) string {
	if !a.IsUnresolved() && !a.Status.Text.Empty() {
		return present.Status(m.Theme, a.Status) // there is room for the whole word
	}
	cell := present.AttemptCell(a)
	return m.Theme.Mark(cell.Tone, cell.Text)
}

// when is the time of day, with the date unless it is today.
func when(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if y, m, d := now.Date(); !t.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())) {
		return present.Clock(t)
	}
	return t.Format("2006-01-02 15:04")
}
