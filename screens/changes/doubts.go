package changes

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/mirror"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Journal knows about which payments an answer differed.
type Journal interface {
	// Differing are all of them, whatever was decided about them.
	Differing(context.Context) ([]api.Reference, error)
	Mismatches(context.Context, []api.Reference) (map[api.Reference]journal.Mismatch, error)
}

// Doubts are about which rows an answer differed.
type doubts struct {
	of     map[api.Reference]journal.Mismatch
	unread bool // the journal could not be read, so that there may be more
}

// doubtsOf finds out which of some rows are in doubt. Few payments are, so that they are looked for among the rows and
// not the other way round.
func doubtsOf(ctx context.Context, known Journal, all []mirror.Change) (d doubts) {
	if known == nil {
		return d
	}
	differing, err := known.Differing(ctx)
	d.unread = err != nil
	differs := map[api.Reference]bool{}
	for _, r := range differing {
		differs[r] = true
	}
	var listed []api.Reference
	for _, c := range all {
		if r, is := reference(c); is && differs[r] {
			listed = append(listed, r)
		}
	}
	if len(listed) > 0 {
		d.of, err = known.Mismatches(ctx, listed)
		d.unread = d.unread || err != nil
	}
	return d
}

// reference is the ID of a row as a reference, if it has the form of one.
func reference(c mirror.Change) (api.Reference, bool) {
	r, err := api.ParseReference(c.ID.Line(0))
	return r, err == nil && r != ""
}

// about is how an answer about a row differed, if one did.
func (d doubts) about(c mirror.Change) journal.Mismatch {
	r, _ := reference(c)
	return d.of[r]
}

// cell is the status of a row. One that is gone is no success any more, and neither is one of which it is not known
// whether an answer differed.
func (d doubts) cell(c mirror.Change) ui.Cell {
	cell := present.RowCell(now(c).Status, d.about(c))
	switch _, is := reference(c); {
	case cell.Tone != ui.ToneGood:
	case isGone(c):
		cell.Tone = ui.ToneNone
	case is && d.unread:
		cell.Tone = ui.ToneUnknown
	}
	return cell
}

// readDoubts reads again which of the rows listed are in doubt: one of them may have been looked up meanwhile.
func (m *Model) readDoubts() tea.Cmd {
	o, known := m.opened, m.options.Journal
	if o == nil || !o.read {
		return nil
	}
	all := o.all
	return o.again.Then(func(a ui.Result[doubts]) tea.Cmd {
		o.doubts = a.Value
		o.doubts.unread = o.doubts.unread || a.Err != nil
		m.show(o.found)
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (doubts, error) { return doubtsOf(ctx, known, all), nil })
}

// unreadLines say that the journal could not be read, where that is so.
func (m *Model) unreadLines(w int) []string {
	if !m.opened.doubts.unread {
		return nil
	}
	return m.Theme.MarkLines(ui.ToneAct, "The journal could not be read: a payment marked ? may have a mismatch.", w-len(indent))
}
