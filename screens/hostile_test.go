package screens_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/consoletest"
	"paydesk/ui/termtest"
)

// long makes the tests of hostile text go all roads, and whole makes each text go each of them.
var (
	long  = os.Getenv("PAYDESK_LONG") != ""
	whole = os.Getenv("PAYDESK_LONG") == "whole"
)

// walked describes what one walk of a road showed: the screen after each step.
type walked struct {
	steps []string
	sent  []byte // from where the answers are filled
}

// tread goes a road with its answers filled.
func tread(t *testing.T, r hostileRoad, f fill) (w walked) {
	t.Helper()
	if r.wait == 0 {
		r.wait = 400 * time.Millisecond
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		r.to(c)
		c.Wire.Rewrite(into(r.operation, f))
		start := len(c.Bytes())
		before := start
		r.after(c, func(keys ...string) {
			c.Press(keys...).Wait(r.wait)
			wrote := len(c.Bytes()) - before
			if wrote > 64<<10 {
				t.Errorf("%s: %q wrote %d bytes", r.name, keys, wrote)
			}
			before = len(c.Bytes())
			w.steps = append(w.steps, c.Screen())
		})
		w.sent = c.Bytes()[start:]
		if copied := termtest.Copies(w.sent); copied > r.copies {
			t.Errorf("%s: the clipboard was written %d times, and a key for it pressed %d times", r.name, copied, r.copies)
		}
	}, r.options...)
	return w
}

// A spot is a line of the screen after a step.
type spot struct{ step, line int }

// differs returns the lines that are others than those with the shadow in the place of the text, but
// for the cells that are the shadow's. A line may have moved as far as reach says. A character that is cut at the end of its room may be
// as wide as two. To the right of one whose cells terminals count in two ways nothing is promised:
// what decides stands left of all text from outside.
func differs(is, shade []string, reach int) map[spot]string {
	all := map[spot]string{}
	for i := range is {
		a, b := strings.Split(is[i], "\n"), strings.Split(shade[i], "\n") // as many as the window has
		for y := range b {
			near := b[max(0, y-reach):min(len(b), y+reach+1)]
			if !slices.ContainsFunc(near, func(line string) bool { return fits(a[y], line) }) {
				all[spot{i, y}] = fmt.Sprintf("is %q, and with a harmless text %q", a[y], b[y])
			}
		}
	}
	return all
}

// fits reports whether a line differs from its shadow in the shadow's cells alone.
func fits(is, shadow string) bool {
	if !strings.ContainsAny(shadow, "~…") {
		return is == shadow
	}
	line, shade := cells(is), cells(shadow)
	at := func(cells []string, x int) string {
		if x < len(cells) && cells[x] != "" {
			return cells[x]
		}
		return " "
	}
	end := max(len(line), len(shade))
	switch {
	case ansi.StringWidth(is) != ansi.StringWidthWc(is):
		end = slices.Index(shade, "~")
	case strings.ContainsAny(is, "█▀▄") && len(line) == len(shade): // beside a QR code such a one is written out
		code := slices.IndexFunc(shade, func(cell string) bool { return strings.Contains("█▀▄", cell) })
		if end = slices.Index(shade, "~"); code < 0 || !slices.Equal(line[code:], shade[code:]) {
			return false
		}
	}
	for x := range end {
		var near bool
		for d := -2; d <= 2; d++ {
			near = near || x+d >= 0 && slices.Contains([]string{"~", "…"}, at(shade, x+d))
		}
		if got := at(line, x); !near && got != at(shade, x) {
			return false
		}
	}
	return true
}

// TestNoTextOfAnAnswerDrivesTheTerminal puts the corpus into every text of every operation's
// answer and goes through all screens that show it. Without PAYDESK_LONG each class of texts goes one road, and each
// road has a class; with it each class goes each road, and each text one; with PAYDESK_LONG=whole each text goes each
// road. What a story always looks for is looked for here too: bytes outside the renderer's grammar, the key, and cards. It takes seconds:
// each road goes through all of these screens.
func TestNoTextOfAnAnswerDrivesTheTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	roads, classes := hostileRoads(), classes(t)
	if len(classes) < len(roads) {
		t.Fatalf("%d classes for %d roads", len(classes), len(roads))
	}
	for i, class := range classes {
		if r := roads[i%len(roads)]; !long {
			t.Run(fmt.Sprint(class[0].class, " ", r.name, " ", r.status), func(t *testing.T) {
				t.Parallel()
				aClass(t, r, class, i%2 == 0)
			})
		}
	}
	for i, r := range roads {
		if long {
			t.Run(fmt.Sprint(r.name, " ", r.status), func(t *testing.T) {
				t.Parallel()
				everyText(t, r, share(classes, i, len(roads)))
			})
		}
	}
}

// share returns the texts that go a road: of each class at least one, and of all roads each text goes one at least. Each
// road begins with another class, so that a field of several roads is given different ones.
func share(classes [][]hostile, road, roads int) (all []hostile) {
	for c := range classes {
		class := classes[(c+road)%len(classes)]
		apart := min(len(class), roads)
		for i, h := range class {
			if whole || i%apart == road%apart {
				all = append(all, h)
			}
		}
	}
	return all
}

// classes is the corpus by its classes.
func classes(t *testing.T) (all [][]hostile) {
	at := map[string]int{}
	for _, h := range hostiles(t) {
		if _, had := at[h.class]; !had {
			at[h.class] = len(all)
			all = append(all, nil)
		}
		all[at[h.class]] = append(all[at[h.class]], h)
	}
	return all
}

// aClass gives each field a text of one class: all fields, or the free ones alone, whose screens are
// compared with those of their shadows.
func aClass(t *testing.T, r hostileRoad, class []hostile, free bool) {
	try(t, r, class[0].class, func(path string, i int) (hostile, bool) { return class[i%len(class)], !free || !decides(path) })
}

