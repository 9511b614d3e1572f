package api_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/servicetest"
)

// percent escapes every byte.
func percent(s string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&out, "%%%02X", c)
	}
	return out.String()
}

// written is a secret as a service may repeat it. Each has another text around it, at every alignment
// of base64.
func written(secret string) map[string]string {
	all := map[string]string{
		"plain": secret, "with spaces": grouped(secret, " "), "with dashes": grouped(secret, "-"), "with colons": grouped(secret, ":"),
		"after a letter": "x" + secret, "hex": hex.EncodeToString([]byte(secret)), "upper-case hex": strings.ToUpper(hex.EncodeToString([]byte("=" + secret))),
		"hex after half a byte": "f" + hex.EncodeToString([]byte(secret)) + "a", "hex in pairs": strings.TrimSpace(fmt.Sprintf("% x", secret)),
		"percent": percent(secret), "half of it percent": secret[:7] + percent(secret[7:]), "percent twice": url.QueryEscape(percent(secret)),
		"percent with spaces": percent(grouped(secret, " ")), "spaces as percent": url.PathEscape(grouped(secret, " ")),
		"entities":        strings.NewReplacer("4", "&#52;", "2", "&#x32;", "s", "&#115;").Replace(secret),
		"JSON in base64":  base64.StdEncoding.EncodeToString([]byte(`{"number":"` + secret + `"}`)),
		"base64 twice":    base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret)))),
		"hex of base64":   hex.EncodeToString([]byte(base64.RawURLEncoding.EncodeToString([]byte(secret)))),
		"UTF-16 in hex":   hex.EncodeToString(utf16Bytes(secret)),
		"grouped, base64": base64.StdEncoding.EncodeToString([]byte(grouped(secret, "-"))),
	}
	for n := range 3 {
		for name, to := range map[string]*base64.Encoding{
			"base64": base64.StdEncoding, "unpadded base64": base64.RawStdEncoding, "URL base64": base64.URLEncoding, "unpadded URL base64": base64.RawURLEncoding,
		} {
			all[fmt.Sprint(name, " at ", n)] = to.EncodeToString([]byte("\xfb\xff\xfe"[:n] + secret + "\xff\xfe?"[:n]))
			all[fmt.Sprint(name, " in a path, at ", n)] = "v2/c/" + to.EncodeToString([]byte("abc"[:n]+secret)) + "/x"
		}
	}
	return all
}

func grouped(s, with string) string {
	var parts []string
	for ; len(s) > 4; s = s[4:] {
		parts = append(parts, s[:4])
	}
	return strings.Join(append(parts, s), with)
}

func utf16Bytes(s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return b
}

// direct is a client of h without a network, which never retries.
func direct(t testing.TB, h http.HandlerFunc, c api.Config) *api.Client {
	t.Helper()
	c.BaseURL, c.ListURL, c.Retries, c.Transport = "http://127.0.0.1:8099", "http://127.0.0.1:8099", -1, servicetest.Network{Handler: h}
	return client(t, c)
}

