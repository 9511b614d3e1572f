package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/sandbox/faulttest"
	"paydesk/api/text"
	"paydesk/api/timely"
)

// firstUnsafe is the first thing in a cleaned text that a terminal could interpret or hide.
func firstUnsafe(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	marks := 0
	if r, stray := text.Stray(s); stray {
		return fmt.Sprintf("%U where no script needs it", r)
	}
	for _, r := range s {
		if text.IsJoiner(r) {
			continue // the marks go on
		}
		if !unicode.IsPrint(r) || r == 0x2800 || r == 0xfffc || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co,
			unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return fmt.Sprintf("%U", r)
		}
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if marks > maxMarks {
			return "a pile of marks"
		}
	}
	return ""
}

// checkSafe checks everything that holds for every text.
func checkSafe(t testing.TB, raw string) {
	t.Helper()
	text := Clean(raw)
	for _, width := range []int{0, 1, 2, 20, 80} {
		line := text.Line(width)
		checkBounded(t, raw, line, width)
		if again := Clean(line).Line(width); again != line && len(line) <= maxLine {
			t.Fatalf("%.80q cleaned twice is %.80q, not %.80q", raw, again, line)
		}
		for _, height := range []int{0, 1, 24} {
			lines := text.Block(width, height)
			if len(lines) > maxLines || height > 0 && len(lines) > height {
				t.Fatalf("%.80q: %d lines of %d", raw, len(lines), height)
			}
			for _, l := range lines {
				checkBounded(t, raw, l, width)
			}
		}
	}
	if whole := strings.Join(text.Block(0, 0), "\n"); len(whole) <= maxBlock && block(whole) != whole {
		t.Fatalf("%.80q as a block cleaned twice is %.80q, not %.80q", raw, block(whole), whole)
	}
	if text.Empty() != (text.String() == "") || text.String() != text.Line(0) {
		t.Fatalf("%.80q: String, Line and Empty disagree", raw)
	}
	for _, r := range CleanASCII(raw).String() {
		if r < ' ' || r > '~' {
			t.Fatalf("%.80q shows %q as foreign text", raw, r)
		}
	}
}

func checkBounded(t testing.TB, raw, line string, width int) {
	t.Helper()
	if flaw := firstUnsafe(line); flaw != "" {
		t.Fatalf("%.80q became %.80q: %s", raw, line, flaw)
	}
	if width <= 0 {
		return
	}
	if w := max(ansi.StringWidth(line), ansi.StringWidthWc(line)); w > width {
		t.Fatalf("%.80q became %.80q, %d cells wide, not %d", raw, line, w, width)
	}
	if len(line) > perCell*width+3 {
		t.Fatalf("%.80q became %d bytes for %d cells", raw, len(line), width)
	}
}

func TestHostileTextBecomesHarmless(t *testing.T) {
	for _, h := range faulttest.Texts() {
		t.Run(h.Class+"/"+h.Name, func(t *testing.T) {
			timely.Within(t, 500*time.Millisecond, timely.Took(func() { Clean(h.Text) }))
			checkSafe(t, h.Text)
		})
	}
}

func TestAnAttackIsSpelledOut(t *testing.T) {
	marker := regexp.MustCompile(`\^[@-_?]|<[0-9A-F]{2}>|<U\+[0-9A-F]{4,6}>|\\[nr]`)
	exempt := []string{"rtl-neighbour-swap", "arabic-digits-amount"} // letters and digits, no controls
	for _, h := range faulttest.Texts("csi", "sgr", "osc-title", "osc8", "osc52", "osc-other", "dcs-apc-pm-sos", "report", "mode", "esc", "c1-utf8", "c1-raw", "bidi", "invisible") {
		if slices.Contains(exempt, h.Name) {
			continue
		}
		text := Clean(h.Text)
		if !marker.MatchString(text.String()) || !marker.MatchString(strings.Join(text.Block(0, 0), "\n")) {
			t.Errorf("%s/%s shows no marker: %q", h.Class, h.Name, text)
		}
	}
}

