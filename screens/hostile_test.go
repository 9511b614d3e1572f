package screens_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/keystore"
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

// refusesToCopy is what the console says of the letters of a text: of a harmless one it says that it was copied.
const refusesToCopy = "Cannot copy this row as text: it has unusual characters."

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
			if !slices.ContainsFunc(near, func(line string) bool { return fits(a[y], line) }) && strings.TrimSpace(a[y]) != refusesToCopy {
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
// road. What a story always looks for is looked for here too: bytes outside the renderer's grammar, the key, and cards.
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
			t.Run(fmt.Sprint(class[0].class, " ", r.name, " ", r.status), func(t *testing.T) { aClass(t, r, class, i%2 == 0) })
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

// An operation is one whose answers are filled.
type operation struct {
	name    string
	path    string // a part of its path
	fields  string // texts that the answer may have, and the sandbox leaves out
	refusal string // the answer in the place of its own, with its status
	status  int
}

func (o operation) is(path string) bool { return strings.Contains(path, o.path) }

// complete adds the fields that an answer can have.
func (o operation) complete(doc any) {
	for path := range strings.FieldsSeq(o.fields) {
		at, name := doc, path
		for {
			head, tail, more := strings.Cut(name, ".")
			here, is := at.(map[string]any)
			if !is {
				break
			}
			if !more {
				if here[name] == nil {
					here[name] = "as usual"
				}
				break
			}
			at, name = here[head], tail
		}
	}
}

// The operations of the service.
var (
	opInitiate = operation{name: "initiate", path: "/pay/initiate",
		fields: "message responseCode value.message value.bankAuthURL value.paymentItem.message value.paymentItem.reference value.paymentItem.channel value.paymentItem.currency"}
	opLink         = operation{name: "create link", path: "/payment-link", fields: "message responseCode value.environment"}
	opValidate     = operation{name: "validate channels", path: "/pay/validate", fields: "message"}
	opAuthenticate = operation{name: "authenticate", path: "/get-auth-3ds", fields: "message responseCode value.status value.message value.Recommendation"}
	opFinalize     = operation{name: "finalize", path: "/pay/finalize", fields: "message responseCode value.message"}
	opStatus       = operation{name: "status", path: "/api/payment/transactions/", fields: "message value.paymentReference"}
	opList         = operation{name: "list", path: "/v1/api/transactions", fields: "message"}
)

// refused is an operation that says no, in every field that can say why.
func (o operation) refused(status int) operation {
	o.name += " refused"
	o.status = status
	o.refusal = `{"isSuccess":false,"status":false,"message":"m","responseCode":"05","failures":["a","b"],"detail":"d","error":"e","title":"t","value":null}`
	o.fields = ""
	return o
}

// reasonless is an operation that says no in its message alone.
func (o operation) reasonless(status int) operation {
	o = o.refused(status)
	o.refusal = `{"isSuccess":false,"status":false,"message":"m","value":null}`
	return o
}

// deciding are the fields that decide something: where the answer goes, what it is taken
// for, what is copied. A text that is not one they can have is written out rune by rune or
// makes the answer one that cannot be used. The others are free text.
var deciding = []string{
	"paymentStatus", "status", "bankAuthURL", "paymentReference", "reference", "channel", "currency", "currencyCode", "amount", "fees",
	"account_number", "alias", "link", "linkType", "environment", "createdDate", "expiration", "isSuccess", "Recommendation", "IsAuthenticationEnabled",
	"authenticationhtml", "responseCode", "isValid", "page", "pageCount", "total", "perPage", "skipped", "type",
}

// decides reports whether the field of a path does.
func decides(path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return slices.Contains(deciding, strings.TrimSuffix(name, "[]"))
}

// A hostile text is one of the corpus: what a service, a payer or a gateway could put
// into an answer.
type hostile struct {
	class, name, text string
}

// most of a text is as much as leaves an answer of a usual size.
const most = 24 << 10

var corpus = sync.OnceValues(func() ([]hostile, error) {
	raw, err := os.ReadFile("../api/sandbox/faulttest/hostile-strings.json")
	if err != nil {
		return nil, err
	}
	var file []struct {
		Class, Name, Value string
		Raw                bool
		Repeat             int
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	var all []hostile
	for _, f := range file {
		text := f.Value
		if f.Raw { // each code point is a byte
			b := make([]byte, 0, len(text))
			for _, r := range text {
				b = append(b, byte(r))
			}
			text = string(b)
		}
		text = strings.Repeat(text, max(f.Repeat, 1))
		for end := most; len(text) > most; end-- {
			if text[end]&0xc0 != 0x80 {
				text = text[:end]
			}
		}
		all = append(all, hostile{f.Class, f.Name, text})
	}
	return all, nil
})

// hostiles is the corpus.
func hostiles(t testing.TB) []hostile {
	t.Helper()
	all, err := corpus()
	if err != nil || len(all) < 300 {
		t.Fatalf("%d hostile texts: %v", len(all), err)
	}
	return all
}

// written is a text as JSON writes it; bytes that are no UTF-8 stay.
func written(s string) []byte {
	var b bytes.Buffer
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.Bytes()
}

// spellings are the ways in which a screen writes a text of an answer: made safe to show, the same in ASCII
// alone, and as it stands in JSON.
var spellings = []func(line string) string{
	func(line string) string { return api.Clean(line).Line(0) },
	func(line string) string { return api.CleanASCII(line).Line(0) },
	func(line string) string {
		line = api.Clean(`"` + control.ReplaceAllString(line, "~~~~~~")).Line(0) // each is an escape of six characters
		return strings.TrimPrefix(line, `"`)
	},
}

var (
	control = regexp.MustCompile(`[\x00-\x1f]`)
	key     = regexp.MustCompile(`(?i)\b[sp]k_\w+`)
)

// shadow is a harmless text that takes the room of another one in a spelling: the same cells, blanks and
// punctuation, by which a line is wrapped. Where the harmless one is shown, nothing else may
// differ. It keeps what a refusal is placed by, the names of fields, and the ends of lines and of the sentence.
func shadow(s string, spell func(string) string) string {
	var b strings.Builder
	s = key.ReplaceAllString(card.Redact(s), "[key]")
	for {
		end := strings.IndexAny(s, "\r\n") // one that the service sent as such takes two cells in JSON, not three
		if end < 0 {
			b.WriteString(shadowLine(spell(s)))
			return b.String()
		}
		b.WriteString(shadowLine(spell(s[:end])) + s[end:end+1])
		s = s[end+1:]
	}
}

func shadowLine(line string) string {
	kept := meaningful.FindAllStringIndex(line, -1)
	var b strings.Builder
	for at := 0; at < len(line); {
		cluster, w := ansi.FirstGraphemeCluster(line[at:], ansi.GraphemeWidth)
		keep := slices.ContainsFunc(kept, func(span []int) bool { return span[0] <= at && at < span[1] })
		first, _ := utf8.DecodeRuneInString(cluster) // a mark stands on the character before the text
		if at += len(cluster); keep || unicode.IsMark(first) || strings.Contains(" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}", cluster) {
			b.WriteString(cluster)
		} else {
			b.WriteString(strings.Repeat("~", w))
		}
	}
	return b.String()
}

// meaningful are the names of the fields of a payment and of a link, the ends of lines, which are blanks
// in a sentence, the end of a sentence, and the word of an accepted finalize, which is not said twice.
var meaningful = regexp.MustCompile(`(?i)(amount|link) ?type|amount|currency|description|channel|e-?mail|phone|(first|last)? ?name|` +
	`narration|meta ?data|\\[nr]|alias|card[. ]?number|cvv|cvc|security code|exp(month|year|iry|iration)|return ?url|[.!?]$|^completed$`)

// A fill says what to write into the n-th text of an answer that has a field's path, if
// anything.
type fill func(path string, n int) (text string, ok bool)

// into fills the answers of an operation.
func into(op operation, f fill) consoletest.Rewrite {
	return func(path string, status int, body []byte) (int, []byte) {
		if !op.is(path) {
			return status, body
		}
		if op.refusal != "" {
			status, body = op.status, []byte(op.refusal)
		}
		var doc any
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		if d.Decode(&doc) != nil {
			return status, body
		}
		op.complete(doc)
		n, fills := 0, [][]byte{}
		doc = leaves(doc, "", func(path string) any {
			text, ok := f(path, n)
			if n++; !ok {
				return nil
			}
			fills = append(fills, written(text))
			return fmt.Sprintf("@@%d@@", len(fills)-1)
		})
		out, _ := json.Marshal(doc)
		for i, text := range fills {
			out = bytes.Replace(out, fmt.Appendf(nil, `"@@%d@@"`, i), text, 1)
		}
		return status, out
	}
}

// leaves puts what at gives in the place of each text, number and null, unless it is nil.
func leaves(v any, path string, at func(path string) any) any {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			v[name] = leaves(v[name], strings.TrimPrefix(path+"."+name, "."), at)
		}
	case []any:
		for i := range v {
			v[i] = leaves(v[i], path+"[]", at)
		}
	case bool:
	default:
		if to := at(path); to != nil {
			return to
		}
	}
	return v
}