// echoing are answers to each operation in which every text repeats something.
var echoing = map[string]string{
	"initiate": `{"isSuccess":true,"message":"ECHO","value":{"paymentStatus":"ECHO","message":"ECHO","bankAuthURL":"https://bank.example/3ds?token=ECHO",
		"paymentItem":{"reference":"REF1","paymentReference":"REF1","amount":"ECHO","currency":"ECHO","message":"ECHO","metaData":{"transfer-info":{
		"note":"ECHO","bank":"ECHO","account_number":"ECHO","account_name":"ECHO","expiration":"ECHO","mode":"ECHO"}}}}}`,
	"link":         `{"isSuccess":true,"message":"ECHO","value":{"alias":"0-abc","id":"ECHO","name":"ECHO","link":"https://pay.example/ECHO","createdDate":"ECHO","linkType":"ECHO","environment":"ECHO"}}`,
	"validate":     `{"isSuccess":true,"message":"ECHO","value":{"isValid":true,"channels":[{"alias":"ECHO","name":"ECHO","description":"ECHO"}]}}`,
	"authenticate": `{"isSuccess":true,"message":"ECHO","responseCode":"ECHO","more":"ECHO","value":{"status":"ECHO","Recommendation":"ECHO","authenticationhtml":"<p>x"}}`,
	"finalize":     `{"isSuccess":true,"responseCode":"ECHO","value":{"status":"completed","message":"ECHO"}}`,
	"transaction":  `{"isSuccess":true,"message":"ECHO","value":{"paymentStatus":"ECHO","paymentReference":"ECHO","amount":{"currencyCode":"ECHO","amount":"ECHO"}}}`,
	"transactions": `{"status":true,"message":"ECHO","data":[{"id":"r1","amount":"ECHO","currency":"ECHO","status":"ECHO","note":["ECHO"],"ECHO":1}],"meta":{"page":1,"pageCount":1,"total":"ECHO","perPage":20}}`,
}

// otherwise are the other ways to answer any of them.
var otherwise = []string{
	`{"isSuccess":false,"status":false,"value":null,"message":"ECHO","responseCode":"ECHO","failures":["ECHO"],"error":"ECHO"}`,
	`{"isSuccess":false,"status":false,"detail":"ECHO","value":{"paymentStatus":"ECHO","paymentItem":{"amount":12.5,"currency":"ECHO"}}}`,
	"<html><title>502</title>\nECHO 123\n",
}

// Whatever a service repeats of a card number, of the key, or of a card number that was never sent from here, however that is
// written: it is in nothing that a person can be shown of the result or the error, in no answer that is kept, and in no report.
func TestWhatTheServiceRepeatsOfASecretIsShownNowhere(t *testing.T) {
	key := written(string(secret))
	maps.DeleteFunc(key, func(how, _ string) bool {
		return strings.Contains(how, "spaces") || strings.HasPrefix(how, "with ") || how == "grouped, base64"
	}) // a key is not written in groups
	earlier := map[string]string{ // of a run before this one, or of another console: the client never had the number
		"hex": hex.EncodeToString([]byte(pan)), "base64": base64.StdEncoding.EncodeToString([]byte(pan)),
		"with spaces": grouped(pan, " "), "with no-break spaces": grouped(pan, "\u00a0"), "percent": percent(pan), "JSON in base64": base64.RawURLEncoding.EncodeToString([]byte(`{"n":"` + pan + `"}`)),
	}
	for name, of := range map[string]struct {
		ways   map[string]string
		known  bool // a payment was made with the card
		marker string
	}{
		"the card": {written(pan), true, "<pan …4242>"}, "the key": {key, true, "[key]"}, "an earlier card": {earlier, false, "<pan …4242>"},
	} {
		var body string
		var shown strings.Builder
		c := direct(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", map[bool]string{true: "application/json", false: "text/html"}[body[0] == '{'])
			if strings.Contains(body, `"isSuccess":false`) {
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
			io.WriteString(w, body)
		}, api.Config{Observe: func(e api.Exchange) { fmt.Fprintf(&shown, "%+v\n", e) }})
		if of.known {
			body = `{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentItem":{"reference":"REF1"}}}`
			if _, err := c.Initiate(t.Context(), cardInitiation()); err != nil {
				t.Fatal(err)
			}
		}
		ctx := api.WithAnswers(t.Context(), func(a api.Answer) { shown.WriteString(strings.Join(a.Body.Block(0, api.AnswerLines), "\n")) })
		for how, echoed := range of.ways {
			said, err := json.Marshal(echoed)
			noError(t, err)
			for operation, answer := range echoing {
				if !of.known && (operation == "initiate" || operation == "link") {
					continue // the one sends the card, and in the URL of a page only what was sent is looked for
				}
				patterns := []string{answer}
				if operation == "finalize" || operation == "transaction" || operation == "transactions" { // a write, a read, and the list
					patterns = append(patterns, otherwise...)
				}
				for _, pattern := range patterns {
					shown.Reset()
					if body = strings.ReplaceAll(pattern, "ECHO", echoed); pattern[0] == '{' {
						body = strings.ReplaceAll(pattern, "ECHO", string(said[1:len(said)-1]))
					}
					got, err := call(ctx, c, operation, "")
					fmt.Fprintf(&shown, "%+v %v %s", got, err, strings.Join(printed(got, err), "\n"))
					if p, is := got.(api.Page); is && len(p.Rows) > 0 {
						shown.WriteString(strings.Join(p.Rows[0].Object.Block(200, 50), "\n"))
					}
					if p, is := got.(api.Payment); is && err == nil && (p.Reference != "REF1" || p.HasAmount || !p.BankAuth.IsZero() || p.BankAuthRefused.Empty()) {
						t.Errorf("%s, %s: %+v", name, how, p)
					}
					if l, is := got.(api.Link); is && err == nil && !l.Page.IsZero() {
						t.Errorf("%s, %s: the page %v is offered", name, how, l.Page)
					}
					text := shown.String()
					for as, s := range of.ways {
						if strings.Contains(text, s) {
							t.Errorf("%s, repeated %s by %s, is shown %s:\n%s", name, how, operation, as, text)
						}
					}
					if operation == "finalize" && !strings.Contains(text, of.marker) {
						t.Errorf("%s, repeated %s: nothing was hidden, so this proves nothing:\n%s", name, how, text)
					}
				}
			}
		}
	}
}

