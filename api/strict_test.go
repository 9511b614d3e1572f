package api

import (
	"bytes"
	"compress/gzip"
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

// checkAgainstEncodingJSON fails when v differs from what encoding/json reads.
func checkAgainstEncodingJSON(t interface{ Errorf(string, ...any) }, doc []byte, v *value) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(doc, []byte("\ufeff"))))
	d.UseNumber()
	var want any
	if err := d.Decode(&want); err != nil {
		t.Errorf("encoding/json does not read %q: %v", doc, err)
		return
	}
	if got := anyValue(v); !reflect.DeepEqual(got, want) {
		t.Errorf("read %q as %#v, want %#v", doc, got, want)
	}
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
		checkAgainstEncodingJSON(t, doc, v)
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
			c := &Client{base: loopbackOrigin(t)}
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
			p, _ := readPage(page, nil, true)
			notices(p, 1, 20)
		}
	})
}

func loopbackOrigin(t *testing.T) *url.URL {
	u, err := ParseOrigin("http://127.0.0.1")
	noError(t, err)
	return u
}

func TestRetryAfterIsSecondsOrADateAndAtMostFiveMinutes(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for s, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "300": 300 * time.Second, "301": 300 * time.Second,
		"99999999999999999999": 300 * time.Second, "-7": 0, "7s": 0, "7.5": 0, "soon": 0, "\u0667": 0,
		"Wed, 02 Jan 2030 03:04:15 GMT": 10 * time.Second, "Wed, 02 Jan 2030 03:04:00 GMT": 0, "Thu, 03 Jan 2030 03:04:05 GMT": 300 * time.Second,
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
	for _, h := range hostileSamples(f, "status-drift", "confusable", "invisible", "bidi") {
		f.Add(h.text())
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

func TestAnAmountThatIsNoHundredfoldIsNotCalledOne(t *testing.T) {
	pound, yen := currency(t, "GBP"), currency(t, "JPY")
	asked := money.Amount{Minor: 1250, Currency: pound}
	for name, test := range map[string]struct {
		requested, reported money.Amount
		want                string // "" when they agree
	}{
		"no currency":        {asked, money.Amount{Minor: 1250}, "unknown currency"},
		"yen a hundredfold":  {money.Amount{Minor: 5, Currency: yen}, money.Amount{Minor: 500, Currency: yen}, "the service reports"},
		"more than can fold": {money.Amount{Minor: 1 << 62, Currency: pound}, money.Amount{Minor: 1, Currency: pound}, "the service reports"},
	} {
		got := Mismatch(test.requested, test.reported)
		if (test.want == "") != got.Empty() || !strings.Contains(got.String(), test.want) {
			t.Errorf("%s: %q does not say %q", name, got, test.want)
		}
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

func TestAnEventIsReadInEverySpelling(t *testing.T) {
	for name, c := range map[string]struct {
		body, reference, event, amount, paid string
		says                                 State
		contradicts                          bool
	}{
		"the specification's": {
			`{"Event":"payment.success","Data":{"Environment":"Test","Reference":"P5KQ2M7X1A","AmountPaid":12.5,"Amount":12.50,"Currency":"GBP","PaymentStatus":"SUCCESSFUL","ChannelType":"Card","Metadata":null}}`,
			"P5KQ2M7X1A", "payment.success", "12.50 GBP", "12.50 GBP", Successful, false,
		},
		"the official": {
			`{"Event":"PaymentFailed","Data":{"Reference":"R1","Amount":1000,"Currency":"JPY","PaymentStatus":"Failed"}}`,
			"R1", "PaymentFailed", "1,000 JPY", "", Failed, false,
		},
		"camel case": {
			`{"event":"PaymentSuccessful","data":{"reference":"R1","amount":"1.250","amountPaid":0,"currency":"KWD","paymentStatus":"Successfull"}}`,
			"R1", "PaymentSuccessful", "1.250 KWD", "0.000 KWD", Successful, false,
		},
		"contradictory": {
			`{"Event":"PaymentSuccessful","Data":{"Reference":"R1","PaymentStatus":"Failed"}}`,
			"R1", "PaymentSuccessful", "", "", Failed, true,
		},
		"with an unknown status": {
			`{"event":"payment.success","data":{"reference":"R1","paymentStatus":"COMPLETED"}}`, "R1", "payment.success", "", "", Unrecognised, false,
		},
		"of an unfamiliar shape": {
			`{"type":"charge.updated","data":{"object":{"reference":"R1","amount":12.5,"currency":"GBP","status":"Failed"}},"meta":{"tries":1}}`,
			"R1", "charge.updated", "12.50 GBP", "", Failed, false,
		},
		"deep, and named twice": {
			`{"event":"payment.success","data":{"items":[{"payment":{"paymentReference":"R1","paymentStatus":"PENDING"}},{"reference":"R1"}]}}`,
			"R1", "payment.success", "", "", Successful, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := ParseEvent([]byte(c.body))
			if !e.Understood() {
				t.Fatalf("not understood: %s", e.Problem.Line(0))
			}
			if string(e.Reference) != c.reference || e.Name.Line(0) != c.event || e.Says != c.says || e.Contradicts != c.contradicts {
				t.Errorf("read as %+v", e)
			}
			if e.Status.State.Final() {
				t.Errorf("the status of an event is %v, which is final", e.Status.State)
			}
			if e.HasAmount != (c.amount != "") || e.HasAmount && e.Amount.String() != c.amount || e.HasPaid != (c.paid != "") || e.HasPaid && e.Paid.String() != c.paid {
				t.Errorf("of %s, paid %s; want %q and %q", e.Amount, e.Paid, c.amount, c.paid)
			}
		})
	}
}

func TestWhatIsNoEventSaysWhy(t *testing.T) {
	for body, words := range map[string]string{
		"":                            "empty",
		"[1]":                         "not a JSON object",
		`{"event":"payment.success"}`: "No payment reference",
		`{"event":"payment.success","data":{"a":{"reference":"R1"},"b":{"reference":"R2"}}}`: "No payment reference",
		`{"event":"payment.refunded","reference":"R1"}`:                                      "not say what became",
		`{"reference":"R2"}`:               "not say what became",
		`{"reference":"R1","Reference":1}`: "",
		"\xff\xfe":                         "UTF-8",
		strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100): "",
	} {
		e := ParseEvent([]byte(body))
		if e.Understood() || !strings.Contains(e.Problem.Line(0), words) || strings.Contains(e.Problem.Line(0), "response") {
			t.Errorf("%q: %q", body, e.Problem.Line(0))
		}
	}
}

func TestAnEventOfALinkPaymentNamesTheLink(t *testing.T) {
	e := ParseEvent([]byte(`{"Event":"payment.success","Data":{"Reference":"R1","Metadata":{"alias":"summer-sale"},"RequestSource":"PaymentLink"}}`))
	if e.Link != "summer-sale" || e.Source.Line(0) != "PaymentLink" {
		t.Errorf("read as %+v", e)
	}
}

func TestCardNumbersAndKeysAreMaskedAndNothingElse(t *testing.T) {
	for _, body := range []string{
		`{"Narration":"my card is 4111 1111 1111 1111"}`, `{"n":4111111111111111}`, "4111-1111-1111-1111", "key sk_test_abcdefgh",
		`{"n":"NDExMTExMTExMTExMTExMQ=="}`, "card=4111+1111+1111+1111", `{"n":"4111\t1111\u00a01111 1111"}`, `{"n":["4111","1111","1111","1111"]}`,
		`{"n":"4111\u0031111 1111 1111"}`, `{"n":"\u0034111 1111 1111 111\u0031"}`, `{"n":"4111\\u0031111 1111 1111"}`, "card=4111+111%31+1111+1111",
		`{"n":"4111\uff11111\u00201111\u002d1111"}`, `{"n":"4\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1"}`,
		"4\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x00", `{"cvv":"123"}`, `{"cvv":123,"a":1}`, "pin=1234",
		`{"n":"k=MyPlainMerchantKey987654"}`, `{"n":"TXlQbGFpbk1lcmNoYW50S2V5OTg3NjU0"}`,
	} {
		masked := MaskSecrets(body, plainKey("MyPlainMerchantKey987654"))
		if masked == body || strings.Contains(masked, "1111 1111") || strings.Contains(masked, "sk_test_a") || strings.Contains(masked, "PlainMerchant") {
			t.Errorf("%q became %q", body, masked)
		}
		if json.Valid([]byte(body)) && !json.Valid([]byte(masked)) {
			t.Errorf("%q became %q, which is not JSON", body, masked)
		}
	}
	for _, body := range []string{
		"", "\xff\x00\x01", `{"Reference":"0198c2a5-7b1e-4411-8111-111111111111","AmountPaid":12.50}`, "a\r\nb",
		`{"timestamp":1795453042198,"reference":"1795453042198"}`, `{"pinned":1234,"phone":"+442079460000"}`,
	} {
		if masked := MaskSecrets(body, nil); masked != body {
			t.Errorf("%q became %q", body, masked)
		}
	}
}

func TestACompressedCardNumberIsNotStored(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, `{"card":"4111111111111111"}`)
	w.Close()
	if masked := MaskSecrets(b.String(), nil); masked != hiddenText {
		t.Errorf("it became %q", masked)
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"Event":"payment.success","Data":{"Reference":"R1","Amount":12.5,"Currency":"GBP"}}`))
	f.Add([]byte(`{"event":{},"data":[1],"reference":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e := ParseEvent(body)
		if e.Status.State.Final() || e.Understood() && e.Reference == "" {
			t.Errorf("%q: %+v", body, e)
		}
		masked := MaskSecrets(string(body), nil)
		if json.Valid(body) && !json.Valid([]byte(masked)) {
			t.Errorf("%q became %q, which is not JSON", body, masked)
		}
	})
}

