package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/sandbox/faulttest"
)

func TestAnAmbiguousDocumentIsRejected(t *testing.T) {
	many := func(n int, s string) string { return strings.Repeat(s+",", n-1) + s }
	for name, test := range map[string]struct {
		doc  string
		kind Kind // 0 when it is read
	}{
		"object":                {`{"a":1,"b":[true,false,null,"x",-1.5e+3,{}]}`, 0},
		"blanks":                {" \t\r\n{ \"a\" : [ 1 , 2 ] } \n", 0},
		"mark in front":         {"\ufeff{}", 0},
		"two marks":             {"\ufeff\ufeff{}", KindNotJSON},
		"bad UTF-8":             {"\"\xff\"", KindNotJSON},
		"open object":           {`{"a":1`, KindNotJSON},
		"nothing":               {"", KindNotJSON},
		"scalar":                {`"x"`, 0},
		"escapes":               {`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, 0},
		"half a pair":           {`"\ud800"`, 0},
		"equal keys":            {`{"isSuccess":true,"isSuccess":false}`, KindSchema},
		"equal keys by case":    {`{"amount":1,"AMOUNT":2}`, KindSchema},
		"equal keys by escape":  {`{"amount":1,"\u0061mount":2}`, KindSchema},
		"equal keys by folding": {`{"status":1,"\u017ftatus":2}`, KindSchema},
		"equal keys of many":    {`{` + members(20) + `,"K3":1}`, KindSchema},
		"500 keys":              {`{` + members(500) + `}`, 0},
		"501 keys":              {`{` + members(501) + `}`, KindSchema},
		"32 deep":               {strings.Repeat("[", 32) + strings.Repeat("]", 32), 0},
		"33 deep":               {strings.Repeat("[", 33) + strings.Repeat("]", 33), KindSchema},
		"very deep":             {strings.Repeat("[", 100_000), KindSchema},
		"number of 40":          {strings.Repeat("1", 40), 0},
		"number of 41":          {strings.Repeat("1", 41), KindSchema},
		"20,000 parts":          {"[" + many(19_998, "1") + "]", 0},
		"20,001 parts":          {"[" + many(19_999, "1") + "]", KindSchema},
	} {
		_, err := readStrict([]byte(test.doc), redactor{})
		var f *malformed
		switch {
		case test.kind == 0 && err != nil:
			t.Errorf("%s is refused: %v", name, err)
		case test.kind != 0 && !errors.As(err, &f):
			t.Errorf("%s is read", name)
		case test.kind != 0 && f.kind != test.kind:
			t.Errorf("%s is of kind %d, want %d: %v", name, f.kind, test.kind, err)
		}
	}
}

// members are so many members of an object.
func members(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`"k%d":0`, i)
	}
	return strings.Join(all, ",")
}

// anyValue converts v to what encoding/json returns, with numbers as written.
func anyValue(v *value) any {
	switch v.kind() {
	case '{':
		m := map[string]any{}
		for i, e := range v.items() {
			m[v.keys[i]] = anyValue(e)
		}
		return m
	case '[':
		list := []any{}
		for _, e := range v.items() {
			list = append(list, anyValue(e))
		}
		return list
	case '"':
		s, _ := v.text()
		return s
	case '0':
		return json.Number(v.raw)
	case 'n':
		return nil
	}
	return v.kind() == 't'
}

func FuzzReadStrict(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	for _, s := range []string{
		"\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"a\nb\"", `"abc`, `"abc\`, `"\x"`, `"\u12"`, `[1`, `[1,]`, `{"a":1,}`, `[,1]`, `[1 2]`, `{"a" 1}`, `{a:1}`, `{1:1}`, `[1}`, `nul`, `nullx`, `NaN`, `01`, `+1`, `-`, `1.`,
		`1e`, `0x1`, `{}{}`, `{}<html>`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		v, err := readStrict(doc, redactor{})
		if err != nil {
			return
		}
		if !utf8.Valid(doc) {
			t.Fatalf("bad UTF-8 was read: %q", doc)
		}
		d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(doc, []byte("\ufeff"))))
		var all any
		d.UseNumber()
		if err := d.Decode(&all); err != nil {
			t.Fatalf("read what is not JSON: %q: %v", doc, err)
		}
		if _, err := d.Token(); err != io.EOF {
			t.Fatalf("something follows %q", doc)
		}
		if got := anyValue(v); !reflect.DeepEqual(got, all) {
			t.Fatalf("read %q as %#v, want %#v", doc, got, all)
		}
	})
}

// seeds are the bodies of all samples.
func seeds(f *testing.F) (all [][]byte) {
	names, err := filepath.Glob("testdata/wire/*.json")
	if err != nil || len(names) == 0 {
		f.Fatal("there are no samples")
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		noError(f, err)
		var s struct {
			Body json.RawMessage `json:"body"`
			Raw  string          `json:"raw"`
		}
		noError(f, json.Unmarshal(raw, &s))
		all = append(all, append([]byte(s.Raw), s.Body...))
	}
	return all
}

// Any response ends in exactly one of the possible outcomes, and a rejection never counts as a
// success.
func FuzzEnvelope(f *testing.F) {
	for i, s := range seeds(f) {
		f.Add(s, []int{200, 400, 409, 500}[i%4])
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		if status < 100 || status > 599 {
			return
		}
		a := response{status: status, mediaType: "application/json", body: body}
		e, err := writeOutcome(a, nil)
		switch err.(type) {
		case nil:
			if status/100 != 2 || e.top.field("isSuccess").kind() == 'f' || e.payload.kind() != '{' {
				t.Fatalf("HTTP %d %q counts as a success", status, body)
			}
			c := &Client{base: &url.URL{Scheme: "http", Host: "127.0.0.1"}}
			p, err := c.payment(Initiation{}, e)
			if err == nil && p.Reference == "" {
				t.Fatalf("%q made a payment without a reference", body)
			}
			if l, err := c.link(LinkDraft{}, e); err == nil && l.Alias == "" {
				t.Fatalf("%q made a link without an alias", body)
			}
		case *Refusal:
			if status/100 != 2 && !notCarriedOut(status) {
				t.Fatalf("HTTP %d %q counts as a rejection", status, body)
			}
		case *Unresolved:
			if errText := err.Error(); !utf8.ValidString(errText) || strings.ContainsAny(errText, "\x1b\n\x07") {
				t.Fatalf("%q says %q", body, errText)
			}
		default:
			t.Fatalf("%q ended in %T", body, err)
		}
		_, err = readOutcome(a, nil, standardEnvelope)
		if errors.Is(err, ErrUnresolved) {
			t.Fatalf("a read is unresolved: %v", err)
		}
		if page, err := readOutcome(a, nil, listEnvelope); err == nil {
			notices(new(Client).readPage(page, true), 1, 20)
		}
	})
}

func TestRetryAfterIsSecondsOrADateAndAtMostADay(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for s, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "7200": 2 * time.Hour, "86401": 24 * time.Hour,
		"99999999999999999999": 24 * time.Hour, "-7": 0, "7s": 0, "7.5": 0, "soon": 0, "\u0667": 0,
		"Wed, 02 Jan 2030 03:04:15 GMT": 10 * time.Second, "Wed, 02 Jan 2030 03:04:00 GMT": 0, "Thu, 03 Jan 2030 03:04:06 GMT": 24 * time.Hour,
		"Wednesday, 02-Jan-30 03:04:15 GMT": 10 * time.Second,
	} {
		if got := retryAfter(http.Header{"Retry-After": {s}}, now); got != want {
			t.Errorf("%q is %v, want %v", s, got, want)
		}
	}
	// The service's clock is 2 hours ahead; the wait is the same.
	h := http.Header{"Retry-After": {"Wed, 02 Jan 2030 05:04:15 GMT"}, "Date": {"Wed, 02 Jan 2030 05:04:05 GMT"}}
	if got := retryAfter(h, now); got != 10*time.Second {
		t.Errorf("with another clock it is %v", got)
	}
}

func TestEverySpellingThatCounts(t *testing.T) {
	for word, want := range map[string]State{
		"SUCCESSFUL": Successful, "Successful": Successful, "Successfull": Successful, "sUcCeSsFuLl": Successful, "\tsuccessfull\r\n": Successful,
		"FAILED": Failed, "Failed": Failed, "failed ": Failed,
		"PENDING": Pending, "Pending": Pending, "INITIATED": Initiated, "initiated": Initiated,
		"REQUIRE_USER_OFFLINE_ACTION": ActionRequired, "require_user_offline_action": ActionRequired,
		"REQUIRE_BANK_AUTH": BankAuthRequired, "REQUIRED_BANK_AUTH": BankAuthRequired, "required_bank_auth": BankAuthRequired,
		"": Unrecognised, "InProgress": Unrecognised, "completed": Unrecognised, "00": Unrecognised, "REQUIRE_BANK-AUTH": Unrecognised, "PEND\u0130NG": Unrecognised, "UNRECOGNISED": Unrecognised,
	} {
		got := ParseStatus(word)
		if got.State != want {
			t.Errorf("%q is %v, want %v", word, got.State, want)
		}
		if got.State != Unrecognised && ParseStatus(got.State.String()).State != got.State {
			t.Errorf("the word of %v is read as something else", got.State)
		}
	}
	if (Status{}).State != Unrecognised || Unrecognised.String() != "UNRECOGNISED" || State(99).String() != "UNRECOGNISED" {
		t.Error("the zero state is not the unrecognised one")
	}
	for s := Unrecognised; s <= Failed; s++ {
		if s.Final() != (s == Successful || s == Failed) {
			t.Errorf("%v is final: %v", s, s.Final())
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	for _, h := range faulttest.Texts("status-drift", "confusable", "invisible", "bidi") {
		f.Add(h.Text)
	}
	for _, s := range []string{"SUCCESSFULLL", "SUCCESSFU", "UNSUCCESSFUL", "SUCCESS FUL", "\u00a0SUCCESSFUL", "\u017fuccessful", "F\u0131LED", "FAILED\x00", "\u0405UCCESSFUL", "SUCCESSFUL\u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		state := ParseStatus(s).State
		word := strings.Trim(s, "\t\n\v\f\r ")
		success := len(word) <= 11 && (asciiEqual(word, "SUCCESSFUL") || asciiEqual(word, "SUCCESSFULL"))
		if success != (state == Successful) || (state == Failed) != asciiEqual(word, "FAILED") {
			t.Fatalf("%q is %v", s, state)
		}
	})
}

// asciiEqual compares byte by byte, ignoring bit 5 of letters.
func asciiEqual(s, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(s) {
		if s[i] != upper[i] && s[i] != upper[i]|0x20 {
			return false
		}
	}
	return true
}

func TestTimesInResponsesAreParsedStrictly(t *testing.T) {
	plus1 := time.FixedZone("", 3600)
	for text, want := range map[string]Timestamp{
		"2026-11-21T09:30:00Z":                {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC), Zoned: true},
		"2026-11-21T09:30:00+01:00":           {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, plus1), Zoned: true},
		"2026-11-21T09:30:00.1234567+01:00":   {Time: time.Date(2026, 11, 21, 9, 30, 0, 123456700, plus1), Zoned: true},
		"2026-11-21T09:30:00.123456789-00:00": {Time: time.Date(2026, 11, 21, 9, 30, 0, 123456789, time.UTC), Zoned: true},
		"2026-11-21T09:30:00":                 {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)},
		"2026-11-21T09:30:00.5":               {Time: time.Date(2026, 11, 21, 9, 30, 0, 500000000, time.UTC)},
		"2026-11-21 09:30:00":                 {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)},
		"2028-02-29T00:00:00Z":                {Time: time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), Zoned: true},
		"":                                    {}, "1763717400": {}, "2026-11-21": {}, "2026-02-29T00:00:00Z": {}, "2026-11-21T24:00:00Z": {}, "2026-11-21T09:30:60Z": {}, "2026-11-21T9:30:00Z": {},
		"2026-11-21T09:30:00,5Z": {}, "2026-11-21T09:30:00.1234567890Z": {}, "2026-11-21T09:30:00+24:00": {}, "2026-11-21T09:30:00+0100": {}, "2026-11-21T09:30:00Z and more": {},
		"٢٠٢٦-11-21T09:30:00Z": {}, "2026-11-21\u00a009:30:00Z": {},
	} {
		got := ParseTimestamp(text)
		if !got.Time.Equal(want.Time) || got.Zoned != want.Zoned || got.Text != Clean(text) {
			t.Errorf("%q is %v, zoned %v, shown as %q", text, got.Time, got.Zoned, got.Text)
		}
		if want.Time.IsZero() && got.Time != (time.Time{}) {
			t.Errorf("%q is not the zero time", text)
		}
	}
}

func currency(t testing.TB, code string) money.Currency {
	c, err := money.ParseCurrency(code)
	noError(t, err)
	return c
}

// Every amount survives encoding and decoding, in both units.
func TestAnAmountSurvivesTheWire(t *testing.T) {
	for _, code := range []string{"JPY", "GBP", "NGN", "KWD"} {
		c := currency(t, code)
		rapid.Check(t, func(t *rapid.T) {
			a := money.Amount{Minor: rapid.Int64Range(0, 1e12).Draw(t, "minor"), Currency: c}
			major := majorUnits.encode(a).String()
			if back, err := majorUnits.parse(major, c); err != nil || back != a {
				t.Fatalf("%v went out as %s and came back as %v: %v", a, major, back, err)
			}
			minor := minorUnits.encode(a).String()
			if back, err := minorUnits.parse(minor, c); err != nil || back != a {
				t.Fatalf("%v went out as %s and came back as %v: %v", a, minor, back, err)
			}
			if !json.Valid([]byte(major)) || strings.ContainsAny(major, "eE") || strings.Contains(major, ".") && strings.HasSuffix(major, "0") {
				t.Fatalf("%v goes out as %s", a, major)
			}
		})
	}
}

// sent knows a card number.
func sent(t *testing.T, number string) *card.Numbers {
	t.Helper()
	p, err := card.ParsePAN(number)
	noError(t, err)
	s := new(card.Numbers)
	s.Add(p)
	return s
}
