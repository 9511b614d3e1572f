package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"rsc.io/qr"
)

// quietZone is the empty border of a code, in modules. The standard requires 4; phones read 2,
// and 4 would leave no room for a URL at 80×24.
const quietZone = 2

// qrStyle is white on black in colours of the 256, because a palette may swap the terminal's own
// sixteen. A terminal with only sixteen shows bright white and black.
var qrStyle = lipgloss.NewStyle().Foreground(lipgloss.Color("231")).Background(lipgloss.Color("16"))

// QR draws text as a QR code of w cells in half blocks with a quiet zone, dark on light whatever
// the terminal's colours: 37×19 cells for 54 to 78 bytes. There is none for no text, for a text
// that is too long for a code, and in ASCII, which has no half blocks.
//
// The half blocks are the light modules. Without colours (NO_COLOR) the code is therefore right
// on a dark terminal and inverted on a light one, which most readers accept. It has the lowest
// error correction: a screen does not get dirty, and the code is smallest.
func (t *Theme) QR(text string) (lines []string, w int) {
	code, err := qr.Encode(text, qr.L)
	if err != nil || text == "" || t.ASCII {
		return nil, 0
	}
	light := func(x, y int) bool { return y < code.Size+quietZone && !code.Black(x, y) }
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		var b strings.Builder
		for x := -quietZone; x < code.Size+quietZone; x++ {
			b.WriteString(halfBlocks[light(x, y)][light(x, y+1)])
		}
		lines = append(lines, qrStyle.Render(b.String()))
	}
	return lines, code.Size + 2*quietZone
}

// QRNeeds words how large the window must be for a body of w×h cells.
func QRNeeds(w, h int) string {
	return fmt.Sprintf("The QR code needs a window of %d×%d.", max(w+bodyMargins, MinWidth), max(h+chromeLines, MinHeight))
}

// halfBlocks are two modules in one cell, by whether the upper and the lower one are light.
var halfBlocks = map[bool]map[bool]string{true: {true: "█", false: "▀"}, false: {true: "▄", false: " "}}
