//go:build !windows

package terminal

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/text"
)

// A picture is a frame to be drawn. It shares nothing with the model.
type picture struct {
	content string
	cursor  cursor
	title   string
}

// A cursor is the text cursor of a picture.
type cursor struct {
	placed bool // also where it is not shown
	shown  bool
	x, y   int
	style  int // of DECSCUSR; 0 where it is not shown
}

// hyperlink begins the sequence of a hyperlink, and of its end.
const hyperlink = "\x1b]8;"

// pictureOf copies a view. Colours, mouse and progress are not supported.
func pictureOf(v tea.View) picture {
	p := picture{content: v.Content, title: printable(v.WindowTitle)}
	c := v.Cursor
	if c == nil {
		return p
	}
	p.cursor = cursor{placed: true, shown: c.Shape != Hidden, x: c.X, y: c.Y}
	if p.cursor.shown {
		p.cursor.style = 2*int(c.Shape) + 2
		if c.Blink {
			p.cursor.style--
		}
	}
	return p
}

// printable leaves out what could end the sequence of a title, or begin another.
func printable(title string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, title)
}

// The modes of a terminal, as it has reported them.
type modes struct {
	w, h         int // cells
	profile      colorprofile.Profile
	synchronized bool // it shows what is written between two marks at once (mode 2026)
	graphemes    int  // counts its reports that it can measure whole characters (mode 2027)
	generation   int  // counts what may have changed the screen: resizes, other programs
}

// A canvas turns pictures into the bytes that change a terminal's screen.
type canvas struct {
	environ []string
	queries string // written when the terminal is first taken
	bare    bool   // see [Bare]
	w, h    int    // cells of the terminal when the program began

	screen *uv.TerminalRenderer
	bytes  bytes.Buffer // of the screen
	cells  uv.ScreenBuffer
	line   uv.ScreenBuffer // one of them, before it becomes a line of cells
	modes  modes
	last   picture
	drawn  bool     // last is on the screen
	lines  []string // of the cells; nil when all are to be drawn
	narrow bool     // each character of last takes one cell, see [text.Narrow]
}

// take returns what takes the terminal. Everything is to be drawn. An empty screen is drawn for no terminal: a tenth of the first
// frame is memory, which is there when the model has begun.
func (c *canvas) take() []byte {
	c.bytes.Reset()
	c.screen = uv.NewTerminalRenderer(&c.bytes, c.environ)
	c.screen.SetFullscreen(true)
	c.screen.SetRelativeCursor(false)
	c.cells, c.line = uv.NewScreenBuffer(c.w, c.h), uv.NewScreenBuffer(c.w, 1)
	c.modes, c.last, c.drawn = modes{}, picture{}, false
	c.screen.Erase()
	c.screen.Render(c.cells.RenderBuffer)
	_ = c.screen.Flush() // to c.bytes
	c.bytes.Reset()
	out := takeModes
	if c.bare {
		out = takeBare
	}
	out += c.queries
	c.queries = ""
	return []byte(out)
}

// leave returns what leaves the terminal as it was.
func (c *canvas) leave() string {
	out := leaveModes
	if c.bare {
		out = leaveBare
	}
	if !c.bare && c.last.title != "" {
		out += ansi.SetWindowTitle("") + popTitle // a terminal that keeps no titles gets an empty one
	}
	if c.last.cursor.style != 0 {
		out += ansi.SetCursorStyle(0)
	}
	if c.modes.graphemes > 0 {
		out += ansi.ResetModeUnicodeCore
	}
	if strings.Contains(c.last.content, hyperlink) {
		out += ansi.ResetHyperlink() // of a frame that was cut off
	}
	return out + leaveView
}

// frame returns the bytes that show a picture, none when it is shown.
func (c *canvas) frame(p picture, m modes) []byte {
	if c.drawn && p == c.last && m == c.modes {
		return nil
	}
	var out bytes.Buffer
	c.adopt(&out, m)
	c.measure(p, m)
	c.draw(p.content)
	if p.cursor.placed {
		c.screen.MoveTo(p.cursor.x, p.cursor.y) // after Render, which moves it
	}
	_ = c.screen.Flush() // to c.bytes
	c.retitle(&out, p.title)
	if p.cursor.style != c.last.cursor.style {
		out.WriteString(ansi.SetCursorStyle(p.cursor.style))
	}
	c.wrap(&out, p.cursor.shown)
	c.last, c.drawn = p, true
	return out.Bytes()
}