// A hostileRoad goes to where an operation is asked, lets its answer be filled, and then looks at
// every screen that shows something of the answer.
type hostileRoad struct {
	operation
	to      func(c *consoletest.Console)                       // up to the key that asks
	after   func(c *consoletest.Console, look func(...string)) // from that key on; it may meet anything
	options []consoletest.Option
	wait    time.Duration // for each answer; 400 ms unless said otherwise
	copies  int           // how often after presses a key that copies
}

// hostileRoads are all of them.
func hostileRoads() []hostileRoad {
	roads := []hostileRoad{
		{operation: opInitiate, to: cardQuestion, after: afterCard, copies: 2},
		{operation: opInitiate, to: transferQuestion, after: afterTransfer, copies: 2, options: []consoletest.Option{consoletest.WithSandbox(manual)}},
		{operation: opLink, to: linkForm, after: afterLink, copies: 2},
		{operation: opValidate, to: amountForm, after: afterChannels},
		{operation: opAuthenticate, to: bankCheck, after: afterCheck},
		{operation: opFinalize, to: finalizeQuestion, after: afterFinalize},
		{operation: opStatus, to: lookup, after: afterStatus, copies: 1},
		{operation: opList, to: home, after: afterList, copies: 2},
		{operation: opStatus.refused(404), to: lookup, after: afterStatus, copies: 1},
		{operation: opList.refused(400), to: home, after: afterList, copies: 1},
		{operation: opList.refused(401), to: keyForm, after: afterKey, options: []consoletest.Option{consoletest.Store(keystore.NewMemory("paper"))}},
	}
	for _, status := range []int{200, 502} {
		roads = append(roads,
			hostileRoad{operation: opInitiate.refused(status), to: cardQuestion, after: afterNo},
			hostileRoad{operation: opLink.refused(status), to: linkForm, after: afterNo},
			hostileRoad{operation: opValidate.refused(status), to: amountForm, after: afterChannels, wait: asked},
			hostileRoad{operation: opAuthenticate.refused(status), to: bankCheck, after: afterCheck, wait: asked},
			hostileRoad{operation: opFinalize.refused(status), to: finalizeQuestion, after: afterNo},
			hostileRoad{operation: opInitiate.reasonless(status), to: cardQuestion, after: afterNo},
		)
	}
	return roads
}

