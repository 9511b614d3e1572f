package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A Room is one of the console's main screens, which a number opens from the others; the rule below
// the header lists them.
type Room struct {
	Key, Name string
	Short     string // the name in a narrow window; "" for the same
	Here      bool
}

const (
	console   = "paydesk" // the first level of every trail
	levelMark = " ▸ "
	leftOut   = "…"
	headGap   = "  " // between the parts of the header
	// minHostWidth is the number of cells that the trail leaves to the host.
	minHostWidth = 16
)

// title is the level that is shown.
func (f Frame) title() string {
	if len(f.Trail) == 0 {
		return ""
	}
	return f.Trail[len(f.Trail)-1]
}

// header says where the person is and, at the right, to which service requests go and which money
// this is. The environment is always there; the key's source is the first to be left out, then the
// levels in the middle of the trail, then the beginning of the host.
func (f Frame) header(w int) string {
	chip := f.environment()
	room := w - bodyMargins
	if chip != "" {
		room -= width(headGap) + width(chip)
	}
	trail := f.trail(room)
	free := room - width(trail) - len(helpGap)
	where := f.Theme.Muted.Render(f.where(free))
	line := blanks(BodyX) + trail
	if chip == "" && width(where) == 0 {
		return line
	}
	return line + blanks(room-width(trail)-width(where)) + where + headGap + chip
}

// where returns the host and the key's source, in at most room cells. The source is left out before its
// last word, which tells one key from another, and neither is cut.
func (f Frame) where(room int) string {
	if f.Host == "" || room < 1 {
		return ""
	}
	host := cutHost(f.Host, room)
	source := strings.Fields(f.KeySource)
	for from := range source {
		key := " · key " + strings.Join(source[from:], " ")
		if width(host)+width(key) <= room {
			return host + key
		}
	}
	return host
}

// trail draws the levels that lead to what is shown, so that the host has its place beside them.
func (f Frame) trail(room int) string {
	gap := 0
	if f.Host != "" {
		gap = len(helpGap)
	}
	forms := f.trails()
	for _, host := range []int{width(f.Host), min(width(f.Host), minHostWidth)} {
		for _, levels := range forms {
			if line := f.drawTrail(levels); width(line)+gap+host <= room {
				return line
			}
		}
	}
	return cut(f.drawTrail(forms[len(forms)-1]), room-gap-min(width(f.Host), minHostWidth))
}

// trails are the forms of the trail, the longest first. Levels in the middle are the first to be
// left out, the one that is shown is never.
func (f Frame) trails() [][]string {
	all := append([]string{console}, f.Trail...)
	forms := [][]string{all}
	for from := 2; from < len(all); from++ {
		forms = append(forms, append([]string{console, leftOut}, all[from:]...))
	}
	return append(forms, all[len(all)-1:])
}

func (f Frame) drawTrail(levels []string) string {
	t := f.Theme
	drawn := make([]string, len(levels))
	for i, level := range levels {
		style := t.Muted
		switch {
		case i == 0 && level == console:
			style = t.Accent
		case i == len(levels)-1:
			style = t.Strong
		}
		drawn[i] = style.Render(cut(level, width(level)))
	}
	return strings.Join(drawn, t.Muted.Render(levelMark))
}

// cutHost cuts a host at its start, because its end names the owner.
func cutHost(host string, w int) string {
	if n := width(host); n > w {
		return ansi.TruncateLeft(host, n-w+1, "…")
	}
	return host
}

// environment draws the environment as a chip. Live has the sign and the colour of
// [ToneAct], and the heavy rule below as well: with colours or without, it looks like no other.
func (f Frame) environment() string {
	switch {
	case f.Environment == "":
		return ""
	case f.Live:
		return f.Theme.Chip(ToneAct, f.Environment)
	}
	return f.Theme.Chip(ToneNone, f.Environment)
}

// bannerCells are kept for a banner, which is often as wide, so that the rooms stay where they are as its words change.
const bannerCells = 26

// rule draws the line below the header, with the rooms in it and the banner at its end. It is heavy in live.
func (f Frame) rule(w int) string {
	stroke, style, tight := "─", f.Theme.Muted, " "
	if f.Live { // whose line is seen in any window
		stroke, style = "━", f.Theme.tones[ToneAct]
		tight = style.Render(stroke)
	}
	draw := func(n int) string { return style.Render(strings.Repeat(stroke, max(n, 0))) }
	const around = 3 // a stroke and the blanks
	room, banner := w-around, f.Theme.Mark(f.Banner.Tone, f.Banner.Text)
	if banner != "" {
		room -= around + max(width(banner), bannerCells)
	}
	left, right := "", ""
	if rooms := f.rooms(room, " "+draw(1)+" ", tight); rooms != "" {
		left = draw(1) + " " + rooms + " "
	}
	if banner != "" {
		right = " " + cut(banner, w-width(left)-around) + " " + draw(1)
	}
	return left + draw(w-width(left)-width(right)) + right
}

// rooms lists the rooms in at most room cells: between strokes, closer together with shorter names, or by their numbers
// alone; "" where even these have no room beside an error.
func (f Frame) rooms(room int, stroke, tight string) string {
	if len(f.Rooms) == 0 {
		return ""
	}
	line := ""
	for _, form := range []struct {
		name    func(Room) string
		between string
	}{
		{func(r Room) string { return r.Name }, stroke},
		{func(r Room) string { return r.Name }, "  "},
		{shortName, tight},
		{hereName, stroke},
		{hereName, tight},
		{func(Room) string { return "" }, tight},
	} {
		drawn := make([]string, len(f.Rooms))
		for i, r := range f.Rooms {
			drawn[i] = f.room(r, form.name(r))
		}
		if line = strings.Join(drawn, form.between); width(line) <= room {
			break
		}
	}
	if f.Banner.Tone == ToneBad && width(line) > room { // nothing makes way for an error
		return ""
	}
	return line
}

func shortName(r Room) string {
	if r.Short != "" {
		return r.Short
	}
	return r.Name
}

// hereName is the name of the room that is shown; the others have only their numbers.
func hereName(r Room) string {
	if r.Here {
		return r.Name
	}
	return ""
}

func (f Frame) room(r Room, name string) string {
	words := slices.DeleteFunc([]string{r.Key, name}, func(s string) bool { return s == "" })
	if r.Here {
		return f.Theme.Strong.Render("▪ " + strings.Join(words, " "))
	}
	if len(words) == 1 {
		return r.Key
	}
	return r.Key + " " + f.Theme.Muted.Render(name)
}