// everyText gives all free fields each text, and each text to one field that decides something. With PAYDESK_LONG=whole
// each of these fields is also given a text of each class.
func everyText(t *testing.T, r hostileRoad, all []hostile) {
	seen := map[string]bool{}
	for _, h := range all {
		try(t, r, h.class+"/"+h.name, func(path string, _ int) (hostile, bool) {
			seen[path] = seen[path] || decides(path)
			return h, !decides(path)
		})
	}
	var fields []string
	for field, decides := range seen {
		if decides {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	for f, field := range fields {
		had := map[string]bool{}
		for i, h := range all {
			if i%len(fields) == f || whole && !had[h.class] {
				had[h.class] = true
				try(t, r, field+" "+h.class+"/"+h.name, func(path string, _ int) (hostile, bool) { return h, path == field })
			}
		}
	}
}

// try walks a road with hostile texts and, where they are free ones, again with their shadows: each line
// must be that of one of them.
func try(t *testing.T, r hostileRoad, name string, pick func(path string, i int) (hostile, bool)) {
	t.Helper()
	free := true
	var texts []string
	chosen := func(path string, i int) (string, bool) {
		h, ok := pick(path, i)
		return h.text, ok && !(names(path) && h.class == "secret-shape") // a number is a number in a name
	}
	is := tread(t, r, func(path string, i int) (string, bool) {
		text, ok := chosen(path, i)
		if ok {
			texts = append(texts, text)
			free = free && !decides(path) && utf8.ValidString(text) && len(text) < 4096
		}
		return text + tail(path, i), ok
	})
	var left map[spot]string
	for i := 0; free && i < len(spellings) && (i == 0 || len(left) > 0); i++ {
		shade := tread(t, r, func(path string, at int) (string, bool) {
			text, ok := chosen(path, at)
			return shadow(text, spellings[i]) + tail(path, at), ok
		})
		differ := differs(is.steps, shade.steps, min(i, 1)) // a text above may have a line more in another spelling
		maps.DeleteFunc(differ, func(at spot, _ string) bool { return i > 0 && left[at] == "" })
		left = differ
	}
	for at, why := range left {
		t.Errorf("%s, %s, step %d, line %d %s", r.name, name, at.step, at.line, why)
	}
	for _, text := range texts {
		if obeyed(text) && bytes.Contains(is.sent, []byte(text)) {
			t.Errorf("%s, %s: the terminal was sent %q", r.name, name, text[:min(len(text), 60)])
		}
	}
}

// names reports whether a field holds a name of something, in which digits are only that.
func names(path string) bool {
	return slices.Contains([]string{"id", "account_number", "link", "amount", "paymentReference", "reference", "alias", "fees"}, path[strings.LastIndexByte(path, '.')+1:])
}

// tail makes the ids of rows differ: those that do not are said to.
func tail(path string, i int) string {
	if path != "data[].id" {
		return ""
	}
	return fmt.Sprintf("#%d", i)
}

// obeyed reports whether a terminal obeys a text; one of a few bytes can be the renderer's own.
func obeyed(text string) bool {
	return len(text) > 8 && strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}

// cells are the characters of a line by their column.
func cells(line string) []string {
	var all []string
	for line != "" {
		cluster, w := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
		line = line[len(cluster):]
		all = append(all, cluster)
		for range w - 1 {
			all = append(all, cluster)
		}
	}
	return all
}

// FuzzATextOfAnAnswer is the same for any text there is, in all free fields of an answer.
func FuzzATextOfAnAnswer(f *testing.F) {
	for i, h := range hostiles(f) {
		if i%120 == 0 && len(h.text) < 256 { // each seed is walked by every run of the tests
			f.Add(uint8(i), h.text)
		}
	}
	roads := hostileRoads()
	f.Fuzz(func(t *testing.T, road uint8, text string) {
		h := hostile{"fuzz", "fuzz", text}
		try(t, roads[int(road)%len(roads)], fmt.Sprintf("%q", text), func(path string, _ int) (hostile, bool) { return h, !decides(path) })
	})
}

// floods are texts that are meant to be much: each of about as many bytes as leave an answer of a
// usual size.
func floods(t *testing.T) []hostile {
	var all []hostile
	for _, h := range hostiles(t) {
		if h.class == "flood" {
			all = append(all, h)
		}
	}
	for name, part := range map[string]string{
		"four marks on each": "a\u0301\u0301\u0301\u0301", "five marks on each": "a\u0301\u0301\u0301\u0301\u0301", "overrides": "\u202e", "words": "a ",
		"wide with marks": "漢\u0301\u0301\u0301\u0301", "far runes": "\U0010ffff",
	} {
		all = append(all, hostile{"flood", name, strings.Repeat(part, most/len(part)/2)})
	}
	slices.SortFunc(all, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	return all
}

// A flood makes no frame of a big window larger than 64 KiB: [tread] looks at what each step writes.
func TestAFloodMakesNoFlood(t *testing.T) {
	if !long {
		t.Skip("takes minutes: .ci/long hostile")
	}
	all := floods(t)
	if len(all) < 12 {
		t.Fatalf("only %d floods", len(all))
	}
	for i, r := range hostileRoads() {
		mine := all
		switch {
		case r.name == opList.name: // the answer with the most texts
		case !whole:
			mine = []hostile{all[i%len(all)]}
		}
		r.options = append(slices.Clone(r.options), consoletest.Size(200, 60))
		for _, h := range mine {
			try(t, r, fmt.Sprint("flood ", h.name), func(path string, _ int) (hostile, bool) { return h, !decides(path) })
		}
	}
}
