//go:build terminals

package screens_test

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/ui/termtest"
)

// An xterm runs on a display that no person sees.
type xterm struct {
	termtest.Person[*xterm]
	termtest.RealTime
	t       *testing.T
	setting setting
	frame   string // the file with the display's pixels
}

// what the display's server and xterm are told. A server that resets when its last client ends would refuse a client that
// begins just then. F12 prints what is on the screen.
const (
	displayServer = `exec "$0" -noreset -screen 0 1200x860x24 -fbdir "$1" -nolisten tcp -nolisten unix -displayfd 3 3>"$1/number"`
	printing      = `cat >"$0.part" && mv "$0.part" "$0.text"`
	resources     = "XTerm*pointerMode: 2\nXTerm*cursorBlink: false\nXTerm*VT100.translations: #override <Key>F12: print()\nXTerm*printAttributes: 0\nXTerm*printerAutoClose: true\n" +
		"XTerm*faceName: DejaVu Sans Mono\nXTerm*faceSize: 13\nXTerm*printerCommand: /bin/sh "
)

func newXterm(t *testing.T, geometry, term string, options []string, args ...string) *xterm {
	e := systemSetting(t)
	folder := e["XDG_RUNTIME_DIR"]
	x := &xterm{t: t, setting: e, frame: filepath.Join(folder, "Xvfb_screen0")}
	x.Person = termtest.NewPerson(t, termtest.Device(x), x)
	background(t, e, "/bin/sh", "-c", displayServer, tool(t, "Xvfb"), folder)
	until(t, func() bool {
		number, _ := os.ReadFile(filepath.Join(folder, "number"))
		e["DISPLAY"] = ":" + strings.TrimSpace(string(number))
		return strings.HasSuffix(string(number), "\n")
	}, func() string { return "Xvfb does not start" })
	e["XENVIRONMENT"] = e.keep(t, "resources", resources+e.keep(t, "print", printing)+"\n")
	command := append([]string{"xterm", "-geometry", geometry + "+0+0", "-tn", term}, options...)
	background(t, e, append(append(command, "-e"), aroundIt(t, e, args...)...)...)
	return x
}

// Screen returns what is on the screen once it does not change; xterm draws in parts.
func (x *xterm) Screen() string {
	x.t.Helper()
	for text := x.printed(); ; {
		now := x.printed()
		if now == text {
			return text
		}
		text = now
	}
}

// printed returns what xterm prints of its screen.
func (x *xterm) printed() (text string) {
	x.t.Helper()
	path := filepath.Join(x.setting["HOME"], "print.text")
	os.Remove(path)
	var asked time.Time
	until(x.t, func() bool {
		if time.Since(asked) > time.Second { // before its window is there, and below the pointer, it hears nothing
			x.xdotool("mousemove", "200", "200", "key", "--clearmodifiers", "F12")
			asked = time.Now()
		}
		b, err := os.ReadFile(path)
		text = string(b)
		return err == nil
	}, func() string { return "xterm does not print" })
	return text
}

func (x *xterm) Width() int { return 80 }

func (x *xterm) Key(name string) {
	x.t.Helper()
	named := map[string]string{"enter": "Return", "tab": "Tab", "esc": "Escape", "down": "Down", "right": "Right"}
	if key := cmp.Or(named[name], name); key != name || strings.HasPrefix(name, "ctrl+") {
		x.xdotool("key", key)
	} else {
		x.Text(name)
	}
}

func (x *xterm) Text(text string) {
	x.t.Helper()
	x.xdotool("type", "--delay", "1", "--", text)
}

func (x *xterm) xdotool(command ...string) {
	x.t.Helper()
	told(x.t, x.setting, append([]string{"xdotool"}, command...)...)
}

func TestOnXterm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		term          string
		options, args []string
		ground        color.RGBA
	}{
		"dark":    {"xterm-256color", []string{"-bg", "black", "-fg", "gray90"}, []string{"--background", "dark", "demo"}, color.RGBA{A: 255}},
		"light":   {"xterm-256color", []string{"-bg", "white", "-fg", "black"}, []string{"--background", "light", "demo"}, color.RGBA{255, 255, 255, 255}},
		"sixteen": {"xterm-16color", []string{"-bg", "white", "-fg", "black"}, []string{"demo"}, color.RGBA{255, 255, 255, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newXterm(t, "80x24", c.term, c.options, c.args...)
			starts(x.Person)
			x.drawn(name+"-home", c.ground)
			x.Press("2")
			x.Sees(" read at ", "✓ SUCCESSFUL")
			x.drawn(name+"-transactions", c.ground)
			x.Press("esc")
			describe(x.Person, "12.50", visa, nothing)
			x.drawn(name+"-card", c.ground)
			x.Press("ctrl+s")
			x.Sees("Charge 12.50 GBP to •••• 4242?")
			x.drawn(name+"-review", c.ground)
			goHome(x.Person)
			x.Press("ctrl+c")
			x.Sees("the line before", "ended 0", "settings as before")
			x.WaitsUntilGone(onHome)
		})
	}
}

// drawn fails when the picture of the screen is blank: nearly all of it is the ground, and
// some of it is text in several colours. TERMINALS_PICTURES=FOLDER saves it.
func (x *xterm) drawn(name string, ground color.RGBA) {
	x.t.Helper()
	p := picture(x.t, x.frame)
	seen, count := map[color.RGBA]int{}, 0
	for y := range p.Rect.Dy() / 2 { // where the window is
		for i := range p.Rect.Dx() / 2 {
			seen[p.RGBAAt(i, y)]++
			count++
		}
	}
	if g := seen[ground]; len(seen) < 10 || g < count/2 || g > count*99/100 {
		x.t.Errorf("%s: of %d points %d are ground, and there are %d colours", name, count, g, len(seen))
	}
	if folder := os.Getenv("TERMINALS_PICTURES"); folder != "" {
		savePicture(x.t, filepath.Join(folder, name+".png"), p)
	}
}

// savePicture writes a picture as a PNG.
func savePicture(t *testing.T, path string, p image.Image) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	must(t, png.Encode(f, p))
}

// picture reads what Xvfb keeps of its screen: a file as xwd makes it, of 32 bits a point.
func picture(t *testing.T, path string) *image.RGBA {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	const width, height, bits, line, colours = 4, 5, 11, 12, 19 // in XWDFile.h
	if field(1) != 7 || field(bits) != 32 {
		t.Fatalf("version %d with %d bits is unknown", field(1), field(bits))
	}
	points := b[field(0)+12*field(colours):]
	p := image.NewRGBA(image.Rect(0, 0, field(width), field(height)))
	for y := range field(height) {
		for i := range field(width) {
			at := points[y*field(line)+4*i:]
			p.SetRGBA(i, y, color.RGBA{at[2], at[1], at[0], 255})
		}
	}
	return p
}