// asked is longer than a question takes that is asked again by itself.
const asked = 10 * time.Second

func home(*consoletest.Console) {}

func cardQuestion(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "challenge")
	c.Sees("Charge 12.50 GBP").Wait(time.Second)
}

func afterCard(c *consoletest.Console, look func(...string)) {
	look("y") // the bank's page
	look("tab", "z")
	look("z", "y")
	look("?")
	look("esc", "a")
	look("enter") // the payment
	look("v")
	look("esc", "c", "f3")
	everywhere(c, look)
}

func transferQuestion(c *consoletest.Console) {
	c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	c.Sees("PayByTransfer").Press("down", "enter")
	customer(c.Person)
	c.Press("ctrl+s").Sees("1,500.00 NGN, sent as 1500").Wait(time.Second)
}

func afterTransfer(c *consoletest.Console, look func(...string)) {
	look("y") // the account
	look("y")
	look("Y")
	look("?")
	look("esc", "enter") // the payment
	look("tab")
	everywhere(c, look)
}

func linkForm(c *consoletest.Console) {
	c.Press("n").Fill("Name", "Chairs").Fill("Description", "six oak chairs").Choose("Can be paid", "once").Choose("Currency", "GBP").Fill("Amount", "120.00")
}

func afterLink(c *consoletest.Console, look func(...string)) {
	look("ctrl+s") // the link to share
	look("v")
	look("esc")
	look("y")
	look("z")
	look("z", "Y")
	look("enter") // a payment of it
	look("enter")
	everywhere(c, look)
}

