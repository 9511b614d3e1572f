package ui

import "charm.land/bubbles/v2/key"

// MinWidth and MinHeight are the smallest window the console works in.
const (
	MinWidth  = 60
	MinHeight = 18
)

// A Frame is the chrome around a screen's body: header, body, notice, help
// bar. It is the only layout arithmetic of the console.
//
//	paydesk  SANDBOX  127.0.0.1:8099  key: demo                 Collect
//	────────────────────────────────────────────────────────────────────
//	body
//	notice
//	tab next   enter review   esc back   ? help
type Frame struct {
	Theme       *Theme
	Environment string // TEST, LIVE or SANDBOX; "" before a profile is open
	Host        string
	KeySource   string
	Title       string
	Notice      Notice
	Keys        []key.Binding
}

// A Notice is one line of news above the help bar.
type Notice struct {
	Tone Tone
	Text string
}

// BodySize is the size of the body in a window of w×h; 0×0 when the window is
// too small.
func BodySize(w, h int) (int, int) { return w - 2, h - 4 }

// BodyX and BodyY are where the body's upper left corner stands.
const (
	BodyX = 1
	BodyY = 2
)

// Render draws the whole window of exactly h lines, each at most w cells.
// A window below MinWidth×MinHeight gets one clear line instead.
func (f Frame) Render(w, h int, body string) string { return body }

// HelpPage draws the help of a screen, in the place of its body: its title, every
// enabled binding with its words, and more lines of explanation.
func (f Frame) HelpPage(w, h int, bindings []key.Binding, more ...string) string { return "" }
