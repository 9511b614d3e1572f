//go:build terminals

package screens_test

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
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
			x := newXterm(t, "120x40", "xterm-256color", append(colours, "-fs", "10", "-b", "6"), "--background", ground, "demo")
			starts(x.Person)
			tour(x, func(name string) {
				savePicture(t, filepath.Join(folder, name+"-"+ground+".png"), x.photograph())
			})
		})
	}
}

// tour makes some payments, as a person would, and shows the main screens on the way.
func tour(x *xterm, show func(name string)) {
	charge(x, "12.50", "GBP", "approve")
	x.Sees("Provide the goods")
	goHome(x.Person)
	charge(x, "75.25", "GBP", "decline")
	x.Sees("The charge was rejected")
	goHome(x.Person)
	charge(x, "2500", "NGN", "approve")
	x.Sees("Provide the goods")
	goHome(x.Person)

	x.arm("initiate", "lost-answer")
	charge(x, "40.00", "GBP", "approve")
	x.Sees("UNRESOLVED")
	show("unresolved")
	goHome(x.Person)

	charge(x, "18.99", "GBP", "challenge")
	x.Sees("The customer opens this")
	show("challenge")
	goHome(x.Person)

	toCard(x.Person, "310.00", "GBP")
	pick(x.Person, "pending-long")
	show("card")
	x.Press("ctrl+s")
	x.Sees("Charge 310.00 GBP")
	show("review")
	x.Yes("Charge 310.00 GBP")
	x.Sees("o not charge again")
	show("payment")
	goHome(x.Person)

	x.Press("n")
	x.Fill("Name", "Chairs")
	x.Fill("Description", "six oak chairs")
	x.Choose("Currency", "GBP")
	x.Fill("Amount", "120.00")
	x.Press("ctrl+s")
	x.Yes("Create")
	x.Sees("/pay/")
	show("link")
	goHome(x.Person)
	show("home")

	for i, room := range []string{"transactions", "activity", "links", "inbox", "sandbox"} {
		x.Press(fmt.Sprint(i + 2))
		x.Sees("▪ " + fmt.Sprint(i+2))
		x.Press("down", "down")
		show(room)
	}
	x.Press("1", ":")
	show("palette")
}

// charge takes a payment with a test card.
func charge(x *xterm, amount, currency, card string) {
	toCard(x.Person, amount, currency)
	pick(x.Person, card)
	x.Press("ctrl+s")
	x.Yes("Charge ")
}

var hostAndPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// arm arms a fault of the demo's sandbox for one call.
func (x *xterm) arm(operation, fault string) {
	x.t.Helper()
	url := "http://" + hostAndPort.FindString(x.Screen()) + "/_sandbox/faults"
	body := fmt.Sprintf(`{"operation":%q,"fault":%q,"calls":1}`, operation, fault)
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	must(x.t, err)
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		x.t.Fatalf("the sandbox answered %s", r.Status)
	}
}

// rested is longer than what stands beside a list waits for another key.
const rested = 500 * time.Millisecond

// photograph is the window in at most 256 colours, which makes a small file.
func (x *xterm) photograph() image.Image {
	x.t.Helper()
	x.Wait(rested)
	x.Screen()                             // once it does not change
	x.xdotool("mousemove", "5000", "5000") // out of the picture
	p := picture(x.t, x.frame)
	x.xdotool("mousemove", "200", "200") // xterm hears the keys below it
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

// size returns the size of the window, in points.
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