func TestTheRulesOfLineMode(t *testing.T) {
	for raw, want := range map[string]string{
		"":                 "",
		"Payment accepted": "Payment accepted",
		"Ẹ́kọ̀ Ọ̀ṣun, 东京, שלום":                  "Ẹ́kọ̀ Ọ̀ṣun, 东京, שלום",
		"\x1b[2Jgone\x07\x7f":                    "^[[2Jgone^G^?",
		"a\x9bb":                                 "a<9B>b",
		"\xed\xa0\x80":                           "<ED><A0><80>",
		"a\u009bb":                               "a<U+009B>b",
		"one\r\ntwo\tthree":                      `one\r\ntwo three`,
		"\u202e00.1":                             "<U+202E>00.1",
		"a\u200bb\U000e0100":                     "a<U+200B>b<U+E0100>",
		"a\u2028b\u2800\ufffc":                   "a<U+2028>b<U+2800><U+FFFC>",
		"\ue000\U0010ffff\ufdd0":                 "<U+E000><U+10FFFF><U+FDD0>",
		"1\u00a0000\u3000x":                      "1 000 x",
		"\u2764\ufe0f!":                          "\u2764!",
		"1\ufe0f\u20e3":                          "1\u20e3",
		"\u0301a":                                "\u25cc\u0301a",
		" \u0301":                                " \u25cc\u0301",
		"\x1b\u0301":                             "^[\u25cc\u0301",
		"e\u0301\u0302\u0303\u0304\u0305\u0306x": "e\u0301\u0302\u0303\u0304<+2 marks>x",
		"e" + strings.Repeat("\ufe0f\u0301", 6):  "e\u0301\u0301\u0301\u0301<+2 marks>",
		"\ufffd":                                 "\ufffd",
		"علی\u200cرضا":                           "علی\u200cرضا",
		"FAI\u200cLED":                           "FAI<U+200C>LED",
		"👩\u200d👩\u200d👧":                        "👩👩👧",
		"&#27;[31m \\u001b":                      "&#27;[31m \\u001b",
	} {
		if got := Clean(raw).String(); got != want {
			t.Errorf("%q became %q, want %q", raw, got, want)
		}
	}
	if got := CleanASCII("علی\u200cرضا").String(); strings.Contains(got, "\u200c") {
		t.Errorf("a word that decides has %q", got)
	}
}

func TestLongTextsAreCutVisibly(t *testing.T) {
	if got := Clean(strings.Repeat("a", 5000)); got.String() != strings.Repeat("a", 4096)+"[+904 bytes]" || got.Block(0, 0)[0] != strings.Repeat("a", 5000) {
		t.Errorf("%d bytes in line mode, %d in block mode", len(got.line), len(got.block))
	}
	if got := Clean(strings.Repeat("é", 2048) + "é").String(); !strings.HasSuffix(got, "é[+2 bytes]") {
		t.Errorf("ends in %q", got[len(got)-20:])
	}
	if got := Clean("x" + strings.Repeat("é", 2048)).String(); !strings.HasSuffix(got, "é[+2 bytes]") { // cut between runes
		t.Errorf("ends in %q", got[len(got)-20:])
	}
	if got := Clean(strings.Repeat("\x9b", 1<<20)).String(); len(got) > 5*maxLine {
		t.Errorf("%d bytes", len(got))
	}
	lines := Clean(strings.Repeat("row\n", 1000)).Block(0, 0)
	if len(lines) != 400 || lines[398] != "row" || lines[399] != "[+602 lines]" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	lines = Clean(strings.Repeat("\n", 1<<20)).Block(80, 0)
	if len(lines) != 400 || lines[399] != "[+65138 lines][+983040 bytes]" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestABlockKeepsItsLines(t *testing.T) {
	text := Clean("one\r\ntwo\n\tthree\rfour\n")
	for _, tt := range []struct {
		width, height int
		want          []string
	}{
		{0, 0, []string{"one", "two", `    three\rfour`, ""}},
		{80, 4, []string{"one", "two", `    three\rfour`, ""}},
		{80, 2, []string{"one", "two…"}},
		{3, 2, []string{"one", "tw…"}},
		{8, 3, []string{"one", "two", "    thr…"}},
		{1, 1, []string{"…"}},
	} {
		if got := text.Block(tt.width, tt.height); !slices.Equal(got, tt.want) {
			t.Errorf("%d×%d: %q, want %q", tt.width, tt.height, got, tt.want)
		}
	}
	if (Text{}).Block(10, 10) != nil || !(Text{}).Empty() {
		t.Error("no text has lines")
	}
}

func TestALineIsCutWithAnEllipsis(t *testing.T) {
	for _, tt := range []struct {
		raw   string
		width int
		want  string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"abcdef", 1, "…"}, {"abcdef", 0, "abcdef"}, {"abcdef", -1, "abcdef"},
		{"东京東京", 8, "东京東京"}, {"东京東京", 7, "东京東…"}, {"东京東京", 6, "东京…"}, {"东京", 1, "…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"\U0001f44d\U0001f3ffab", 3, "…"}, // two cells or four, by how the terminal counts
		{"\U0001f44d\U0001f3ffab", 6, "\U0001f44d\U0001f3ffab"},
	} {
		if got := Clean(tt.raw).Line(tt.width); got != tt.want {
			t.Errorf("%q in %d cells is %q, want %q", tt.raw, tt.width, got, tt.want)
		}
	}
}

// What is plain is not looked at rune by rune, and is the same.
func FuzzClean(f *testing.F) {
	for _, n := range []int{0, maxLine - 1, maxLine, maxLine + 1} {
		f.Add(strings.Repeat("~ a\\", n)[:n])
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkSafe(t, s)
		if want := (Text{cleaner{max: maxLine}.clean(s), block(s)}); Clean(s) != want {
			t.Fatalf("%.80q is another text where it is taken for a plain one", s)
		}
	})
}

