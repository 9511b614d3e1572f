package sandbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

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

// A sampleChooser sends a sample, to try a receiver with.
type sampleChooser struct{ base }

// newSamples selects the format that webhooks have now.
func newSamples(m *Model) *sampleChooser {
	c := &sampleChooser{newBase(m, "Send a sample", "Sample", 1,
		ui.Column{Title: "Format", Width: 13},
		ui.Column{Title: "It says", Width: 30, Grow: true},
	)}
	c.table.SetRows(len(samples), func(i int) []ui.Cell { return []ui.Cell{{Text: samples[i].style}, {Text: samples[i].says}} })
	for _, s := range m.view.Switches {
		for i := range samples {
			if s.Name == "webhook.style" && samples[i].style == s.Value {
				c.table.Select(i)
				return c
			}
		}
	}
	return c
}

func (c *sampleChooser) foot(w int) []present.Line {
	one, _ := shown(&c.base, samples)
	return present.Rows(rankKeep, ui.Wrap(one.about+" The sample belongs to no payment: its status is not found.", w)...)
}

func (c *sampleChooser) commands() ui.Commands {
	return ui.Commands{{Key: ui.Bind("enter", "send"), On: true, Do: c.send}}
}

func (c *sampleChooser) send() tea.Cmd {
	one, ok := ui.Selected(c.table, samples)
	if !ok {
		return nil
	}
	c.m.overlay = c.below
	box := c.m.sandbox
	return c.m.act(func(ctx context.Context) error { return box.SendSample(ctx, one.event, one.style) },
		c.m.tellSent("A sample is sent: "+one.says+". It belongs to no payment."))
}
