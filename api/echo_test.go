package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"paydesk/api"
	"paydesk/api/money"
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

// repeating serves answers in which every field repeats something, other than those that are kept.
func repeating(t *testing.T, keep map[string]any, echoed *string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := json.Marshal(keep)
		said, err2 := json.Marshal(*echoed)
		if err := errors.Join(err, err2); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(bytes.ReplaceAll(b, []byte("ECHO"), said[1:len(said)-1]))
	})
}

// everything is all that can be displayed of an answer or an error.
func everything(v any, err error) string {
	all := fmt.Sprintf("%+v %v", v, err)
	for _, line := range describeError(err) {
		all += "\n" + line
	}
	return all
}

// neverShows fails when a text has a secret in it, however it is written.
func neverShows(t *testing.T, shown, secret, how string) {
	t.Helper()
	for name, s := range written(secret) {
		if strings.Contains(shown, s) {
			t.Errorf("%s is shown %s:\n%s", how, name, shown)
			return
		}
	}
}

func TestACardNumberThatTheServiceRepeatsIsShownNowhere(t *testing.T) {
	for how, echoed := range written(pan) {
		c, _ := newClient(t, repeating(t, map[string]any{
			"isSuccess": true, "message": "ECHO",
			"value": map[string]any{
				"paymentStatus": "ECHO", "message": "ECHO", "bankAuthURL": "https://bank.example/3ds?token=ECHO",
				"paymentItem": map[string]any{
					"reference": "REF1", "paymentReference": "REF1", "amount": "ECHO", "currency": "ECHO", "message": "ECHO",
					"metaData": map[string]any{"transfer-info": map[string]any{
						"note": "ECHO", "bank": "ECHO", "account_number": "ECHO", "account_name": "ECHO", "expiration": "ECHO", "mode": "ECHO"}},
				},
			},
		}, &echoed))
		p, err := c.Initiate(t.Context(), cardInitiation())
		if err != nil || p.Reference != "REF1" || p.HasAmount {
			t.Fatalf("%s: %+v: %v", how, p, err)
		}
		if !p.BankAuth.IsZero() || p.BankAuthRefused.Empty() {
			t.Errorf("%s: the URL %s is offered", how, p.BankAuth)
		}
		neverShows(t, everything(p, nil)+fmt.Sprintf("%+v", p.Transfer), pan, how)
	}
}

func TestARefusalThatRepeatsTheCardShowsNothingOfIt(t *testing.T) {
	for how, echoed := range written(pan) {
		for name, h := range map[string]http.Handler{
			"an envelope": repeating(t, map[string]any{"isSuccess": false, "value": nil, "message": "ECHO", "responseCode": "ECHO", "failures": []any{"ECHO"}}, &echoed),
			"a page": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "<html><title>502</title>\n"+echoed+" 123\n")
			}),
		} {
			c, _ := newClient(t, h)
			_, err := c.Initiate(t.Context(), cardInitiation())
			if err == nil {
				t.Fatalf("%s in %s is no error", how, name)
			}
			neverShows(t, everything(nil, err), pan, how+" in "+name)
		}
	}
}

// Such a reference would be displayed, stored, and asked for in a URL.
func TestAReferenceThatIsTheCardIsUnresolved(t *testing.T) {
	for how, echoed := range written(pan) {
		if _, err := api.ParseReference(echoed); err != nil {
			continue // no reference in any case
		}
		for _, field := range []string{"reference", "paymentReference"} {
			item := map[string]any{"reference": "REF1", "paymentReference": "REF1", "amount": 12.5}
			item[field] = "ECHO"
			c, _ := newClient(t, repeating(t, map[string]any{
				"isSuccess": true, "value": map[string]any{"paymentStatus": "SUCCESSFUL", "paymentItem": item}}, &echoed))
			p, err := c.Initiate(t.Context(), cardInitiation())
			if !errors.Is(err, api.ErrUnresolved) {
				t.Errorf("%s as %s: %+v, %v", how, field, p, err)
			}
			neverShows(t, everything(p, err), pan, how)
		}
	}
	code := cvv
	c, _ := newClient(t, repeating(t, map[string]any{"isSuccess": true, "value": map[string]any{
		"paymentStatus": "SUCCESSFUL", "paymentItem": map[string]any{"reference": "ECHO", "amount": 12.5}}}, &code))
	if p, err := c.Initiate(t.Context(), cardInitiation()); !errors.Is(err, api.ErrUnresolved) {
		t.Errorf("the CVV as a reference: %+v, %v", p, err)
	}
}