// TestAKeyInAnAnswerIsHidden has a service repeat a key, this profile's in any letter case or another's.
func TestAKeyInAnAnswerIsHidden(t *testing.T) {
	v := redactor{key: "Odd-Key.123"}
	for said, want := range map[string]string{
		"key Odd-Key.123!":                "key [key]!",
		"key ODD-KEY.123 odd-key.123":     "key [key] [key]",
		"of sk_live_4eC39HqLyjWDarjtT1zd": "of [key]",
		"RK_TEST_abc, Live-SK-abc":        "[key], [key]",
		"risk_test_case and odd-key.124":  "risk_test_case and odd-key.124",
		"":                                "",
		"Straße ODD-KEY":                  "Straße ODD-KEY",
	} {
		if got := v.redact(said); got != want {
			t.Errorf("%q is shown as %q", said, got)
		}
	}
	if got := (redactor{}).redact("sk_test_abc"); got != "[key]" {
		t.Errorf("without a key of one's own: %q", got)
	}
	if !v.tells("ref-odd-KEY.123") {
		t.Error("an identifier with the key in other letters is used")
	}
	for _, body := range []string{`{"message":"use SK_LIVE_4ec39"}`, `<p>use SK_LIVE_4ec39</p>`} {
		top, _ := readStrict([]byte(body), v)
		shown, _ := response{body: []byte(body), redactor: v}.plainText()
		if s := shown.String() + top.field("message").display().String(); strings.Contains(s, "4ec39") || !strings.Contains(s, "use [key]") {
			t.Error(s)
		}
	}
	bad := envelope{response: response{redactor: v}, malformed: &malformed{KindSchema, "it said SK_LIVE_4ec39 and 4242 4242 4242 4242"}}
	if s := bad.summary().String(); s != "it said [key] and <pan …4242>" {
		t.Errorf("why an answer is malformed is said as %q", s)
	}
}

func TestAnAliasIsParsedFromThePageURLToo(t *testing.T) {
	for text, want := range map[string]Alias{
		"0-abc1234": "0-abc1234", " abc_1234 ": "abc_1234", strings.Repeat("a", 64): Alias(strings.Repeat("a", 64)),
		"https://pay.example/0-abc1234":            "0-abc1234",
		"https://pay.example/p/0-abc1234/":         "0-abc1234",
		" https://pay.example:8443/p/abc?x=/y#/z ": "abc",
		"https://pay.example":                      "",
		"https://pay.example/p/%61bc":              "",
		"https://pay.example/p//":                  "",
		"http://pay.example/p/abc":                 "",
		"pay.example/p/abc":                        "",
		"":                                         "",
		"../../x":                                  "",
		strings.Repeat("a", 65):                    "",
		"https://pay.example/p/abc\u200b":          "",
	} {
		got, err := ParseAlias(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, s := range []string{
		"PAY-7h3k", " a1\n", "...", "..", ".", "a.b:c_d", strings.Repeat("r", 128), strings.Repeat("r", 129), "a/b", "a%2fb", "\u0430bc", "a\x00", "a\u200bb", "\u00a0abc", "[a", "@a", "`a", "{a",
		"https://pay.example/p/abc", "https://a/b/", "a\xff",
	} {
		f.Add(s)
	}
	for _, h := range faulttest.Texts("injection", "bidi", "invisible", "confusable", "csi", "layout-spoof", "url") {
		f.Add(h.Text)
	}
	reference, alias := regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,128}$`), regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, s string) {
		bare := strings.Trim(s, " \t\r\n\v\f")
		r, err := ParseReference(s)
		if fits := reference.MatchString(bare) && bare != "." && bare != ".."; fits != (err == nil) || fits && string(r) != bare {
			t.Fatalf("%q is the reference %q, %v", s, r, err)
		}
		a, err := ParseAlias(s)
		if err == nil && (!alias.MatchString(string(a)) || !strings.Contains(s, string(a))) || alias.MatchString(bare) && string(a) != bare {
			t.Fatalf("%q is the alias %q, %v", s, a, err)
		}
	})
}

func TestAPageIsNeverPrinted(t *testing.T) {
	const page = "<form action=https://acs.bank.example><script>f.submit()</script></form>"
	m := NewMarkup(page)
	type held struct{ m, M Markup }
	for _, v := range []any{m, &held{m, m}, []Markup{m}, map[string]Markup{"page": m}} {
		var out bytes.Buffer
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb, v)
		}
		slog.New(slog.NewJSONHandler(&out, nil)).Info("", "v", v)
		if b, err := json.Marshal(v); err == nil {
			out.Write(b)
		}
		for _, secret := range []string{"acs.bank", fmt.Sprintf("%x", "acs.bank"), fmt.Sprintf("%X", "acs.bank"), "3c 66 6f", "97 99 115"} {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%T shows %q", v, secret)
			}
		}
	}
	if m.String() != "[page of 72 bytes]" || fmt.Sprint(m) != m.String() || m.Size() != 72 || m.Expose() != page || m.IsZero() {
		t.Errorf("%v of %d bytes", m, m.Size())
	}
	if NewMarkup("abc").Sum() != "ba7816bf8f01" { // FIPS 180-2, appendix B.1
		t.Errorf("the sum of abc is %s", NewMarkup("abc").Sum())
	}
	if z := (Markup{}); !z.IsZero() || z.Size() != 0 || z.Expose() != "" {
		t.Error("no page is one")
	}
}
