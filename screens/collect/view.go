package collect

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	roomy       = 16 // body height from which a blank line follows the stepper
	gutter      = 2  // cells between the form and the preview
	labels      = 16 // cells of a label and the gap after it
	problemRoom = 3  // lines of the problem above a form
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	return m.Under(m.head(), func(_, h int) (string, *tea.Cursor) {
		text, cursor := m.part().view(m.formWidth(), h)
		if m.showsPreview() {
			text = m.withPreview(text)
		}
		return text, cursor
	})
}

// head is the stepper, and the link that is paid.
func (m *Model) head() []string {
	head := []string{present.Stepper(m.Theme, m.W, m.channel.chosen, m.linked(), m.stepperStage())}
	if l := m.options.Link; l != nil {
		words := "Through the link " + string(l.Alias)
		switch {
		case m.amount.form == nil:
			words += " for " + m.amount.fixed.String()
		case m.options.Again != nil:
			words += ", again"
		case m.stage != stageAmount:
			words += " for " + m.amount.value().String()
		case !m.amount.link.IsZero():
			words += ", in " + m.amount.link.Code() + "; enter any amount"
		}
		head = append(head, m.Theme.Muted.Render(words))
		if present.UsedUp(*l, m.options.Paid) {
			head = append(head, m.Theme.Mark(ui.ToneUnknown, usedUp))
		}
	}
	if m.H >= roomy {
		head = append(head, "")
	}
	return head
}

// usedUp warns before the service refuses the payment.
const usedUp = "This one-time link was paid already."

// cardless reports whether the chosen channel takes no card.
func (m *Model) cardless() bool {
	return m.channel.chosen != "" && m.channel.chosen != api.ChannelCard
}

// linked reports whether the payment goes through a link, as far as is known.
func (m *Model) linked() bool { return m.options.Link != nil || m.details.link() != "" }

// stepperStage is the stage on the stepper. Without a card the details belong to the customer step.
func (m *Model) stepperStage() present.Stage {
	if m.stage == stageDetails && m.cardless() {
		return present.StageCustomer
	}
	return present.Stage(min(m.stage, reviewing))
}

// formWidth is the width below the stepper without the preview.
func (m *Model) formWidth() int {
	if !m.showsPreview() {
		return m.W
	}
	return m.W - present.PreviewWidth - gutter
}

// bodyHeight is the height below the stepper.
func (m *Model) bodyHeight() int { return max(m.H-len(m.head()), 0) }

// viewForm is the form, below the start of the problem. Errors of a field stand at the field.
func (m *Model) viewForm(w, h int) (string, *tea.Cursor) {
	top := m.problem.Lines(m.Theme, w)
	top = top[:min(len(top), problemRoom)]
	form, cursor := m.form(m.stage).Fill(w, h-len(top))
	if cursor != nil {
		cursor.Y += len(top)
	}
	return ui.Lines(w, h, append(top, form)...), cursor
}

// viewFixed takes the place of the form where a link leaves nothing to enter.
func (m *Model) viewFixed(w, h int) (string, *tea.Cursor) {
	return spaced(w, h, m.facts(w, "Amount", m.amount.fixed.String()),
		ui.Wrap("The link fixes amount and currency. Press enter to continue.", w))
}

// viewSending shows what is being sent and how long the response may take. Nothing can be pressed:
// there is no way to stop a payment that is on its way.
func (m *Model) viewSending(w, h int) (string, *tea.Cursor) {
	return spaced(w, h, m.Theme.WaitLines(m.sent.Wait(), "Sending the payment", w),
		m.facts(w,
			"Amount", m.review.in.Amount.String(),
			"Channel", strings.Trim(m.review.in.Channel+" · "+m.review.card, " ·"),
			"To", m.options.Target.String()),
		ui.Wrap(present.SendingNote, w))
}

// spaced puts a blank line between groups of lines where there is room for it. There is no cursor.
func spaced(w, h int, groups ...[]string) (string, *tea.Cursor) {
	var dense, loose []string
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		if len(loose) > 0 {
			loose = append(loose, "")
		}
		dense, loose = append(dense, g...), append(loose, g...)
	}
	if len(loose) > h {
		loose = dense
	}
	return ui.Lines(w, h, loose...), nil
}

// facts are labels, each followed by its value; those without a value are left out, so that what
// was not entered takes no room.
func (m *Model) facts(w int, pairs ...string) (lines []string) {
	for fact := range slices.Chunk(pairs, 2) {
		if strings.TrimSpace(fact[1]) != "" {
			lines = append(lines, m.Theme.FactLines(fact[0], fact[1], labels, w)...)
		}
	}
	return lines
}

// lineCount counts the lines of a text.
func lineCount(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// showsPreview reports whether there is something to preview, and room for it.
func (m *Model) showsPreview() bool { return m.W >= present.WidePreview && m.stage <= reviewing }

// json is what would be sent as it is entered now, or what is under review, with the card masked.
// It is made for each frame, which takes a few microseconds.
func (m *Model) json() string {
	in := m.review.in
	if m.review.confirm == nil {
		in = m.initiation()
		defer wipeCard(in)
	}
	return m.service.InitiationBody(in)
}

// withPreview puts the JSON to the right of text.
func (m *Model) withPreview(text string) string {
	pane := present.Preview(m.Theme, m.json())
	if h := m.bodyHeight(); len(pane) > h && h > 0 {
		pane = append(pane[:h-1], m.Theme.Muted.Render("…"))
	}
	return strings.Join(present.SideBySide(m.formWidth(), strings.Split(text, "\n"), pane), "\n")
}
