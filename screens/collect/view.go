package collect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	roomy       = 16 // body height from which a blank line follows the stepper
	gutter      = 2  // cells between the form and the preview
	labels      = 14 // cells of a label
	problemRoom = 3  // lines of the problem above a form
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	head := m.head()
	text, cursor := m.viewStage(m.formWidth(), m.bodyHeight())
	if m.showsPreview() {
		text = m.withPreview(text)
	}
	if cursor != nil {
		cursor.Y += len(head)
		if cursor.Y >= m.h || cursor.X >= m.w {
			cursor = nil
		}
	}
	return ui.Lines(m.w, m.h, append(head, text)...), cursor
}

// head is the stepper, and the link that is paid.
func (m *Model) head() []string {
	head := []string{present.Stepper(m.theme, m.w, m.cardless(), m.linked(), m.stepperStage())}
	if l := m.options.Link; l != nil {
		words := "Through the link " + string(l.Alias)
		switch {
		case m.amount.form == nil:
			words += " for " + m.amount.fixed.String()
		case !m.amount.link.IsZero():
			words += ", in " + m.amount.link.Code() + "; enter any amount"
		}
		head = append(head, m.theme.Muted.Render(words))
	}
	if m.h >= roomy {
		head = append(head, "")
	}
	return head
}

// cardless reports whether the chosen channel takes no card.
func (m *Model) cardless() bool {
	return m.channel.chosen != "" && m.channel.chosen != api.ChannelCard
}

// linked reports whether the payment goes through a link, as far as is known.
func (m *Model) linked() bool { return m.options.Link != nil || m.details.link() != "" }

// stepperStage is the stage on the stepper. Without a card the details belong to the customer step.
func (m *Model) stepperStage() present.Stage {
	switch m.stage {
	case stageAmount:
		return present.StageAmount
	case stageChannel:
		return present.StageChannel
	case stageCustomer:
		return present.StageCustomer
	case stageDetails:
		if m.cardless() {
			return present.StageCustomer
		}
		return present.StageCard
	}
	return present.StageReview
}

// formWidth is the width below the stepper without the preview.
func (m *Model) formWidth() int {
	if !m.showsPreview() {
		return m.w
	}
	return m.w - present.PreviewWidth - gutter
}

func (m *Model) bodyHeight() int { return max(m.h-len(m.head()), 0) }

// viewStage draws the current stage.
func (m *Model) viewStage(w, h int) (string, *tea.Cursor) {
	switch {
	case m.picker != nil:
		return m.viewPicker(w, h), nil
	case m.form() != nil:
		return m.viewForm(w, h)
	}
	switch m.stage {
	case stageAmount:
		return m.viewFixed(w, h), nil
	case stageChannel:
		return m.viewChannels(w, h), nil
	case reviewing:
		return m.viewReview(w, h)
	case sending:
		return m.viewSending(w, h), nil
	case mismatched:
		return m.viewMismatch(w, h), nil
	}
	return m.viewUnresolved(w, h), nil
}

// viewForm is the form, below the start of the problem. Errors of a field stand at the field.
func (m *Model) viewForm(w, h int) (string, *tea.Cursor) {
	top := m.problem.Lines(m.theme, w)
	top = top[:min(len(top), problemRoom)]
	form, cursor := m.form().View(w, h-len(top))
	if cursor != nil {
		cursor.Y += len(top)
	}
	return ui.Lines(w, h, append(top, form)...), cursor
}

func (m *Model) viewFixed(w, h int) string {
	l := factList{theme: m.theme, w: w}
	l.add("Amount", m.amount.fixed.String())
	return spaced(w, h, l.lines, ui.Wrap("The link fixes amount and currency. Press enter to continue.", w))
}

func (m *Model) viewSending(w, h int) string {
	l := factList{theme: m.theme, w: w}
	l.add("Amount", m.review.in.Amount.String())
	l.add("Channel", strings.Trim(m.review.in.Channel+" · "+m.review.card, " ·"))
	l.add("To", m.options.Target.String())
	return spaced(w, h, []string{m.theme.Mark(ui.ToneWait, "Sending the payment…")}, l.lines,
		ui.Wrap(present.SendingNote, w))
}

// withPreview puts the JSON to the right of text.
func (m *Model) withPreview(text string) string {
	pane := append([]string{m.theme.Strong.Render("What will be sent"), ""}, present.WrapCode(m.preview.text, present.PreviewWidth)...)
	if h := m.bodyHeight(); len(pane) > h && h > 0 {
		pane = append(pane[:h-1], m.theme.Muted.Render("…"))
	}
	return strings.Join(present.SideBySide(m.formWidth(), strings.Split(text, "\n"), pane), "\n")
}

// spaced puts a blank line between groups of lines where there is room for it.
func spaced(w, h int, groups ...[]string) string {
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
	return ui.Lines(w, h, loose...)
}

// A factList lays out labels and values in two columns and leaves out empty values.
type factList struct {
	theme *ui.Theme
	w     int
	lines []string
}

func (l *factList) add(label, value string) {
	if strings.TrimSpace(value) == "" {
		return
	}
	name := l.theme.Muted.Render(ui.Fit(label, labels))
	for _, part := range ui.Wrap(value, max(l.w-labels-2, 1)) {
		l.lines = append(l.lines, name+"  "+part)
		name = strings.Repeat(" ", labels)
	}
}

// lineCount counts the lines of a text.
func lineCount(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}
