package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"rsc.io/qr"
)

const address = "https://pay.example/collect/3f6e1c1a-8f8d-4a0e-9d8e-0c6a2a7d41f0?r=1x" // 69 bytes

// modules reads the light modules of a drawing from its half blocks.
func modules(t *testing.T, lines []string) [][]bool {
	t.Helper()
	var light [][]bool
	for _, line := range lines {
		var upper, lower []bool
		for _, r := range ansi.Strip(line) {
			if !strings.ContainsRune("█▀▄ ", r) {
				t.Fatalf("%q is not a half block", r)
			}
			upper = append(upper, r == '█' || r == '▀')
			lower = append(lower, r == '█' || r == '▄')
		}
		light = append(light, upper, lower)
	}
	return light
}

// draws fails where a drawing with a border, in modules, is not that of a text. Each module has a number of cells.
func draws(t *testing.T, lines []string, text string, across, down, cells int) {
	t.Helper()
	code := mustEncode(t, text)
	for y, line := range modules(t, lines) {
		for x, light := range line {
			if light == code.Black(x/cells-across, y/cells-down) {
				t.Fatalf("module %d,%d of %q has the wrong colour", x, y, text)
			}
		}
	}
}

func TestAQRCodeIsDrawnModuleByModule(t *testing.T) {
	for _, text := range []string{"a", address, strings.Repeat("x", 300)} {
		lines, w := NewTheme(false).QR(text).Beside()
		draws(t, lines, text, quietZone, quietZone, 1)
		if side := mustEncode(t, text).Size + 2*quietZone; w != side || len(lines) != (side+1)/2 {
			t.Errorf("the code is %d×%d, not %d wide", w, len(lines), side)
		}
	}
}

func TestATextTooLongOrInASCIIHasNoQRCode(t *testing.T) {
	long := strings.Repeat("x", 3_000)
	for _, none := range []struct {
		theme *Theme
		text  string
	}{{NewTheme(false), long}, {NewTheme(false), ""}, {NewTheme(true), address}} {
		if lines, w := none.theme.QR(none.text).Beside(); lines != nil || w != 0 {
			t.Errorf("%d bytes have a code of %d×%d", len(none.text), w, len(lines))
		}
	}
}

// At 80×24 the URLs of the demo's bank, of 137 bytes, need every line of the window.
func TestACodeInTheWholeWindowHasAsMuchBorderAsThereIsRoomFor(t *testing.T) {
	long := address + address[:68]
	for _, c := range []struct{ w, h, width, lines int }{
		{80, 24, 45 + 8, 24}, {47, 24, 47, 24}, {48, 24, 47, 24}, {46, 24, 0, 0}, {80, 23, 0, 0}, {200, 60, 106, 53}, {0, 0, 0, 0}, {-3, -1, 0, 0},
	} {
		lines, w := NewTheme(false).QR(long).Within(c.w, c.h)
		if w != c.width || len(lines) != c.lines {
			t.Errorf("in %d×%d it takes %d×%d", c.w, c.h, w, len(lines))
		}
		if side := mustEncode(t, long).Size; w > 2*side { // two cells for each module
			draws(t, lines, long, 4, 4, 2)
		} else {
			draws(t, lines, long, (w-side)/2, min((2*c.h-side)/2, 4), 1)
		}
	}
	if w, h := NewTheme(false).QR(long).Least(); w != 47 || h != 24 {
		t.Errorf("it needs %d×%d", w, h)
	}
}

func mustEncode(t *testing.T, text string) *qr.Code {
	t.Helper()
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestAQRCodeInASCIIHasTwoCharactersForEachModule(t *testing.T) {
	code := mustEncode(t, address)
	lines := NewTheme(false).QR(address).ASCII()
	if side := code.Size + 2*quietZone; len(lines) != side {
		t.Fatalf("%d lines, not %d", len(lines), side)
	}
	for y, line := range lines {
		plain := ansi.Strip(line)
		for x := range len(lines) {
			want := "##"
			if code.Black(x-quietZone, y-quietZone) {
				want = "  "
			}
			if got := plain[2*x : 2*x+2]; got != want {
				t.Fatalf("module %d,%d is %q", x, y, got)
			}
		}
	}
	if !strings.HasPrefix(lines[0], "\x1b[38;5;231;48;5;231m##") {
		t.Errorf("a light square is %q", lines[0][:24])
	}
	if got := NewTheme(false).QR("").ASCII(); got != nil {
		t.Errorf("a code of nothing: %q", got)
	}
}
