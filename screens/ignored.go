package screens

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A glimpse holds what a person sees of a screen.
type glimpse struct{ title, body string }

func glimpseOf(s ui.Screen) glimpse {
	body, _ := s.View()
	return glimpse{s.Title(), body}
}

// give passes a key to the screen on top. A key that the screen does not list, and that changes
// nothing a person sees, is said to do nothing: otherwise it looks as if it had been lost.
func (a *App) give(k tea.KeyPressMsg) tea.Cmd {
	top := a.top()
	if a.expects(top, k) {
		return a.ahead.await(top, top.Update(k))
	}
	before, said := glimpseOf(top), newsOf(top)
	cmd := a.ahead.await(top, top.Update(k))
	news := newsOf(top)
	told := news.Text != "" && (news != said || ui.Lists(top.Keys(), k.String())) // a screen may say why, time and again
	if cmd == nil && !told && glimpseOf(top) == before {
		a.hint = ui.Notice{Text: ignoredWords(k, top.Typing())} // a slip is not as loud as what somebody must do
	}
	return cmd
}

// paste passes pasted text to the screen on top. Where no field takes it, a reference is offered to be looked up; else that is said:
// what was pasted would otherwise be looked for in the wrong place.
func (a *App) paste(msg tea.PasteMsg) tea.Cmd {
	if a.help != nil || a.tooSmall() {
		return nil
	}
	a.hint = ui.Notice{}
	top := a.top()
	before, said, typing := glimpseOf(top), newsOf(top), top.Typing()
	cmd := a.ahead.await(top, top.Update(msg))
	if cmd == nil && !typing && !ui.Asked(top.Keys()) && newsOf(top) == said && glimpseOf(top) == before {
		const least = 8 // characters: what is shorter may be a card's code or its expiry
		r, err := api.ParseReference(strings.TrimSpace(msg.Content))
		if err == nil && len(r) >= least && !r.LooksLikeCard() && a.numbered() {
			return a.push(nav.Payment{Reference: r, Ask: true})
		}
		a.warn("Paste ignored: no field takes text here.")
	}
	return cmd
}

// expects reports whether a screen lists a key among those that work, or takes it as text.
func (a *App) expects(s ui.Screen, k tea.KeyPressMsg) bool {
	if s.Typing() && (k.Text != "" || ui.Submits(k) || key.Matches(k, ui.Editing...)) {
		return true
	}
	return slices.ContainsFunc(s.Keys(), func(b key.Binding) bool { return key.Matches(k, b) })
}

func newsOf(s ui.Screen) ui.Notice {
	if n, ok := s.(ui.Noticer); ok {
		return n.Notice()
	}
	return ui.Notice{}
}

// ignoredWords say that a key does nothing, and which key lists those that do something.
func ignoredWords(k tea.KeyPressMsg, typing bool) string {
	const longest = 16 // cells of the name of a key
	name := present.Plain(ui.KeyName(k.String()))
	if name == "" || len(name) > longest {
		name = "This key"
	}
	help := ui.Help
	if typing {
		help = ui.HelpTyping
	}
	return name + " does nothing here. " + help.Help().Key + " lists the keys."
}
