package ui

import (
	"errors"
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

// QR draws text as a QR code in half blocks with a quiet zone, dark on light whatever the
// terminal's colours. It returns an error when the text is too long for a code.
//
// The half blocks are the light modules. Without colours (NO_COLOR) the code is therefore right
// on a dark terminal and inverted on a light one, which most readers accept. Half blocks have no
// ASCII twin, so screens leave the code out in ASCII.
func QR(text string) ([]string, error) {
	code, err := encode(text)
	if err != nil {
		return nil, err
	}
	var lines []string
	light := func(x, y int) bool { return y < code.Size+quietZone && !code.Black(x, y) }
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		var b strings.Builder
		for x := -quietZone; x < code.Size+quietZone; x++ {
			b.WriteString(halfBlocks[light(x, y)][light(x, y+1)])
		}
		lines = append(lines, qrStyle.Render(b.String()))
	}
	return lines, nil
}

// QRSize returns the cells [QR] takes for text, such as 37×19 for 54 to 78 bytes, and 0×0 when
// the text is too long for a code.
func QRSize(text string) (w, h int) {
	code, err := encode(text)
	if err != nil {
		return 0, 0
	}
	side := code.Size + 2*quietZone
	return side, (side + 1) / 2
}

// QRNeeds words how large the window must be for a body of w×h cells.
func QRNeeds(w, h int) string {
	return fmt.Sprintf("The QR code needs a window of %d×%d.", max(w+bodyMargins, MinWidth), max(h+chromeLines, MinHeight))
}

// encode uses the lowest error correction: a screen does not get dirty, and the code is smallest.
func encode(text string) (*qr.Code, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, errors.New("too long for a QR code")
	}
	return code, nil
}

// halfBlocks are two modules in one cell, by whether the upper and the lower one are light.
var halfBlocks = map[bool]map[bool]string{true: {true: "█", false: "▀"}, false: {true: "▄", false: " "}}