// A reference or an alias that is a card number, its code or the key would be displayed, stored, and asked for in a URL. An
// answer with one is not known to have been carried out or not, and quotes nothing of it.
func TestAnAnswerThatNamesThePaymentByASecretIsUnresolved(t *testing.T) {
	for how, echoed := range map[string]string{
		"the code": cvv, "the key": string(secret), "another card": "5555555555554444", "the card": pan, "in groups": grouped(pan, "-"), "hex": hex.EncodeToString([]byte(pan)),
		"base64": base64.RawURLEncoding.EncodeToString([]byte(pan)),
	} {
		for _, pattern := range []string{
			`{"isSuccess":true,"value":{"paymentStatus":"SUCCESSFUL","paymentItem":{"reference":"ECHO","paymentReference":"REF1","amount":12.5}}}`,
			`{"isSuccess":true,"value":{"paymentStatus":"SUCCESSFUL","paymentItem":{"reference":"REF1","paymentReference":"ECHO","amount":12.5}}}`,
			`{"isSuccess":false,"message":"no","value":{"paymentStatus":"SUCCESSFUL","paymentItem":{"reference":"ECHO","amount":12.5}}}`,
			`{"isSuccess":false,"message":"no","value":{"paymentStatus":"SUCCESSFUL","paymentItem":{"reference":"ECHO","paymentReference":"ECHO","amount":12.5}}}`,
			`{"isSuccess":false,"value":{"alias":"ECHO"}}`,
		} {
			operation := map[bool]string{true: "link", false: "initiate"}[strings.Contains(pattern, "alias")]
			if operation == "link" && how != "another card" {
				continue // which needs no payment before
			}
			c := direct(t, answer(strings.ReplaceAll(pattern, "ECHO", echoed)).ServeHTTP, api.Config{})
			_, err := call(t.Context(), c, operation, "")
			u, is := err.(*api.Unresolved)
			if !is || api.OutcomeOf(err) != api.OutcomeUnresolved || strings.Contains(pattern, `"isSuccess":false`) && !u.Named.Empty() {
				t.Errorf("%s in %s: %v", how, pattern, err)
			}
			if shown := strings.Join(printed(nil, err), "\n"); strings.Contains(shown, echoed) && how != "the code" || strings.Contains(shown, "payment "+cvv) {
				t.Errorf("%s is quoted: %s", how, shown)
			}
		}
	}
}

