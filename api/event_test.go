package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestAnEventIsReadInEverySpelling(t *testing.T) {
	for name, c := range map[string]struct {
		body, reference, event, amount, paid string
		says                                 State
		contradicts                          bool
	}{
		"the specification's": {
			`{"Event":"payment.success","Data":{"Environment":"Test","Reference":"P5KQ2M7X1A","AmountPaid":12.5,"Amount":12.50,"Currency":"GBP","PaymentStatus":"SUCCESSFUL","ChannelType":"Card","Metadata":{"alias":"summer-sale"},"RequestSource":"PaymentLink"}}`,
			"P5KQ2M7X1A", "payment.success", "12.50 GBP", "12.50 GBP", Successful, false,
		},
		"the official": {
			`{"Event":"PaymentFailed","Data":{"Reference":"R1","Amount":1000,"Currency":"JPY","PaymentStatus":"Failed"}}`,
			"R1", "PaymentFailed", "1,000 JPY", "", Failed, false,
		},
		"camel case": {
			`{"event":"PaymentSuccessful","data":{"reference":"R1","amount":"1.250","amountPaid":0,"currency":"KWD","paymentStatus":"Successfull","metadata":null}}`,
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
			if ofLink := strings.Contains(c.body, "summer-sale"); ofLink != (e.Link == "summer-sale") || ofLink != (e.Source.Line(0) == "PaymentLink") {
				t.Errorf("the link is %q, and the source %v", e.Link, e.Source)
			}
			if e.Status.State.Final() {
				t.Errorf("the status of an event is %v, which is final", e.Status.State)
			}
			for i, of := range []Reported{e.Amount, e.Paid} {
				if want := []string{c.amount, c.paid}[i]; of.Readable() != (want != "") || of.Readable() && of.Amount.String() != want {
					t.Errorf("%+v, want %q", of, want)
				}
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

func TestCardNumbersAndKeysAreMaskedAndNothingElse(t *testing.T) {
	for _, body := range []string{
		`{"Narration":"my card is 4111 1111 1111 1111"}`, `{"n":4111111111111111}`, "4111-1111-1111-1111", "key sk_test_abcdefgh",
		`{"n":"NDExMTExMTExMTExMTExMQ=="}`, "card=4111+1111+1111+1111", `{"n":"4111\t1111\u00a01111 1111"}`, `{"n":["4111","1111","1111","1111"]}`,
		`{"n":"4111\u0031111 1111 1111"}`, `{"n":"\u0034111 1111 1111 111\u0031"}`, `{"n":"4111\\u0031111 1111 1111"}`, "card=4111+111%31+1111+1111",
		`{"n":"4111\uff11111\u00201111\u002d1111"}`, `{"n":"4\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1\/1"}`,
		"4\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x001\x00", "pin=1234",
		`{"n":"a\nNDExMTExMTExMTExMTExMQ=="}`, `{"n":"\u0034313131313131313131313131313131"}`,
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

func TestWhatIsAroundASecretStaysHoweverItIsWritten(t *testing.T) {
	compressed := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, s)
		w.Close()
		return b.String()
	}
	for body, want := range map[string]string{
		compressed(`{"n":[4111,1111,1111,1111]}`): hiddenText, compressed(`{"c\u0076v":"123"}`): hiddenText,
		`{"r":"R1","cvv":123, "a":"\u003c"}`:    `{"r":"R1","cvv":"•••", "a":"\u003c"}`,
		`{"r":"R1","CVV":"\u0031\u0032\u0033"}`: `{"r":"R1","CVV":"•••"}`,
		`{"c\u0076v" : "123", "pin":123.5}`:     `{"c\u0076v" : "•••", "pin":"•••.5"}`,
		`{"cvv\u003a":"123"`:                    hiddenText, `c\u0076v=123`: hiddenText,
		`["my cvv\u003a 123",{"cvv\u003a":["1234",{"a":123}]}]`:      `["my cvv: •••",{"cvv\u003a":["•••",{"a":"•••"}]}]`,
		`{"n":"{\"a\":[{\"cardC\\u0076v\":\"123\",\"pin\":1234}]}"}`: `{"n":"{\"a\":[{\"cardC\\u0076v\":\"•••\",\"pin\":\"•••\"}]}"}`,
		`{"n":"[\"{\\\"cvc\\\":123}\"]","b":1}`:                      `{"n":"[\"{\\\"cvc\\\":\\\"•••\\\"}\"]","b":1}`,
		`{"r":[1]} {"c\u0076v":123}`:                                 `{"r":[1]} {"c\u0076v":"•••"}`,
		`r=1&payload={"c\u0076v":"123"}&s`:                           `r=1&payload={"c\u0076v":"•••"}&s`,
		`{"r":"R1","n":[4111,1111,1111,1111]}`:                       `{"r":"R1","n":["<pan …1111>"]}`,
		`{"r":"R1","n":["4111 1111 1111",1111]}`:                     `{"r":"R1","n":["<pan …1111>"]}`,
		`p=%7B%22cvv%22%3A%22739%22%7D`:                              hiddenText, `card%5Bcvv%5D=739`: hiddenText, "{\x00\"\x00p\x00i\x00n\x00\"\x00:\x001\x002\x003\x004\x00}\x00": hiddenText,
		"card[cvv]=739&r=1 <cv2>739</cv2>": "card[cvv]=•••&r=1 <cv2>•••</cv2>", "name=\"cvv\"\r\n\r\n739\r\n": "name=\"cvv\"\r\n\r\n•••\r\n",
		`[{"name":"cvv","value":"739"},{"cvv_code":"739","cvvNumber":739}]`: `[{"name":"cvv","value":"•••"},{"cvv_code":"•••","cvvNumber":"•••"}]`,
		`{"n":"[\"4111\",\"1111\",\"1111\",\"1111\"]"}`:                     `{"n":"[\"<pan …1111>\"]"}`,
	} {
		if masked := MaskSecrets(body, nil); masked != want {
			t.Errorf("%q became %q", body, masked)
		}
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
		if masked := MaskSecrets(string(body), nil); json.Valid(body) && !json.Valid([]byte(masked)) {
			t.Errorf("%q became %q, which is not JSON", body, masked)
		}
	})
}
