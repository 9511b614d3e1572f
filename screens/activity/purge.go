package activity

import (
	"context"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	oneDay       = 24 * time.Hour
	maxDays      = 36_500
	purgeTimeout = time.Minute
)

// A purgePreview is what a purge of everything before a time would delete.
type purgePreview struct {
	journal.PurgeResult
	before time.Time
	days   int
}

// A purgeForm reads the age, shows what would be deleted, asks for a confirmation and deletes.
type purgeForm struct {
	form    *ui.Form
	days    *ui.TextField
	preview purgePreview
	counted bool // preview is of the days in the field
	problem string
	call    ui.Call[purgePreview]
	confirm *ui.Confirm // nil while the days are typed
	done    ui.Call[journal.PurgeResult]
}

// typing is also true where the number of attempts must be typed to confirm.
func (p *purgeForm) typing() bool {
	if p.confirm != nil {
		return p.confirm.Typing()
	}
	return p.form.Typing()
}

// keepDays is the number in the field; 0 when it is not valid.
func (p *purgeForm) keepDays() int {
	n, err := strconv.Atoi(p.days.Value())
	if err != nil || n < 1 || n > maxDays {
		return 0
	}
	return n
}

// openPurge begins with the age that the configuration sets and counts for it at once.
func (m *Model) openPurge() tea.Cmd {
	p := &purgeForm{}
	p.days = ui.NewTextField(m.Theme, "Keep days", "older attempts are deleted, in all profiles", ui.Required(), ui.Limit(5),
		ui.Initial(strconv.Itoa(max(int(m.options.Retention/oneDay), 1))),
		ui.Checked(func(string) string {
			if p.keepDays() == 0 {
				return "Enter a whole number of days from 1 to " + present.Thousands(maxDays)
			}
			return ""
		}))
	p.form = ui.NewForm(m.Theme, p.days)
	p.form.SubmitLabel("continue")
	m.purge = p
	return m.countPurge()
}

// countPurge counts what would be deleted.
func (m *Model) countPurge() tea.Cmd {
	p := m.purge
	p.counted, p.problem = false, ""
	days := p.keepDays()
	if days == 0 {
		p.call.Drop()
		return nil
	}
	j := m.options.Journal
	return p.call.Then(m.receiveCount).Ask(m.Scope, func(ctx context.Context) (purgePreview, error) {
		before := time.Now().Add(-time.Duration(days) * oneDay)
		s, err := j.PurgePreview(ctx, before)
		return purgePreview{s, before, days}, err
	})
}

// updatePurge handles input. Each change of the days counts again, so that what is confirmed is
// what was shown. While attempts are deleted there is nothing to press.
func (m *Model) updatePurge(msg tea.Msg) tea.Cmd {
	p := m.purge
	switch {
	case p.done.Pending():
		return nil
	case p.confirm != nil:
		return p.confirm.Answer(msg, m.deleteOld, m.declinePurge)
	}
	before := p.days.Value()
	result := p.form.Update(msg)
	if p.days.Value() != before {
		return m.countPurge()
	}
	if result != ui.Submitted {
		return nil
	}
	return m.confirmPurge()
}

// confirmPurge asks for a confirmation of what the preview shows.
func (m *Model) confirmPurge() tea.Cmd {
	p := m.purge
	switch {
	case p.problem != "":
		return m.countPurge()
	case !p.counted:
		return m.Notify("Counting what would be deleted…")
	case p.preview.Attempts == 0:
		return m.Notify("There is nothing to delete.")
	}
	n := p.preview.Attempts
	p.confirm = ui.NewConfirm(m.Theme, ui.Question{
		Title: "Delete " + present.Count(n, "attempt", "attempts") + " permanently?",
		Lines: append(purgeLines(p.preview), "Their histories are deleted too. Export them first if you need them."),
		Yes:   "Delete", No: "Keep them", Typed: strconv.Itoa(n),
	})
	return p.confirm.Init(m.Scope)
}