func TestWhatOnlyLooksLikeASecretIsShown(t *testing.T) {
	const plain = "order 7b3f5c1d-1111-4242-8f2e-4242424242ff, 100%25, NDI0MjQyNDI0MjQy, 343234323432343234323432 &#52;2"
	c := direct(t, answer(`{"isSuccess":false,"value":null,"message":"`+plain+`"}`).ServeHTTP, api.Config{})
	if _, err := c.Initiate(t.Context(), cardInitiation()); err == nil || !strings.Contains(err.Error(), plain) {
		t.Error(err)
	}
	const number = "4111111111111111" // one number in ten of this length passes for a card's
	c = direct(t, answer(`{"status":true,"data":[{"id":"`+number+`","amount":`+number+`,"currency":"GBP","status":"PENDING"}],"meta":{"page":1,"pageCount":1,"total":1}}`).ServeHTTP, api.Config{})
	if p, err := c.Transactions(t.Context(), 1, 20); err != nil || p.Rows[0].ID.String() != number || p.Rows[0].Raw.String() != number {
		t.Errorf("%+v: %v", p.Rows, err)
	}
}

// The types that screens receive. A text in them has a type that cannot contain anything a terminal
// interprets: cleaned free text, or a word of an ASCII grammar.
var resultTypes = []any{
	api.Payment{}, api.Link{}, api.Channels{}, api.Authentication{}, api.Finalization{}, api.PaymentStatus{}, api.Page{},
	api.Refusal{}, api.Unresolved{}, api.Failure{},
}

// safeTypes are the types whose text can be displayed as it is.
var safeTypes = map[reflect.Type]bool{
	reflect.TypeFor[api.Text](): true, reflect.TypeFor[api.Reference](): true, reflect.TypeFor[api.Alias](): true,
	reflect.TypeFor[api.ChannelAlias](): true, reflect.TypeFor[api.Address](): true, reflect.TypeFor[api.Markup](): true,
	reflect.TypeFor[money.Amount](): true, reflect.TypeFor[time.Time](): true,
}

func TestNoResultContainsRawText(t *testing.T) {
	texts := 0
	var look func(where string, of reflect.Type)
	look = func(where string, of reflect.Type) {
		if safeTypes[of] {
			texts++
			return
		}
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				look(where+"."+of.Field(i).Name, of.Field(i).Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			look(where, of.Elem())
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64: // states, counts and hashes
		default:
			t.Errorf("%s is a %v: what came can be had from it", where, of)
		}
	}
	for _, answer := range resultTypes {
		look(reflect.TypeOf(answer).Name(), reflect.TypeOf(answer))
	}
	if texts < 40 {
		t.Errorf("only %d texts were looked at", texts)
	}
	t.Logf("%d texts", texts)
}

func TestABodyOfExactlyTheLimitIsRead(t *testing.T) {
	for operation, limit := range map[string]int{"finalize": 256 << 10, "transaction": 256 << 10, "validate": 256 << 10, "authenticate": 512 << 10} {
		for over, want := range map[int]api.Kind{0: 0, 1: api.KindTooLarge} {
			const body = `{"isSuccess":true,"value":{"status":"completed","message":"","paymentReference":"REF0001"}}`
			c, _ := scripted(t, -1, reply{code: 200, body: strings.NewReader(body + strings.Repeat(" ", limit+over-len(body)))})
			if err := try(t.Context(), c, operation); kindOf(err) != want {
				t.Errorf("%s of %d bytes: %v", operation, limit+over, err)
			}
		}
	}
	for size, want := range map[int]api.Kind{64 << 10: api.KindService, 64<<10 + 1: api.KindHTTP} { // of an error
		const body = `{"isSuccess":false,"message":"no"}`
		c, _ := scripted(t, -1, reply{code: 400, body: strings.NewReader(body + strings.Repeat(" ", size-len(body)))})
		if err := try(t.Context(), c, "initiate"); outcomeOf(err) != "refusal" || kindOf(err) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
