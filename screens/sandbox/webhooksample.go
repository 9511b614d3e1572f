package sandbox

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A sample is an event of no payment, in one of the formats that have been seen.
type sample struct {
	event, style string // as the sandbox calls them
	says         string // the event and the status in it
	about        string
}

// samples are all that there are. Only of a failed payment does "contradictory" say anything else than "official".
var samples = []sample{
	{"payment.success", "spec", "payment.success, SUCCESSFUL", "The format of the specification."},
	{"payment.failed", "spec", "payment.failed, FAILED", "The format of the specification."},
	{"payment.success", "official", "PaymentSuccessful, Successful", "The service was seen to send this format."},
	{"payment.failed", "official", "PaymentFailed, Failed", "The service was seen to send this format."},
	{"payment.success", "camel", "PaymentSuccessful, Successful", "The service was seen to send this format: its names begin with small letters."},
	{"payment.failed", "camel", "PaymentFailed, Failed", "The service was seen to send this format: its names begin with small letters."},
	{"payment.failed", "contradictory", "PaymentSuccessful, Failed", "The service was seen to do this: the event says success, the status says Failed. A receiver has to ask for the status."},
}

// openSamples opens the choice of a sample, to try a receiver with. The format that webhooks have now is marked.
func (m *Model) openSamples() tea.Cmd {
	of := chooser("Send a sample", "Sample", samples, func(s sample) []ui.Cell { return []ui.Cell{{Text: s.style}, {Text: s.says}} },
		ui.Column{Title: "Format", Width: 13}, ui.Column{Title: "It says", Width: 30, Grow: true})
	of.Says = func(one sample, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap(one.about+" The sample belongs to no payment: its status is not found.", w)...)
	}
	of.Commands = func(one sample, _ bool) ui.Commands {
		return ui.Commands{{Key: ui.Bind("enter", "send"), On: true, Do: func() tea.Cmd { return tea.Batch(m.sendSample(one), nav.Pop) }}}
	}
	return detail.NewChooser(m.Body, of).Open(max(slices.IndexFunc(samples, func(one sample) bool {
		return slices.ContainsFunc(m.view.Switches, func(s sandbox.Switch) bool { return s.Name == "webhook.style" && s.Value == one.style })
	}), 0))
}

func (m *Model) sendSample(one sample) tea.Cmd {
	box := m.sandbox
	return m.act(func(ctx context.Context) error { return box.SendSample(ctx, one.event, one.style) },
		m.tellSent("A sample is sent: "+one.says+". It belongs to no payment."))
}