// A rejection that names a payment by the card, its code, the key or another number like a card's is no
// rejection, and quotes nothing of it.
func TestARefusalThatNamesThePaymentByASecretIsUnresolved(t *testing.T) {
	all := map[string]string{"the code": cvv, "the key": string(secret), "another card": "5555555555554444"}
	for how, echoed := range written(pan) {
		all["the card, "+how] = echoed
	}
	for how, echoed := range all {
		for _, field := range []string{"reference", "paymentReference", "both"} {
			item := map[string]any{"amount": 12.5}
			for _, name := range []string{"reference", "paymentReference"} {
				if field == name || field == "both" {
					item[name] = "ECHO"
				}
			}
			c, _ := newClient(t, repeating(t, map[string]any{
				"isSuccess": false, "message": "no", "value": map[string]any{"paymentStatus": "SUCCESSFUL", "paymentItem": item}}, &echoed))
			_, err := c.Initiate(t.Context(), cardInitiation())
			u, is := errors.AsType[*api.Unresolved](err)
			if !is || api.OutcomeOf(err) != api.OutcomeUnresolved || !u.Named.Empty() {
				t.Errorf("%s as %s: %v", how, field, err)
			}
			neverShows(t, everything(nil, err), pan, how)
			if shown := everything(nil, err); strings.Contains(shown, string(secret)) || strings.Contains(shown, "5555") || strings.Contains(shown, "payment "+cvv) {
				t.Errorf("%s is quoted: %s", how, shown)
			}
		}
	}
}

func TestARefusalThatNamesTheLinkByACardIsUnresolved(t *testing.T) {
	echoed := "5555555555554444"
	c, _ := newClient(t, repeating(t, map[string]any{"isSuccess": false, "value": map[string]any{"alias": "ECHO"}}, &echoed))
	_, err := c.CreateLink(t.Context(), linkDraft())
	if u, is := errors.AsType[*api.Unresolved](err); !is || !u.Named.Empty() || strings.Contains(everything(nil, err), "5555") {
		t.Error(err)
	}
}

// The number is gone by then; what is left of it recognises it.
func TestWhatIsAskedLaterHidesTheCardToo(t *testing.T) {
	for how, echoed := range written(pan) {
		answer := map[string]any{}
		mux := http.NewServeMux()
		mux.Handle("/", repeating(t, answer, &echoed))
		c, _ := newClient(t, mux)
		answer["isSuccess"], answer["value"] = true, map[string]any{"paymentStatus": "PENDING", "paymentItem": map[string]any{"reference": "REF1"}}
		if _, err := c.Initiate(t.Context(), cardInitiation()); err != nil {
			t.Fatal(err)
		}
		answer["value"] = map[string]any{"paymentStatus": "ECHO", "paymentReference": "ECHO", "amount": map[string]any{"currencyCode": "GBP", "amount": "ECHO"}}
		got, err := c.Transaction(t.Context(), "REF1")
		neverShows(t, everything(got, err), pan, how)
		answer["status"], answer["data"] = true, []any{map[string]any{"id": "ECHO", "amount": "ECHO", "currency": "GBP", "status": "ECHO", "n": "ECHO"}}
		answer["meta"] = map[string]any{"page": 1, "pageCount": 1, "total": "ECHO", "perPage": 20}
		page, err := c.Transactions(t.Context(), 1, 20)
		neverShows(t, everything(page, err), pan, how)
		answer["value"] = map[string]any{"alias": "ECHO", "id": "ECHO", "link": "https://pay.example/ECHO"}
		link, err := c.CreateLink(t.Context(), linkDraft())
		neverShows(t, everything(link, err), pan, how)
		answer["value"] = map[string]any{"alias": "0-abc", "id": "ECHO", "name": "ECHO", "link": "https://pay.example/ECHO", "createdDate": "ECHO"}
		if link, err = c.CreateLink(t.Context(), linkDraft()); err != nil || !link.Page.IsZero() {
			t.Errorf("%s: %+v, %v", how, link, err)
		}
		neverShows(t, everything(link, err), pan, how)
		answer["value"] = map[string]any{"isValid": true, "channels": []any{map[string]any{"alias": "ECHO", "name": "ECHO", "description": "ECHO"}}}
		channels, err := c.ValidateChannels(t.Context(), money.Amount{Minor: 5, Currency: pounds("1").Currency})
		neverShows(t, everything(channels, err), pan, how)
	}
}

func TestTheKeyThatTheServiceRepeatsIsShownNowhere(t *testing.T) {
	for how, echoed := range written(string(secret)) {
		if strings.HasPrefix(how, "with ") || strings.Contains(how, "with spaces") || strings.HasPrefix(how, "spaces") || how == "grouped, base64" {
			continue // nobody groups a key
		}
		c, _ := newClient(t, repeating(t, map[string]any{
			"isSuccess": true, "message": "ECHO",
			"value": map[string]any{"paymentStatus": "ECHO", "bankAuthURL": "https://bank.example/ECHO",
				"paymentItem": map[string]any{"reference": "REF1", "amount": "ECHO"}},
		}, &echoed))
		p, err := c.Initiate(t.Context(), cardInitiation())
		if err != nil || !p.BankAuth.IsZero() {
			t.Fatalf("%s: %+v: %v", how, p, err)
		}
		neverShows(t, everything(p, nil), string(secret), how)
	}
}

func TestWhatOnlyLooksEncodedIsShown(t *testing.T) {
	const plain = "order 7b3f5c1d-1111-4242-8f2e-4242424242ff, 100%25, NDI0MjQyNDI0MjQy, 343234323432343234323432 &#52;2"
	c, _ := newClient(t, repeating(t, map[string]any{"isSuccess": false, "value": nil, "message": plain}, new(string)))
	_, err := c.Initiate(t.Context(), cardInitiation())
	if err == nil || !strings.Contains(err.Error(), plain) {
		t.Error(err)
	}
}
