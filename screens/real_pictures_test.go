//go:build terminals

package screens_test

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPictures makes pictures of the main screens in the folder PAYDESK_PICTURES: .ci/pictures.
func TestPictures(t *testing.T) {
	folder := os.Getenv("PAYDESK_PICTURES")
	if folder == "" {
		t.Skip("no folder for the pictures")
	}
	for ground, colours := range map[string][]string{
		"dark":  {"-bg", "#101418", "-fg", "#d8dee6"},
		"light": {"-bg", "white", "-fg", "black"},
	} {
		t.Run(ground, func(t *testing.T) {
			t.Parallel()
			x := newXterm(t, "120x40", "xterm-256color", append(colours, "-fs", "10", "-b", "6"), "demo")
			starts(x.Person)
			tour(x, func(name string) {
				savePicture(t, filepath.Join(folder, name+"-"+ground+".png"), x.photograph())
			})
		})
	}
}

// tour makes some payments and shows each of the main screens.
func tour(x *xterm, show func(name string)) {
	show("home")
	x.Press("t")
	x.Sees("Page 1 of")
	show("transactions")
}

// photograph is the window in at most 256 colours, which makes a small file.
func (x *xterm) photograph() image.Image {
	x.t.Helper()
	x.Screen() // once it does not change
	p := picture(x.t, x.frame)
	w, h := x.size()
	p = p.SubImage(image.Rect(0, 0, w, h)).(*image.RGBA)
	points := map[color.RGBA]int{}
	each := func(do func(at image.Point, c color.RGBA)) {
		for y := range h {
			for i := range w {
				do(image.Pt(i, y), p.RGBAAt(i, y))
			}
		}
	}
	each(func(_ image.Point, c color.RGBA) { points[c]++ })
	var colours color.Palette
	for c := range points {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.Color) int {
		return cmp.Compare(points[b.(color.RGBA)], points[a.(color.RGBA)])
	})
	few := image.NewPaletted(p.Rect, colours[:min(len(colours), 256)])
	nearest := map[color.RGBA]uint8{}
	each(func(at image.Point, c color.RGBA) {
		if _, known := nearest[c]; !known {
			nearest[c] = uint8(few.Palette.Index(c))
		}
		few.SetColorIndex(at.X, at.Y, nearest[c])
	})
	return few
}

// size is that of the window, in points.
func (x *xterm) size() (w, h int) {
	x.t.Helper()
	out := told(x.t, x.setting, "xdotool", "search", "--class", "XTerm", "getwindowgeometry", "--shell")
	for line := range strings.Lines(out) {
		fmt.Sscanf(line, "WIDTH=%d", &w)
		fmt.Sscanf(line, "HEIGHT=%d", &h)
	}
	if w == 0 || h == 0 {
		x.t.Fatalf("the window has no size: %q", out)
	}
	return w, h
}