// differs fails unless a difference is in what is wanted, and says so.
func differs(t *testing.T, d Difference, asked Asked, want, words string) {
	t.Helper()
	if d.What.String() != want || d.IsZero() != (want == "") {
		t.Errorf("differs in %q, want %q", d.What, want)
	}
	if got := d.Words(asked); !strings.Contains(got, words) || d.IsZero() != (got == "") {
		t.Errorf("%q does not say %q", got, words)
	}
}

func TestAnAnswerIsComparedWithWhatWasAsked(t *testing.T) {
	pound, naira := currency(t, "GBP"), currency(t, "NGN")
	gbp := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: pound} }
	paid := func(a money.Amount) PaymentStatus {
		return PaymentStatus{Reference: "REF", Status: ParseStatus("PENDING"), Amount: a, HasAmount: true}
	}
	raw := func(text string) PaymentStatus { return PaymentStatus{Reference: "REF", AmountText: CleanASCII(text)} }
	about := func(asked Reference, named string) PaymentStatus {
		t := paid(gbp(9900))
		t.Reference, t.OtherReference = asked, CleanASCII(named)
		return t
	}
	brought := func(word string, received money.Amount) PaymentStatus {
		t := paid(gbp(1250))
		t.Status, t.Received = ParseStatus(word), received
		return t
	}
	plain := Asked{Reference: "REF", OwnReference: "OWN1", Amount: gbp(1250)}
	fees, total, both, huge, final := plain, plain, plain, plain, plain
	fees.Fees, total.Total, both.Fees, both.Total = gbp(19), gbp(1269), gbp(19), gbp(125000)
	huge.Total, final.Status = gbp(125000), ParseStatus("Successfull")
	disagreeing := plain
	disagreeing.Fees, disagreeing.Total = gbp(19), gbp(1300)
	hugeFees := plain
	hugeFees.Fees = gbp(123750)
	for name, test := range map[string]struct {
		asked Asked
		got   PaymentStatus
		want  string // what differs
		words string
	}{
		"the same":                         {plain, paid(gbp(1250)), "", ""},
		"a hundredfold":                    {plain, paid(gbp(125000)), "amount", "1,250.00 GBP: 100 times too large"},
		"a hundredth":                      {Asked{Reference: "REF", Amount: gbp(1200)}, paid(gbp(12)), "amount", "100 times too small"},
		"one more":                         {plain, paid(gbp(1251)), "amount", "requested 12.50 GBP, but the service reports 12.51 GBP"},
		"another currency":                 {plain, paid(money.Amount{Minor: 1250, Currency: naira}), "currency", "a different currency"},
		"both":                             {plain, paid(money.Amount{Minor: 1, Currency: naira}), "amount, currency", "0.01 NGN"},
		"no amount":                        {plain, raw(""), "", ""},
		"the number alone":                 {plain, raw("12.50"), "", ""},
		"another number alone":             {plain, raw("12.51"), "amount", "12.51 GBP"},
		"nothing but another currency":     {plain, raw("USD"), "amount", "cannot be read: USD"},
		"a total that disagrees with fees": {disagreeing, paid(gbp(1300)), "amount", "13.00"},
		"with the stated fees":             {fees, paid(gbp(1269)), "", ""},
		"without the stated fees":          {fees, paid(gbp(1231)), "amount", "12.31"},
		"the stated total":                 {total, paid(gbp(1269)), "", ""},
		"a total that the fees contradict": {both, paid(gbp(125000)), "amount", "100 times"},
		"a total in the wrong unit":        {huge, paid(gbp(125000)), "amount", "100 times"},
		"fees in the wrong unit":           {hugeFees, paid(gbp(125000)), "amount", "100 times"},
		"nothing asked":                    {Asked{Reference: "REF"}, paid(gbp(1)), "", ""},
		"elsewhere, and then more":         {Asked{Reference: "REF", Earlier: gbp(1250)}, paid(gbp(1251)), "amount", "an earlier answer was for 12.50 GBP, a later one is for 12.51 GBP"},
		"elsewhere, in another currency":   {Asked{Reference: "REF", Earlier: gbp(1250)}, paid(money.Amount{Minor: 1250, Currency: naira}), "currency", "a later one is for 12.50 NGN"},
		"elsewhere, and then unreadable":   {Asked{Reference: "REF", Earlier: gbp(1250)}, raw("12.505 GBP"), "amount", "was for 12.50 GBP, but the amount in a later one cannot be read: 12.505 GBP"},
		"asked for, whatever came before":  {Asked{Reference: "REF", Amount: gbp(1250), Earlier: gbp(1)}, paid(gbp(1250)), "", ""},
		"more was received":                {plain, brought("SUCCESSFUL", gbp(1500)), "", ""},
		"a part was received so far":       {plain, brought("PENDING", gbp(500)), "", ""},
		"a part was received":              {plain, brought("SUCCESSFUL", gbp(500)), "amount", "5.00 GBP"},
		"nothing was received":             {plain, brought("SUCCESSFUL", gbp(0)), "amount", "0.00 GBP"},
		"other money was received":         {plain, brought("SUCCESSFUL", money.Amount{Minor: 1250, Currency: naira}), "currency", "12.50 NGN"},
		"another payment":                  {plain, about("REF", "OTHER"), "reference", "asked about REF, but the service answers about OTHER"},
		"ours, named by the service's":     {plain, about("OWN1", "OTHER"), "amount", "99.00"},
		"ours, named by our own":           {plain, about("REF", "OWN1"), "amount", "99.00"},
		"ours, in another case":            {plain, about("REF", "own1"), "reference", "answers about own1"},
		"final, and the same":              {final, PaymentStatus{Reference: "REF", Status: ParseStatus("SUCCESSFUL")}, "", ""},
		"final, and then something else":   {final, PaymentStatus{Reference: "REF", Status: ParseStatus("FAILED")}, "status", "SUCCESSFUL was followed by FAILED"},
		"final, and then nothing":          {final, PaymentStatus{Reference: "REF"}, "status", "an answer without a status"},
	} {
		t.Run(name, func(t *testing.T) { differs(t, test.got.Compare(test.asked), test.asked, test.want, test.words) })
	}
}

