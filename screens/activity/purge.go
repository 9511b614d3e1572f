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
	aDay      = 24 * time.Hour
	mostDays  = 36_500
	purgeTime = time.Minute // a purge takes no longer
)

// A preview is what a purge of all before a time would take.
type preview struct {
	journal.PurgeResult
	before time.Time
	days   int
}

// A purging asks how old what goes must be, shows what that is, asks again and deletes it.
type purging struct {
	form    *ui.Form
	days    *ui.TextField
	preview preview
	known   bool // the preview is there, and of the days in the field
	trouble string
	call    ui.Call[preview]
	confirm *ui.Confirm // nil while the days are asked for
	done    ui.Call[journal.PurgeResult]
}

func (p *purging) typing() bool {
	if p.confirm != nil {
		return p.confirm.Typing()
	}
	return p.form.Typing()
}

// wanted is the days in the field; 0 when they are not in order.
func (p *purging) wanted() int {
	n, err := strconv.Atoi(p.days.Value())
	if err != nil || n < 1 || n > mostDays {
		return 0
	}
	return n
}

// askPurge opens the preview.
func (m *Model) askPurge() tea.Cmd {
	p := &purging{}
	p.days = ui.NewTextField(m.theme, "Keep days", "what is older goes, of every profile", ui.Required(), ui.Limit(5),
		ui.Initial(strconv.Itoa(max(int(m.options.Keep/aDay), 1))),
		ui.Checked(func(string) string {
			if p.wanted() == 0 {
				return "A whole number of days from 1 to " + present.Thousands(mostDays)
			}
			return ""
		}))
	p.form = ui.NewForm(m.theme, p.days)
	p.form.SubmitLabel("go on")
	m.purge = p
	return m.preview()
}

// preview asks what would go.
func (m *Model) preview() tea.Cmd {
	p := m.purge
	p.known, p.trouble = false, ""
	days := p.wanted()
	if days == 0 {
		p.call.Drop()
		return nil
	}
	book := m.options.Book
	return p.call.Ask(m.scope, func(ctx context.Context) (preview, error) {
		before := time.Now().Add(-time.Duration(days) * aDay)
		s, err := book.PurgePreview(ctx, before)
		return preview{s, before, days}, err
	})
}

func (m *Model) purgeUpdate(msg tea.Msg) tea.Cmd {
	p := m.purge
	switch {
	case p.done.Pending():
		return nil
	case p.confirm != nil:
		return m.purgeAnswer(msg)
	}
	before := p.days.Value()
	verdict := p.form.Update(msg)
	if p.days.Value() != before {
		return m.preview()
	}
	if verdict != ui.Submitted {
		return nil
	}
	return m.confirmPurge()
}

// confirmPurge asks before what the preview shows is deleted.
func (m *Model) confirmPurge() tea.Cmd {
	p := m.purge
	switch {
	case p.trouble != "":
		return m.preview()
	case !p.known:
		return m.say("What would go is being counted.")
	case p.preview.Attempts == 0:
		return m.say("There is nothing to delete.")
	}
	n := p.preview.Attempts
	p.confirm = ui.NewConfirm(m.theme, ui.Question{
		Title: "Delete " + present.Thousands(n) + count(n, " attempt", " attempts") + " for good?",
		Lines: append(sweepLines(p.preview), "Their timelines go with them. Export them first where they are needed."),
		Yes:   "Delete", No: "Keep them", Typed: strconv.Itoa(n),
	})
	return p.confirm.Init(m.scope)
}

// purgeAnswer deletes, once that was typed and answered. It is not broken off half done.
func (m *Model) purgeAnswer(msg tea.Msg) tea.Cmd {
	p := m.purge
	decision, cmd := p.confirm.Update(msg)
	switch decision {
	case ui.Declined:
		p.confirm = nil
	case ui.Accepted:
		book, before := m.options.Book, p.preview.before
		return p.done.Commit(m.scope, purgeTime, func(ctx context.Context) (journal.PurgeResult, error) {
			return book.Purge(ctx, before)
		})
	}
	return cmd
}

func (m *Model) purgeLetter(msg tea.Msg) (tea.Cmd, bool) {
	p := m.purge
	if a, ok := p.call.Receive(msg); ok {
		if p.preview, p.known = a.Value, a.Err == nil; a.Err != nil {
			p.trouble = words(a.Err)
		}
		return nil, true
	}
	a, ok := p.done.Receive(msg)
	if !ok {
		return nil, false
	}
	if a.Err != nil {
		p.confirm, p.trouble, p.known = nil, "Nothing was deleted. "+words(a.Err), false
		return nil, true
	}
	n := a.Value.Attempts
	m.news = present.Thousands(n) + count(n, " attempt was", " attempts were") + " deleted. " + kept(a.Value.Kept)
	m.purge = nil
	return m.refresh(), true
}

// purgeBack goes back to the days, or closes the preview.
func (m *Model) purgeBack() {
	if m.purge.confirm != nil {
		m.purge.confirm = nil
		return
	}
	m.purge.call.Drop()
	m.purge = nil
}

func (m *Model) purgeKeys() []key.Binding {
	switch {
	case m.purge.done.Pending():
		return nil
	case m.purge.confirm != nil:
		return m.purge.confirm.Keys()
	}
	return m.purge.form.Keys()
}

// sweepLines are what goes, and what stays though it is as old.
func sweepLines(p preview) []string {
	n := p.Attempts
	if n == 0 {
		return []string{"Nothing is older than " + daysOf(p.days) + ". " + kept(p.Kept)}
	}
	return []string{
		present.Thousands(n) + count(n, " attempt is", " attempts are") + " older than " + daysOf(p.days) + ", of every profile.",
		"The oldest was sent " + stamp(p.Oldest),
		"The newest was sent " + stamp(p.Newest),
		kept(p.Kept),
	}
}

func daysOf(n int) string { return present.Thousands(n) + count(n, " day", " days") }

func kept(n int) string {
	if n == 0 {
		return "No unresolved one is among what is older."
	}
	return present.Thousands(n) + count(n, " unresolved one stays", " unresolved ones stay") + ": nobody knows what became of " + count(n, "it.", "them.")
}

func (m *Model) purgeView() (string, *tea.Cursor) {
	p := m.purge
	switch {
	case p.done.Pending():
		return ui.Lines(m.w, m.h, "Deleting…"), nil
	case p.confirm != nil:
		return p.confirm.View(m.w, m.h)
	}
	lines := []string{m.theme.Strong.Render("Delete what is old"), ""}
	body, cursor := p.form.View(m.w, max(min(3, m.h-len(lines)), 0))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	lines = append(lines, body, "")
	switch {
	case p.trouble != "":
		for _, l := range ui.Wrap(p.trouble, max(m.w-2, 1)) {
			lines = append(lines, m.theme.Error.Render("! "+l))
		}
	case p.known:
		for _, l := range sweepLines(p.preview) {
			lines = append(lines, ui.Wrap(l, m.w)...)
		}
	case p.call.Pending():
		lines = append(lines, m.theme.Muted.Render("Counting…"))
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}
