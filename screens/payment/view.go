package payment

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if !m.prompts() {
		return m.Model.View()
	}
	var stage ui.Staged
	stage.Resize(m.W, m.H)
	lines := ui.Wrap("Which payment? Its status is checked and shown; nothing is changed. Several references pasted at once, one a line, are pinned to Home.", stage.W)
	if n := m.prompt.unpinned(); n > 0 {
		words := present.Count(n, "pasted reference is", "pasted references are") + " not pinned yet: enter lists what was pasted."
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, words, stage.W)...)
	}
	return stage.Place(stage.Under(append(lines, ""), m.prompt.form.View))
}

// stepper is drawn only for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	return []string{present.Progress(m.Theme, w, m.entry.Attempt, present.StageOf(m.entry.Attempt)), ""}
}

// report returns what is known of the payment, and how it is watched.
func (m *Model) report() report.Report {
	r := report.Of(m.subject())
	for _, words := range []string{m.decide(), m.next()} {
		if words != "" {
			r.Says = append(r.Says, report.Words{Text: "→ " + words})
		}
	}
	facts := &r.Sections[len(r.Sections)-1].Facts // those of the payment, which a comparison comes before
	if said := m.said(); said != "" {
		*facts = append(*facts, report.Fact{Label: "Message", Value: said, Rank: 1})
	}
	if m.ours {
		*facts = append(*facts, report.Fact{Label: "Narration", Value: present.Plain(m.entry.Sent.Narration), Rank: report.Extra},
			report.Fact{Label: "Return URL", Value: present.Plain(m.entry.Sent.ReturnURL), Rank: report.Extra})
	}
	if !m.ours && !m.state.History.Any && m.mismatch().IsZero() && api.NotFound(m.state.Err) { // which is the answer: how it is watched says no more
		r.Amount, r.Remark, r.Status = "", "", ui.Cell{Text: "NO RECORD", Tone: ui.ToneAct}
		r.Says = append(r.Says, m.trouble()...)
		return r
	}
	r.Sections = append(r.Sections, report.Section{Title: "Watching", Words: m.polling(), Facts: m.settings()})
	if m.state.Phase == session.Polling {
		r.Ahead.What = "the next status"
	}
	return r
}

// lastAnswer is the service's last answer about the payment as it came, in at most h lines. It does not
// say when: an answer that changes nothing writes nothing here.
func (m *Model) lastAnswer(w, h int) []string {
	kept := m.payments.Kept(session.Subject{Reference: m.reference})
	if len(kept) == 0 || kept[0].Body.Empty() {
		return nil
	}
	a := kept[0]
	lines := []string{m.Theme.Rule("Last answer", present.OperationName(a.Operation)+" · HTTP "+strconv.Itoa(a.HTTP), w)}
	lines = append(lines, report.Quote{Lines: a.Body.Block(0, h), JSON: true}.Draw(m.Theme, w)...)
	if len(lines) > h {
		lines = append(lines[:h-1], m.Theme.Muted.Render("… v shows all of it"))
	}
	return lines
}
