package sandbox

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// openURL asks where to send webhooks, too. Only payments that become final from then on are sent.
func (h *webhookList) openURL() tea.Cmd {
	f := ui.NewTextField(h.m.Theme, "Webhook", "http or https URL that final payments are posted to", ui.Required())
	box := h.m.sandbox
	return h.m.openEntry(f, "Payments that become final are now sent there.", func(ctx context.Context, url string) error {
		return box.ChangeWebhooks(ctx, url, "")
	})
}

// remove ends the sending to the only URL, or asks to which.
func (h *webhookList) remove() tea.Cmd {
	switch len(h.targets) {
	case 0:
		return h.m.Notify("No URL is set.")
	case 1:
		return h.m.keepURLs(nil, "Webhooks are no longer sent.")
	}
	return h.m.open(newURLs(h))
}

// keepURLs ends the sending to the others, and aborts what is being sent to them.
func (m *Model) keepURLs(urls []string, words string) tea.Cmd {
	box := m.sandbox
	return m.act(func(ctx context.Context) error { return box.SetWebhooks(ctx, urls) }, m.tell(words))
}

// A urlList removes one of several URLs of webhooks.
type urlList struct {
	base
	of  *webhookList
	all []urlCount
}

// A urlCount is a URL and what became of the webhooks to it.
type urlCount struct {
	url             string
	sent, delivered int
}

func newURLs(h *webhookList) *urlList {
	l := &urlList{of: h, base: newBase(h.m, "Remove a webhook URL", "URL", 1,
		ui.Column{Title: "URL", Width: 20, Grow: true},
		ui.Column{Title: "Delivered", Width: 12},
	)}
	l.read()
	return l
}

func (l *urlList) read() {
	l.of.read()
	l.all = nil
	for _, u := range l.of.targets {
		c := urlCount{url: u}
		for _, d := range l.of.all {
			if d.Target == u {
				c.sent++
			}
			if d.Target == u && d.Delivered {
				c.delivered++
			}
		}
		l.all = append(l.all, c)
	}
	l.setRows(l.all, len(l.all), func(i int) []ui.Cell {
		c := l.all[i]
		return []ui.Cell{{Text: c.url}, {Text: strconv.Itoa(c.delivered) + " of " + strconv.Itoa(c.sent)}}
	})
}

func (l *urlList) foot(w int) []present.Line {
	return present.Rows(rankKeep, ui.Wrap("What was not delivered to a URL that is removed goes to the next one that is added.", w)...)
}

func (l *urlList) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "remove"), On: true, Do: l.remove},
		{Key: ui.Bind("X", "remove all"), On: true, Do: func() tea.Cmd {
			l.m.overlay = l.below
			return l.m.keepURLs(nil, "Webhooks are no longer sent.")
		}},
	}
}

func (l *urlList) remove() tea.Cmd {
	one, ok := ui.Selected(l.table, l.all)
	if !ok {
		return nil
	}
	l.m.overlay = l.below
	kept := slices.DeleteFunc(slices.Clone(l.of.targets), func(u string) bool { return u == one.url })
	return l.m.keepURLs(kept, "Webhooks are no longer sent to "+shortURL(one.url)+".")
}
