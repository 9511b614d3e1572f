package payment

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

// A prompt is the form for a reference.
type prompt struct {
	form   *ui.Form
	field  *ui.TextField
	pasted several // at once, last
	// known look like card numbers and may be looked up all the same.
	known     []api.Reference
	knownCall ui.Call[[]api.Reference]
}

func newPrompt(t *ui.Theme) *prompt {
	p := &prompt{}
	p.field = ui.NewTextField(t, "Reference", "the short code of a card payment, or the UUID of a transfer",
		ui.Required(), ui.Instead("Not sent. Backspace, then type the reference"), ui.Except(p.begins),
		ui.Checked(func(s string) string {
			switch _, err := api.ParseReference(s); {
			case err == api.ErrSecretKey:
				return "This is a secret key. It is typed on the key screen only; nothing was sent"
			case err != nil:
				return "Use 1 to 128 letters, digits, or . _ : -"
			}
			return ""
		}))
	p.form = ui.NewForm(t, p.field)
	p.form.SubmitLabel("look it up")
	return p
}

// learn asks for the references that may be looked up though they look like card numbers.
func (p *prompt) learn(s ui.Scope, from Payments) tea.Cmd {
	return p.knownCall.Then(func(a ui.Result[[]api.Reference]) tea.Cmd {
		p.known = a.Value
		return nil
	}).Ask(s, from.CardLike)
}

// begins reports whether a text is a known reference, or what has been typed of one.
func (p *prompt) begins(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(p.known, func(r api.Reference) bool { return strings.HasPrefix(string(r), text) })
}

// lookUp passes a message to the prompt, and opens the payment once it is submitted. Several references that
// are pasted at once are pinned instead.
func (m *Model) lookUp(msg tea.Msg) tea.Cmd {
	m.News = ui.Notice{}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if isSeveral(msg.Content) {
			m.prompt.take(msg.Content)
			return m.openSeveral()
		}
		m.prompt.field.SetValue("") // another reference takes the place of the last
	case tea.KeyPressMsg:
		if ui.Submits(msg) && m.prompt.unpinned() > 0 {
			return m.openSeveral()
		}
	}
	if m.prompt.form.Update(msg) != ui.Submitted {
		return nil
	}
	r, _ := api.ParseReference(m.prompt.field.Value()) // the form has checked it
	if m.offered {
		m.prompt = nil
	}
	return m.open(r)
}