// deleteOld deletes once the count was typed and accepted. It is committed: leaving the screen
// does not stop it half done.
func (m *Model) deleteOld() tea.Cmd {
	j, p := m.options.Journal, m.purge
	before := p.preview.before
	return p.done.Then(m.purged).Commit(m.Scope, purgeTimeout, func(ctx context.Context) (journal.PurgeResult, error) {
		return j.Purge(ctx, before)
	})
}

// declinePurge goes back to the days.
func (m *Model) declinePurge() tea.Cmd {
	m.purge.confirm = nil
	return nil
}

// receiveCount shows what would be deleted.
func (m *Model) receiveCount(a ui.Result[purgePreview]) tea.Cmd {
	p := m.purge
	if p.preview, p.counted = a.Value, a.Err == nil; a.Err != nil {
		p.problem = errorText(a.Err)
	}
	return nil
}

// purged says what was deleted. After a failure the count is thrown away: the journal may have
// changed.
func (m *Model) purged(a ui.Result[journal.PurgeResult]) tea.Cmd {
	if p := m.purge; a.Err != nil {
		p.confirm, p.problem, p.counted = nil, "Nothing was deleted. "+errorText(a.Err), false
		return nil
	}
	n := a.Value.Attempts
	m.result = present.Count(n, "attempt was", "attempts were") + " deleted. " + keptSentence(a.Value.Kept)
	m.purge = nil
	return m.refresh()
}

// closePurge goes back to the days, or closes the form.
func (m *Model) closePurge() {
	if m.purge.confirm != nil {
		m.purge.confirm = nil
		return
	}
	m.purge.call.Drop()
	m.purge = nil
}

// purgeKeys are none while attempts are deleted.
func (m *Model) purgeKeys() []key.Binding {
	switch {
	case m.purge.done.Pending():
		return nil
	case m.purge.confirm != nil:
		return m.purge.confirm.Keys()
	}
	return m.purge.form.Keys()
}

// purgeLines returns what would be deleted, and what is kept though it is as old.
func purgeLines(p purgePreview) []string {
	n := p.Attempts
	if n == 0 {
		return []string{"Nothing is older than " + countDays(p.days) + ". " + keptSentence(p.Kept)}
	}
	return []string{
		present.Count(n, "attempt is", "attempts are") + " older than " + countDays(p.days) + ", in all profiles.",
		"The oldest was sent " + present.DateTime(p.Oldest),
		"The newest was sent " + present.DateTime(p.Newest),
		keptSentence(p.Kept),
	}
}

// countDays is a number of days in words.
func countDays(n int) string { return present.Count(n, "day", "days") }

// keptSentence is about the unresolved and mismatched attempts: they are kept at any age, because only a person
// can say what became of them.
func keptSentence(n int) string {
	if n == 0 {
		return "None of the older attempts is unresolved or a mismatch."
	}
	return present.Count(n, "unresolved or mismatched one is", "unresolved or mismatched ones are") + " kept."
}

// viewPurge draws the days and, below, what would be deleted; or the confirmation of it.
func (m *Model) viewPurge() (string, *tea.Cursor) {
	p := m.purge
	switch {
	case p.done.Pending():
		return ui.Lines(m.W, m.H, "Deleting…"), nil
	case p.confirm != nil:
		return p.confirm.View(m.W, m.H)
	}
	lines := []string{m.Theme.Strong.Render("Delete old attempts"), ""}
	lines, cursor := p.form.Under(lines, m.W, m.H)
	lines = append(lines, "")
	switch {
	case p.problem != "":
		lines = append(lines, m.Theme.ErrorLines(p.problem, m.W)...)
	case p.counted:
		for _, l := range purgeLines(p.preview) {
			lines = append(lines, ui.Wrap(l, m.W)...)
		}
	case p.call.Pending():
		lines = append(lines, m.Theme.Muted.Render("Counting…"))
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}