// draw changes the cells of the lines that differ from the last picture's. No style goes on after its line. The renderer sends a
// line from its first changed cell to its last, whatever stays between them, such as most of a row beside a pane: it is given
// a line in parts, the cells before the first long stretch that stays, then those before the next.
func (c *canvas) draw(content string) {
	lines := strings.Split(content, "\n")
	differ, scrolled := c.differing(lines)
	c.screen.SetBackspace(c.lines != nil) // a whole screen has no moves to the left, and looking for them takes a while
	c.screen.SetScrollOptim(scrolled)
	most := leastStretch
	if scrolled || c.lines == nil || !c.narrow {
		most = c.cells.Width()
	}
	var rest []int
	whole := map[int]uv.Line{} // the lines of rest
	for _, y := range differ {
		uv.NewStyledString(lineOf(lines, y)).Draw(c.line, c.line.Bounds())
		if c.change(y, c.line.Line(0), most) {
			rest, whole[y] = append(rest, y), slices.Clone(c.line.Line(0))
		}
	}
	for c.screen.Render(c.cells.RenderBuffer); len(rest) > 0; c.screen.Render(c.cells.RenderBuffer) {
		rest = slices.DeleteFunc(rest, func(y int) bool { return !c.change(y, whole[y], most) })
	}
	c.lines = lines
}

// leastStretch sets how many unchanged cells take more bytes than a move of the cursor over them.
const leastStretch = 8

// differing returns which lines differ from the last picture's, and whether they have scrolled: some stood in the place of others.
func (c *canvas) differing(lines []string) (differ []int, scrolled bool) {
	moved := 0
	for y := range c.cells.Height() {
		line := lineOf(lines, y)
		if c.lines != nil && line == lineOf(c.lines, y) {
			continue
		}
		differ = append(differ, y)
		if was := slices.Index(c.lines, line); was >= 0 && lineOf(lines, was) != line {
			moved++
		}
	}
	return differ, moved >= leastScroll
}

// leastScroll sets how many lines the renderer scrolls at least.
const leastScroll = 3

// change changes the cells of a line that differ, before the first stretch of more than most that stay. It reports whether others differ.
func (c *canvas) change(y int, to uv.Line, most int) bool {
	changed, same := false, 0
	for x := range to {
		switch {
		case c.cells.CellAt(x, y).Equal(&to[x]):
			same++
		case changed && same > most:
			return true
		default:
			c.cells.SetCell(x, y, &to[x])
			changed, same = true, 0
		}
	}
	return false
}

// lineOf is a line of a picture, which may have fewer than the screen.
func lineOf(lines []string, y int) string {
	if y >= len(lines) {
		return ""
	}
	return lines[y]
}

// The terminal keeps the title of before on a stack of its own.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// retitle changes the title of the window.
func (c *canvas) retitle(out *bytes.Buffer, title string) {
	if c.bare || title == c.last.title {
		return
	}
	if c.last.title == "" {
		out.WriteString(pushTitle)
	}
	out.WriteString(ansi.SetWindowTitle(title))
}

// adopt begins to draw for other modes.
func (c *canvas) adopt(out *bytes.Buffer, m modes) {
	if !c.drawn || m.generation != c.modes.generation {
		c.screen.Erase()
		c.screen.SetPosition(-1, -1) // a terminal may have moved it
		c.cells.Resize(m.w, m.h)
		c.line.Resize(m.w, 1)
		c.lines = nil
		c.screen.SetTabStops(-1) // the user sets them, and they are not known
	}
	if m.graphemes != c.modes.graphemes {
		out.WriteString(ansi.SetModeUnicodeCore)
	}
	c.screen.SetColorProfile(m.profile)
	c.modes = m
}

// measure chooses how characters are measured: as the terminal does, or in the cheapest way where nothing in
// this picture or the last one depends on it.
func (c *canvas) measure(p picture, m modes) {
	cells, screen, plain := ansi.WcWidth, ansi.WcWidth, text.Narrow(p.content)
	if plain || m.graphemes > 0 {
		cells = ansi.GraphemeWidth
	}
	if plain && (!c.drawn || c.narrow) {
		screen = ansi.GraphemeWidth
	}
	if c.line.Method != cells {
		c.line.Method, c.lines = cells, nil
	}
	c.screen.SetWidthMethod(screen)
	c.narrow = plain
}

// wrap adds the changes of the screen to out, so that no half of a frame and no flying cursor is seen.
func (c *canvas) wrap(out *bytes.Buffer, shown bool) {
	was := c.last.cursor.shown
	change := c.bytes.Len() > 0
	sync := change && c.modes.synchronized
	if sync {
		out.WriteString(ansi.SetModeSynchronizedOutput)
	}
	hide := was && (!shown || change && !sync)
	if hide {
		out.WriteString(ansi.ResetModeTextCursorEnable)
	}
	out.Write(c.bytes.Bytes())
	c.bytes.Reset()
	if shown && (!was || hide) {
		out.WriteString(ansi.SetModeTextCursorEnable)
	}
	if sync {
		out.WriteString(ansi.ResetModeSynchronizedOutput)
	}
}
