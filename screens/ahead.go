package screens

import (
	"sync/atomic"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// An ahead is the feature that keeps what is pressed ahead of the screen that it is for: before home is open, and while
// a key may open or leave a screen. What a key does arrives a message later than the next key, which would meet the
// screen that is about to be covered.
type ahead struct {
	app  *App
	kept []tea.Msg // keys and pastes
	open *opening  // may still navigate; nil for none
}

// An opening tracks the command that a key has made a screen return, until each part of it has navigated or ended otherwise.
type opening struct {
	parts atomic.Int32
	ended then // every part of it
}

// take passes on a key or a paste, or keeps it. The key that ends the console is never kept.
func (h *ahead) take(msg tea.Msg) tea.Cmd {
	const most = 64 // a key that is held down
	a := h.app
	k, is := msg.(tea.KeyPressMsg)
	switch {
	case a.tooSmall(), is && key.Matches(k, ui.Quit):
	case h.waits():
		if len(h.kept) < most {
			h.kept = append(h.kept, msg)
		}
		return nil
	default:
		a.start.dropped = false
	}
	return h.give(msg)
}

func (h *ahead) waits() bool { return h.app.start.home != nil || h.open != nil }

func (h *ahead) give(msg tea.Msg) tea.Cmd {
	if paste, is := msg.(tea.PasteMsg); is {
		return h.app.paste(paste)
	}
	return h.app.press(msg.(tea.KeyPressMsg))
}

// pass passes on what was kept, up to what has to be waited for.
func (h *ahead) pass() tea.Cmd {
	var all []tea.Cmd
	for len(h.kept) > 0 && !h.waits() {
		msg := h.kept[0]
		h.kept = h.kept[1:]
		all = append(all, h.give(msg))
	}
	return tea.Batch(all...)
}

// drop forgets what was kept, and reports whether there was anything.
func (h *ahead) drop() bool {
	some := len(h.kept) > 0
	h.kept, h.open = nil, nil
	return some
}

// await returns the command that a key has made a screen return. What is pressed from now on is kept until the command has
// navigated. A call or a wait does not navigate: its answer comes later, and meets the keys as they come.
func (h *ahead) await(s ui.Screen, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	open := &opening{}
	open.ended = func() tea.Cmd {
		if h.open != open {
			return nil
		}
		h.open = nil
		return h.pass()
	}
	open.parts.Store(1)
	h.open = open
	return open.run(s, cmd)
}

func (o *opening) run(s ui.Screen, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := cmd()
		parts, several := msg.(tea.BatchMsg)
		switch {
		case !several:
			return tea.Sequence(fromScreen(s, func() tea.Msg { return msg }), o.done)()
		case ui.TakesTime(parts):
			return tea.BatchMsg{fromScreen(s, parts[0]), o.done}
		}
		o.parts.Add(int32(len(parts)))
		for i, part := range parts {
			parts[i] = o.run(s, part)
		}
		return append(parts, o.done)
	}
}

// done ends a part.
func (o *opening) done() tea.Msg {
	if o.parts.Add(-1) > 0 {
		return nil
	}
	return o.ended
}
