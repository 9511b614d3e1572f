package collect

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// namedAlike is how many look-alikes have a line of their own; of the others the short id is
// shown.
const namedAlike = 3

// onDuplicate goes back to the review with what was sent already, and asks for the short id of the
// newest: nothing was sent (R44). The question owns what it is about.
func (m *Model) onDuplicate(alike []journal.Attempt, now time.Time) tea.Cmd {
	alike = slices.Clone(alike)
	slices.SortStableFunc(alike, func(a, b journal.Attempt) int { return b.At.Compare(a.At) })
	m.stage, m.review.from = reviewing, 0
	m.review.alike, m.review.sentAt = alike, now
	m.review.confirm = ui.NewConfirm(m.theme, ui.Question{
		Title: "Send it all the same?", Lines: []string{m.options.Place.String()},
		Yes: "Send another", No: "Go back", Typed: alike[0].ID.Short(), Closed: m.options.Place.Closed,
	})
	return m.review.confirm.Init(m.scope)
}

// shown are the look-alikes on the screen.
func (r review) shown() []journal.ID {
	ids := make([]journal.ID, len(r.alike))
	for i, a := range r.alike {
		ids[i] = a.ID
	}
	return ids
}

// alikeLines name what was sent already.
func (m *Model) alikeLines(w int) []string {
	alike := m.review.alike
	lines := []string{m.theme.Mark(ui.ToneAct, "Nothing was sent: this looks like what was sent already.")}
	for _, a := range alike[:min(len(alike), namedAlike)] {
		what, whose := m.alikeLine(a)
		if len(alike) < namedAlike && ansi.StringWidth(what+"  "+whose) > w { // there is room for two lines
			lines = append(lines, ui.Fit(what, w), ui.Fit("      "+whose, w))
			continue
		}
		lines = append(lines, ui.Fit(what+"  "+whose, w))
	}
	if len(alike) > namedAlike {
		var ids []string
		for _, a := range alike[namedAlike:] {
			ids = append(ids, a.ID.Short())
		}
		lines = append(lines, ui.Fit("and "+present.Thousands(len(ids))+" more: "+strings.Join(ids, " "), w))
	}
	return lines
}

// alikeLine is a look-alike in a line, the most telling first, and whose it was.
func (m *Model) alikeLine(a journal.Attempt) (what, whose string) {
	by := ""
	switch {
	case a.Card != "":
		by = "•••• " + clean(a.Card)
	case a.Channel == api.ChannelTransfer:
		by = "transfer"
	default:
		by = clean(a.Channel)
	}
	parts := []string{m.theme.Strong.Render(a.ID.Short()), when(a.At, m.review.sentAt), a.Amount.String(), m.became(a), by}
	var others []string
	for _, part := range []string{string(a.Reference), string(a.Link), clean(a.By.User)} {
		if part != "" {
			others = append(others, part)
		}
	}
	return strings.Join(parts, "  "), strings.Join(others, "  ")
}

// became is the status of a look-alike, or our own word where it has none.
func (m *Model) became(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return m.theme.Mark(ui.ToneUnknown, "NOBODY KNOWS")
	case a.Decision == journal.Found && a.Status.Text.Empty():
		return m.theme.Mark(ui.ToneWait, "FOUND")
	case a.Status.State != api.Unrecognised || !a.Status.Text.Empty():
		return present.Status(m.theme, a.Status)
	case a.Outcome == journal.Unresolved:
		return m.theme.Mark(ui.ToneUnknown, "GIVEN UP")
	}
	return m.theme.Mark(ui.ToneWait, strings.ToUpper(string(a.Outcome)))
}

// when is the time of day, and the day where it is not today's.
func when(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if y, m, d := now.Date(); !t.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())) {
		return present.Clock(t)
	}
	return t.Format("2006-01-02 15:04")
}

// clean is text of the journal, which is a file that others can write.
func clean(s string) string { return api.Clean(s).Line(0) }