func amountForm(c *consoletest.Console) {
	c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50")
}

func afterChannels(c *consoletest.Console, look func(...string)) {
	look("enter")
	look("v")
	look("esc", "down")
	look("down")
	look("?")
	look("esc", "enter")
}

func bankCheck(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "challenge")
	c.Yes("Charge 12.50 GBP").Sees("The customer opens this URL")
}

func afterCheck(c *consoletest.Console, look func(...string)) {
	look("a")
	look("?")
	look("esc", "o")
	look("s")
	everywhere(c, look)
}

func finalizeQuestion(c *consoletest.Console) {
	createLink(c, "Chairs", "once", "GBP", "120.00")
	payLink(c, "approve")
	c.Yes("Charge 120.00 GBP").Press("f").Sees("Finalize").Wait(time.Second)
}

func afterFinalize(c *consoletest.Console, look func(...string)) {
	look("y")
	look("?")
	look("esc", "enter")
	everywhere(c, look)
}

func lookup(c *consoletest.Console) {
	pay(c, "12.50", "GBP", "pending-long")
	c.Yes("Charge 12.50 GBP").Sees("PENDING")
}

func afterStatus(c *consoletest.Console, look func(...string)) {
	look("r")
	look("v")
	look("pgdown")
	look("esc", "?")
	look("esc", "c")
	everywhere(c, look)
}

func afterList(c *consoletest.Console, look func(...string)) {
	look("2")
	look("v")
	look("esc", "down")
	look("pgdown")
	look("enter")
	look("y")
	look("Y")
	look("enter")
	look("esc", "/", "J", "P", "Y")
	look("enter", "esc")
}

func keyForm(c *consoletest.Console) { c.Fill("Secret key", consoletest.Key) }

func afterKey(c *consoletest.Console, look func(...string)) {
	look("enter")
	look("f1")
}

// afterNo is where sending ends that was refused, or of which nobody knows.
func afterNo(c *consoletest.Console, look func(...string)) {
	if c.Has("six oak chairs") {
		look("ctrl+s")
	} else {
		look("y")
	}
	look("?")
	look("esc", "m")
	everywhere(c, look)
}

// everywhere leaves what is open, and looks at home, the links, what was done, and the demo's
// service.
func everywhere(c *consoletest.Console, look func(...string)) {
	for range 8 {
		if c.Has("Menu") {
			break
		}
		c.Press("esc").Wait(400 * time.Millisecond)
	}
	look()
	look("4")
	look("/", "a")
	look("esc", "esc", "3")
	look("enter")
	look("pgdown")
	look("esc", "esc", "f3")
	look("down")
}
