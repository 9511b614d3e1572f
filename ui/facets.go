package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Facet is one part of a search: a few values to choose from, or none of them.
type Facet struct {
	Any    string // names it: "status"
	None   string // the word while no value is chosen; "" for its name
	Values []string
	Word   func(value string) string // nil for the value itself
	Chosen string                    // "" for none
}

// word returns what is drawn.
func (f *Facet) word() string {
	switch {
	case f.Chosen == "":
		return cmp.Or(f.None, f.Any)
	case f.Word == nil:
		return f.Chosen
	}
	return f.Word(f.Chosen)
}

// step chooses the next value, or the one before; after the last and before the first there is none.
func (f *Facet) step(by int) {
	all := append([]string{""}, f.Values...)
	at := max(slices.Index(all, f.Chosen), 0)
	f.Chosen = all[(at+by+len(all))%len(all)]
}

// Facets are the facets of a list, on one line above it. Tab goes from the list to the first, on to the next, and from
// the last back to the list; left and right choose.
type Facets struct {
	theme *Theme
	all   []*Facet
	focus int // -1 while the list has it
}

// NewFacets makes the line; the list has the focus.
func NewFacets(t *Theme, all ...*Facet) *Facets { return &Facets{theme: t, all: all, focus: -1} }

var (
	facetNext = Bind("tab", "fields", "tab")
	facetPrev = Bind("shift+tab", "previous field", "shift+tab")
	facetStep = Bind("←/→", "choose", "left", "right")
	facetDone = Bind("enter", "back to the list")
)

// Keys are the bindings while the list has the focus, or those for the facet that has it.
func (f *Facets) Keys() []key.Binding {
	next := facetNext
	switch {
	case f.focus < 0:
		if f.alone() {
			next.SetHelp("tab", f.all[0].Any)
		}
		return []key.Binding{next}
	case f.alone():
		return []key.Binding{facetStep, facetDone}
	}
	next.SetHelp("tab", "next field")
	return []key.Binding{facetStep, next, facetPrev, facetDone}
}

// alone reports whether there is one facet only.
func (f *Facets) alone() bool { return len(f.all) == 1 }

// Focused is the facet that has the focus, nil while the list has it.
func (f *Facets) Focused() *Facet {
	if f.focus < 0 {
		return nil
	}
	return f.all[f.focus]
}

// Leave gives the focus back to the list.
func (f *Facets) Leave() { f.focus = -1 }

// Update handles the keys of the facets. changed is the facet of which a key chose another value, or could not: a facet
// without values has nothing to choose.
func (f *Facets) Update(k tea.KeyPressMsg) (changed *Facet, used bool) {
	n := len(f.all) + 1 // with the list
	focused := f.Focused()
	switch {
	case key.Matches(k, facetNext):
		f.focus = (f.focus+2)%n - 1
	case key.Matches(k, facetPrev):
		f.focus = (f.focus+n)%n - 1
	case focused == nil:
		return nil, false
	case key.Matches(k, facetDone):
		f.Leave()
	case k.String() == "left":
		focused.step(-1)
		return focused, true
	case k.String() == "right":
		focused.step(1)
		return focused, true
	default:
		return nil, false
	}
	return nil, true
}

// wideFacets is the width from which a line has room for an arrow behind each of some facets.
const wideFacets = 74

// View draws the facets on one line of at most w cells, behind some words. Where not all fit, those that choose nothing are left
// out, the last first, and then others; never the one that has the focus. One alone goes on with the words.
func (f *Facets) View(before string, w int) string {
	drawn, used, leftOut := make([]string, len(f.all)), width(before), false
	for i := range drawn {
		if drawn[i] = f.draw(i, w); f.alone() {
			drawn[i] = " ·" + drawn[i]
		}
		used += width(drawn[i])
	}
	for _, chosen := range []bool{false, true} {
		for i := len(drawn) - 1; i >= 0 && used > w-1; i-- {
			if i != f.focus && (f.all[i].Chosen != "") == chosen {
				used -= width(drawn[i])
				drawn[i], leftOut = "", true
			}
		}
	}
	line := before + strings.Join(drawn, "")
	if leftOut && !f.alone() {
		line = cut(line, w-1) + f.theme.Muted.Render("…")
	}
	return cut(line, w)
}

// draw is one facet, as wide with the focus as without.
func (f *Facets) draw(i, w int) string {
	facet, arrow := f.all[i], ""
	if w >= wideFacets || f.alone() {
		arrow = "▾"
	}
	word := facet.word()
	switch {
	case i == f.focus:
		return facetMark + f.theme.Accent.Render(word) + f.theme.Strong.Render("›") + blanks(width(arrow))
	case facet.Chosen != "":
		return " " + f.theme.Strong.Render(word) + arrow + " "
	}
	return f.theme.Muted.Render(" " + word + arrow + " ")
}