// What once differed stays, whatever is answered later, and shows the latest value.
func TestADifferenceStays(t *testing.T) {
	pound := currency(t, "GBP")
	asked := Asked{Reference: "REF", Amount: money.Amount{Minor: 1250, Currency: pound}}
	rapid.Check(t, func(t *rapid.T) {
		var kept Difference
		var last int64
		for _, minor := range rapid.SliceOf(rapid.SampledFrom([]int64{1250, 1251, 125000})).Draw(t, "answers") {
			kept = kept.Then(PaymentStatus{Reference: "REF", Amount: money.Amount{Minor: minor, Currency: pound}, HasAmount: true}.Compare(asked))
			if minor != 1250 {
				last = minor
			}
			if kept.IsZero() != (last == 0) || kept.Answered.Minor != last {
				t.Fatalf("after %d it is %+v", minor, kept)
			}
		}
	})
}

// The answer to an initiation is never final.
func TestAClaimIsNotFinal(t *testing.T) {
	for word, want := range map[string]State{
		"SUCCESSFUL": Claimed, "successfull": Claimed, "Failed": Claimed, "PENDING": Pending, "INITIATED": Initiated,
		"CLAIMED": Unrecognised, "REQUIRE_BANK_AUTH": BankAuthRequired, "": Unrecognised,
	} {
		if s := ParseClaim(word); s.State != want || s.State.Final() {
			t.Errorf("%s is %v", word, s.State)
		}
	}
	for s := range Claimed + 1 {
		if StateOf(s.String()) != s {
			t.Errorf("%v is lost", s)
		}
	}
	if ParseStatus("CLAIMED").State != Unrecognised || StateOf("claimed") != Unrecognised {
		t.Error("the service's word is taken for ours")
	}
}

