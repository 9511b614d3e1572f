package sandbox

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// openURL asks where to send webhooks, too. Only payments that become final from then on are sent.
func (h *webhookList) openURL() tea.Cmd {
	f := ui.NewTextField(h.m.Theme, "Webhook", "http or https URL that final payments are posted to", ui.Required())
	box := h.m.sandbox
	return h.m.openEntry("URL", f, nil, "Payments that become final are now sent there.", func(ctx context.Context, url string) error {
		return box.ChangeWebhooks(ctx, url, "")
	})
}

// A urlCount is a URL and what became of the webhooks to it.
type urlCount struct {
	url             string
	sent, delivered int
}

// openURLs opens the choice of the URL that is removed: the only one may be that of the inbox.
func (h *webhookList) openURLs() tea.Cmd {
	m, box := h.m, h.m.sandbox
	of := chooser("Remove a webhook URL", "URL", nil, func(c urlCount) []ui.Cell {
		return []ui.Cell{{Text: c.url}, {Text: strconv.Itoa(c.delivered) + " of " + strconv.Itoa(c.sent)}}
	}, ui.Column{Title: "URL", Width: 20, Grow: true}, ui.Column{Title: "Delivered", Width: 12})
	of.All = m.urlCounts
	of.Says = func(_ urlCount, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap("What was not delivered to a URL that is removed goes to the next one that is added.", w)...)
	}
	of.Commands = func(one urlCount, some bool) ui.Commands {
		return ui.Commands{
			{Key: ui.Bind("enter", "remove"), On: some, Do: func() tea.Cmd {
				words := "Webhooks are no longer sent to " + shortURL(one.url) + "."
				return tea.Batch(m.act(func(ctx context.Context) error { return box.ChangeWebhooks(ctx, "", one.url) }, m.tell(words)), nav.Pop)
			}},
			{Key: ui.Bind("X", "remove all"), On: true, Do: func() tea.Cmd {
				return tea.Batch(m.act(func(ctx context.Context) error { return box.SetWebhooks(ctx, nil) }, m.tell("Webhooks are no longer sent.")), nav.Pop)
			}},
		}
	}
	return detail.NewChooser(m.Body, of).Open(0)
}

// urlCounts are the URLs that webhooks are sent to.
func (m *Model) urlCounts() (all []urlCount) {
	for _, u := range m.view.Targets {
		c := urlCount{url: u}
		for _, d := range m.view.Deliveries {
			if d.Target == u {
				c.sent++
			}
			if d.Target == u && d.Delivered {
				c.delivered++
			}
		}
		all = append(all, c)
	}
	return all
}
