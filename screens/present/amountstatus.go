package present

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/ui"
)

// AmountAndStatus returns what a payment of this console is about, above all else that is said of it: its amount, bold, by what it is
// paid, and its status as a chip, which has a line of its own where there is no room beside the amount.
func AmountAndStatus(t *ui.Theme, asked api.Asked, paidBy string, status ui.Cell, w int) []string {
	amount := "-" // unknown unless the payment was made in this console
	if !asked.Amount.Currency.IsZero() {
		amount = AmountDue(asked)
	}
	return AmountWithChip(t, amount, paidBy, status, w)
}

// AmountWithChip is an amount alone, bold, and its status as a chip.
func AmountWithChip(t *ui.Theme, amount, paidBy string, status ui.Cell, w int) []string {
	line, chip := t.Strong.Render(amount), ""
	if paidBy != "" {
		line += "  " + t.Muted.Render(paidBy)
	}
	if status.Text != "" {
		chip = t.Chip(status.Tone, status.Text)
	}
	const gap = 3
	switch {
	case chip == "":
		return []string{line}
	case ansi.StringWidth(line)+gap+ansi.StringWidth(chip) <= w:
		return []string{line + strings.Repeat(" ", gap) + chip}
	}
	return []string{line, chip}
}

// PaidBy is the masked card, or else the channel.
func PaidBy(masked, channel string) string { return cmp.Or(masked, api.Clean(channel).Line(20)) }