// Of a payment that was made elsewhere only its own answer says what it is for.
func TestASuccessOfElsewhereIsComparedWithItself(t *testing.T) {
	naira, pound := currency(t, "NGN"), currency(t, "GBP")
	of := func(c money.Currency, minor int64) money.Amount { return money.Amount{Minor: minor, Currency: c} }
	for name, w := range map[string]struct {
		status         string
		total, paid    money.Amount
		text, paidText string
		words          string // "" where nothing differs
	}{
		"all of it":           {status: "SUCCESSFUL", total: of(naira, 20000), paid: of(naira, 20000)},
		"more":                {status: "SUCCESSFUL", total: of(naira, 20000), paid: of(naira, 25000)},
		"no word of it":       {status: "SUCCESSFUL", total: of(naira, 20000)},
		"less while it lasts": {status: "PENDING", total: of(naira, 20000), paid: of(naira, 1)},
		"less":                {status: "SUCCESSFUL", total: of(naira, 20000), paid: of(naira, 1), words: "for 200.00 NGN, but 0.01 NGN was received"},
		"other money":         {status: "SUCCESSFUL", total: of(naira, 20000), paid: of(pound, 20000), words: "for 200.00 NGN, but 200.00 GBP was received"},
		"unreadable":          {status: "SUCCESSFUL", total: of(naira, 20000), paidText: "all", words: "the amount received cannot be read: all"},
		"of something":        {status: "SUCCESSFUL", text: "2OO NGN", paid: of(naira, 20000), words: "the amount that the service reports cannot be read: 2OO NGN"},
		"two numbers":         {status: "SUCCESSFUL", text: "200", paidText: "100", words: "cannot be read: 200"},
		"one number twice":    {status: "SUCCESSFUL", text: "200", paidText: "200"},
	} {
		asked := Asked{Reference: "A1"}
		d := PaymentStatus{
			Reference: "A1", Status: ParseStatus(w.status), Amount: w.total, HasAmount: !w.total.Currency.IsZero(), AmountText: Clean(w.text),
			Received: w.paid, ReceivedText: Clean(w.paidText),
		}.Compare(asked)
		if words := d.Words(asked); d.IsZero() != (w.words == "") || !strings.Contains(words, w.words) {
			t.Errorf("%s: %q, want %q", name, words, w.words)
		}
	}
}
