package ui

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"rsc.io/qr"
)

// quietZone is the empty border of a code in modules. The standard asks for 4; phones
// read 2, and 4 would not leave room for an address at 80×24.
const quietZone = 2

// qrStyle is white on black, of the fixed colours above the terminal's own
// sixteen, which a palette may turn around. Where there are sixteen only they become
// bright white and black.
var qrStyle = lipgloss.NewStyle().Foreground(lipgloss.Color("231")).Background(lipgloss.Color("16"))

// QR draws text as a QR code in half blocks with a quiet zone, dark on light
// whatever the terminal's colours. It errs when the text is too long for a
// code.
//
// What is drawn, the half blocks, is the light modules. So without colours (NO_COLOR)
// the code is still right on a dark terminal; on a light one it is inverted, which most
// readers take. Half blocks have no ASCII twin, so screens leave the code out there: the
// address stands beside it.
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
			b.WriteString(halfBlock(light(x, y), light(x, y+1)))
		}
		lines = append(lines, qrStyle.Render(b.String()))
	}
	return lines, nil
}

// QRSize is the cells [QR] takes for text: 37×19 for an address of 54 to 78 bytes.
// It is 0×0 when the text is too long for a code.
func QRSize(text string) (w, h int) {
	code, err := encode(text)
	if err != nil {
		return 0, 0
	}
	side := code.Size + 2*quietZone
	return side, (side + 1) / 2
}

// QRNeeds says how large a window has to be for a body of w×h cells with a code in it.
func QRNeeds(w, h int) string {
	return fmt.Sprintf("The QR code needs a window of %d×%d.", max(w+bodyMargins, MinWidth), max(h+chromeLines, MinHeight))
}

// encode uses the least error correction: a screen does not get dirty, and the
// smallest code is the easiest to show.
func encode(text string) (*qr.Code, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, errors.New("too long for a QR code")
	}
	return code, nil
}

func halfBlock(upper, lower bool) string {
	switch {
	case upper && lower:
		return "█"
	case upper:
		return "▀"
	case lower:
		return "▄"
	}
	return " "
}
