package ui_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"paydesk/ui"
)

// The widgets with random keys and sizes.

var anyMsg = rapid.Custom(func(t *rapid.T) tea.Msg {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return paste(rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9 ./,-]{0,24}[\r\n]*`)).Draw(t, "paste"))
	case 1, 2, 3, 4:
		return stroke(rapid.SampledFrom(slices.Sorted(maps.Keys(strokes))).Draw(t, "key"))
	case 5:
		return stroke(string(rapid.Rune().Draw(t, "rune")))
	case 6:
		return tea.MouseClickMsg{}
	}
	return stroke(rapid.StringMatching(`[0-9a-zA-Z./, 漢]`).Draw(t, "letter"))
})

func TestNoKeysAndNoSizeBreakAForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPaymentForm(t)
		for _, msg := range rapid.SliceOfN(anyMsg, 0, 60).Draw(t, "msgs") {
			p.Update(msg)
			fits(t, p)
		}
		before := values(p)
		for range 3 {
			fits(t, p)
		}
		if after := values(p); after != before {
			t.Fatalf("drawing changed %q to %q", before, after)
		}
	})
}

func TestNoKeysAndNoSizeBreakAConfirmation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := charge
		q.Title = rapid.OneOf(rapid.Just(q.Title), rapid.StringMatching(`[a-z漢 ]{0,200}`)).Draw(t, "title")
		q.Lines = rapid.SliceOfN(rapid.StringMatching(`[a-z漢 ]{0,100}`), 0, 20).Draw(t, "lines")
		q.Typed = rapid.SampledFrom([]string{"", "12.50", "9 NGN"}).Draw(t, "typed")
		c := ui.NewConfirm(theme, q)
		c.Init(ui.NewScope(context.Background(), &ui.Work{}, &ui.Clock{}, nil))
		for _, msg := range rapid.SliceOfN(anyMsg, 0, 20).Draw(t, "msgs") {
			c.Update(msg)
			fits(t, c)
		}
	})
}

// fits draws in a random size and fails if the drawing leaves it.
func fits(t *rapid.T, v interface {
	View(w, h int) (string, *tea.Cursor)
}) {
	w, h := rapid.IntRange(-1, 130).Draw(t, "w"), rapid.IntRange(-1, 40).Draw(t, "h")
	s, c := v.View(w, h)
	lines := strings.Split(s, "\n")
	if s != "" && len(lines) > h {
		t.Fatalf("%d lines in %d×%d", len(lines), w, h)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > max(w, 0) {
			t.Fatalf("%d cells in %d×%d: %q", n, w, h, line)
		}
	}
	if c != nil && (c.X < 0 || c.Y < 0 || c.X >= w || c.Y >= h) {
		t.Fatalf("the cursor at %d,%d in %d×%d", c.X, c.Y, w, h)
	}
}

func values(p *paymentForm) string {
	pan, _ := p.pan.Value()
	amount, _ := p.amount.Value()
	expiry, _ := p.expiry.Value()
	return strings.Join([]string{pan.Expose(), amount.String(), expiry.String(), p.currency.Value(), p.channel.Value(), p.name.Value(), p.email.Value(),
		p.phone.Value(), p.city.Value(), p.country.Value(), p.narration.Value(), p.url.Value()}, "|")
}
