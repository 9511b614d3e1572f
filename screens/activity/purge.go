package activity

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	oneDay       = 24 * time.Hour
	maxDays      = 36_500
	purgeTimeout = time.Minute
)

// A purgePreview counts what a purge of everything before a time would delete.
type purgePreview struct {
	journal.PurgeResult
	before time.Time
	days   int
}

// A purge is the screen over the list that reads the age, shows what would be deleted, asks for a confirmation and deletes.
type purge struct {
	detail.Dialog
	activity *Model
	days     *ui.TextField
	preview  *purgePreview // of the days in the field; nil until it is counted
	problem  string
	call     ui.Call[purgePreview]
	done     ui.Call[journal.PurgeResult]
}

// openPurge begins with the age to which the journal is kept.
func (m *Model) openPurge() tea.Cmd {
	p := &purge{activity: m}
	p.days = ui.NewTextField(m.Theme, "Keep days", "older attempts are deleted, in all profiles", ui.Required(), ui.Limit(5),
		ui.Initial(strconv.Itoa(max(int(m.options.Journal.Retention()/oneDay), 1))),
		ui.Checked(func(string) string {
			if p.keepDays() == 0 {
				return "Enter a whole number of days from 1 to " + present.Thousands(maxDays)
			}
			return ""
		}))
	p.Dialog = detail.NewDialog(m.Theme, detail.Asks{
		Title: "Purge", Help: []string{"Deletes attempts older than this, with their histories, in all profiles. Unresolved attempts are always kept."},
		Head:  func(int) []string { return []string{m.Theme.Strong.Render("Delete old attempts"), ""} },
		Under: p.under, Busy: p.deleting, Submit: p.submit,
	}, "continue", p.days)
	return nav.Open(nav.Over{Screen: p})
}

// Init implements [ui.Screen].
func (p *purge) Init(s ui.Scope) tea.Cmd {
	p.Scope = s
	return p.count()
}

// WhyStay returns why the screen cannot be left now.
func (p *purge) WhyStay() string {
	if p.done.Pending() {
		return "Deleting attempts; this takes a moment."
	}
	return ""
}

// keepDays is the number in the field; 0 when it is not valid.
func (p *purge) keepDays() int {
	n, err := strconv.Atoi(p.days.Value())
	if err != nil || n < 1 || n > maxDays {
		return 0
	}
	return n
}

// count counts what would be deleted.
func (p *purge) count() tea.Cmd {
	p.preview, p.problem = nil, ""
	days := p.keepDays()
	if days == 0 {
		p.call.Drop()
		return nil
	}
	j := p.activity.options.Journal
	return p.call.Then(func(a ui.Result[purgePreview]) tea.Cmd {
		if a.Err != nil {
			p.problem = present.FileProblem(a.Err)
		} else {
			p.preview = &a.Value
		}
		return nil
	}).Ask(p.Scope, func(ctx context.Context) (purgePreview, error) {
		before := time.Now().Add(-time.Duration(days) * oneDay)
		s, err := j.PurgePreview(ctx, before)
		return purgePreview{s, before, days}, err
	})
}

// Update implements [ui.Screen]. Each change of the days counts again, so that the person confirms what was shown.
func (p *purge) Update(msg tea.Msg) tea.Cmd {
	before := p.days.Value()
	cmd := p.Dialog.Update(msg)
	if p.days.Value() != before {
		return p.count()
	}
	return cmd
}

// submit asks for a confirmation of what the preview shows.
func (p *purge) submit() tea.Cmd {
	switch {
	case p.problem != "":
		return p.count()
	case p.preview == nil:
		return p.Notify("Counting what would be deleted…")
	case p.preview.Attempts == 0:
		return p.Notify("There is nothing to delete.")
	}
	n := p.preview.Attempts
	return detail.Ask(&p.Body, detail.Question{Title: "Delete", Help: p.Explain(), Do: p.deleteOld, Alone: true, Question: ui.Question{
		Title: "Delete " + present.Count(n, "attempt", "attempts") + " permanently?",
		Lines: append(p.preview.lines(), "Their histories are deleted too. Export them first if you need them."),
		Yes:   "Delete", No: "Keep them", Typed: strconv.Itoa(n),
	}})
}

// deleteOld deletes once the count was typed and accepted. It is committed: leaving the screen
// does not stop it half done. After a failure the count is thrown away: the journal may have changed.
func (p *purge) deleteOld() tea.Cmd {
	j, before := p.activity.options.Journal, p.preview.before
	return p.done.Then(func(a ui.Result[journal.PurgeResult]) tea.Cmd {
		deleted := "Nothing was deleted. "
		if n := a.Value.Attempts; n > 0 || a.Err == nil {
			deleted = present.Count(n, "attempt was", "attempts were") + " deleted. "
		}
		if a.Err != nil { // perhaps after some batches
			p.problem, p.preview = deleted+present.FileProblem(a.Err), nil
			return p.activity.Refresh()
		}
		p.activity.Tell(deleted+keptSentence(a.Value.Kept), "")
		return tea.Batch(p.activity.Refresh(), nav.Pop)
	}).Commit(p.Scope, purgeTimeout, func(ctx context.Context) (journal.PurgeResult, error) { return j.Purge(ctx, before) })
}

// lines returns what would be deleted, and what is kept though it is as old.
func (p purgePreview) lines() []string {
	older := " older than " + present.Count(p.days, "day", "days")
	if p.Attempts == 0 {
		return []string{"Nothing is" + older + ". " + keptSentence(p.Kept)}
	}
	return []string{
		present.Count(p.Attempts, "attempt is", "attempts are") + older + ", in all profiles.",
		"The oldest was sent " + present.DateTime(p.Oldest),
		"The newest was sent " + present.DateTime(p.Newest),
		keptSentence(p.Kept),
	}
}

// keptSentence counts the unresolved and mismatched attempts: they are kept at any age, because only a person
// can say what became of them.
func keptSentence(n int) string {
	if n == 0 {
		return "None of the older attempts is unresolved or a mismatch."
	}
	return present.Count(n, "unresolved or mismatched one is", "unresolved or mismatched ones are") + " kept."
}

// deleting says that attempts are deleted, while they are.
func (p *purge) deleting(int) []string {
	if !p.done.Pending() {
		return nil
	}
	return []string{"Deleting…"}
}

// under says what would be deleted.
func (p *purge) under(w int) []string {
	lines := []string{""}
	switch {
	case p.problem != "":
		lines = append(lines, p.Theme.ErrorLines(p.problem, w)...)
	case p.preview != nil:
		for _, l := range p.preview.lines() {
			lines = append(lines, ui.Wrap(l, w)...)
		}
	case p.call.Pending():
		lines = append(lines, p.Theme.Muted.Render("Counting…"))
	}
	return lines
}
