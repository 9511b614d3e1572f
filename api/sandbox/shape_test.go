package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kinds is the shape of a JSON value: the type behind every path. Elements of an
// array share one path.
func kinds(v any) map[string][]string {
	found := map[string][]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		kind := "null"
		switch v := v.(type) {
		case map[string]any:
			kind = "object"
			for name, inner := range v {
				walk(path+"."+name, inner)
			}
		case []any:
			kind = "array"
			for _, inner := range v {
				walk(path+"[]", inner)
			}
		case string:
			kind = "string"
		case bool:
			kind = "boolean"
		case json.Number, float64:
			kind = "number"
		}
		if !slices.Contains(found[path], kind) {
			found[path] = append(found[path], kind)
			slices.Sort(found[path])
		}
	}
	walk("", v)
	return found
}

// shaped compares the shape of a response with an expected one.
func (a reply) shaped(want string) {
	a.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		a.t.Fatal(err)
	}
	differ(a.t, kinds(v), kinds(a.body))
}

func differ(t testing.TB, want, got map[string][]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if g := strings.Join(got[path], "|"); g != strings.Join(want[path], "|") {
			t.Errorf("%s is %q, want %q", path, g, strings.Join(want[path], "|"))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if _, is := want[path]; !is {
			t.Errorf("%s should not exist", path)
		}
	}
}

// The specification's tables as shapes: fields, their types, and which are null.
func TestAnswersHaveTheFieldsOfTheSpecificationAndNoOthers(t *testing.T) {
	s := serve(t, Options{Transactions: 5})
	s.post(initiatePath, charge("approve")).shaped(`{"value":{"paymentStatus":"","message":"","bankAuthURL":null,
		"paymentItem":{"channel":"","message":"","amount":1,"fees":1,"reference":"","paymentReference":"","metaData":{}}},"isSuccess":true}`)
	a := s.post(initiatePath, charge("challenge"))
	a.shaped(`{"value":{"paymentStatus":"","message":"","bankAuthURL":"",
		"paymentItem":{"channel":"","message":"","amount":1,"fees":1,"reference":"","paymentReference":"","metaData":{}}},"isSuccess":true}`)
	ref := a.str("value.paymentItem.reference")
	s.post(initiatePath, bankTransfer()).shaped(`{"value":{"paymentStatus":"","message":"","bankAuthURL":null,
		"paymentItem":{"channel":"","message":"","amount":1,"fees":1,"reference":"","metaData":{"transfer-info":
		{"note":"","bank":"","account_number":"","account_name":"","expiration":"","mode":""}}}},
		"isSuccess":true,"error":null,"message":"","type":null,"title":null,"status":null,"detail":null,"instance":null}`)
	s.post(makeLinkPath, draft("mug")).shaped(`{"value":{"id":"","name":"","description":"","alias":"","link":"",
		"amountInfo":{"currencyCode":"","amount":1},"linkType":"","status":"","createdDate":"","environment":""},"isSuccess":true,"message":""}`)
	s.post(validatePath, obj{"amount": obj{"currencyCode": "GBP", "amount": 5}, "channels": []string{"Card"}}).shaped(`{"value":{"isValid":true,
		"channels":[{"id":"","name":"","alias":"","description":null}]},
		"isSuccess":true,"error":null,"message":"","type":null,"title":null,"status":null,"detail":null,"instance":null}`)
	s.get(checkPath + ref).shaped(`{"value":{"status":"","IsAuthenticationEnabled":true,"Recommendation":"","message":"","authenticationhtml":""},
		"type":"","title":"","status":200,"detail":"","instance":"","isSuccess":true,"error":"","message":"","responseCode":""}`)
	s.Approve(ref)
	s.finish(ref).shaped(`{"value":{"status":"","message":""},"type":"","title":"","status":200,"detail":"","instance":"",
		"isSuccess":true,"error":null,"message":"","responseCode":""}`)
	s.get(statusPath + ref).shaped(`{"value":{"paymentReference":"","amount":{"currencyCode":"","amount":1},"paymentStatus":""},"isSuccess":true}`)
	s.get(listPath).shaped(`{"status":true,"data":[{"id":"","amount":1,"currency":"","status":""}],
		"meta":{"page":1,"pageCount":1,"total":1,"perPage":1,"skipped":0}}`)
}

// A sample is a response as the client expects it.
type sample struct {
	Operation string          `json:"operation"`
	Name      string          `json:"name"`
	HTTP      int             `json:"http"`
	Body      json.RawMessage `json:"body"`
	Sandbox   bool            `json:"sandbox"`
}

// The samples the client is tested with and the sandbox's responses have the same shape,
// compared by operation, success and HTTP status.
func TestTheSandboxAnswersAsTheClientsSamplesSay(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "wire", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	given := examples(t)
	held := 0
	for _, name := range names {
		var w sample
		if err := json.Unmarshal([]byte(read(t, name)), &w); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !w.Sandbox {
			continue
		}
		held++
		t.Run(filepath.Base(name), func(t *testing.T) { agree(t, w, given[w.Operation]) })
	}
	if held == 0 {
		t.Errorf("none of %d samples is for the sandbox", len(names))
	}
}

// agree looks for a sandbox response with the shape of a sample.
func agree(t *testing.T, w sample, given []reply) {
	var v any
	if err := json.Unmarshal(w.Body, &v); err != nil {
		t.Fatal(err)
	}
	want := kinds(v)
	for _, a := range given {
		if a.http == w.HTTP && maps.EqualFunc(want, kinds(a.body), slices.Equal) {
			return
		}
	}
	t.Errorf("no response to %s has HTTP %d and the shape of %s", w.Operation, w.HTTP, w.Body)
	for _, a := range given {
		t.Logf("a response is %d %s", a.http, a.text)
	}
}

// examples are responses of every kind, by operation.
func examples(t *testing.T) map[string][]reply {
	s := serve(t, Options{Transactions: 5})
	empty := serve(t, Options{})
	challenged := s.post(initiatePath, charge("challenge"))
	ref := challenged.str("value.paymentItem.reference")
	check := s.get(checkPath + ref)
	unapproved := s.finish(ref)
	s.Approve(ref)
	noKey := func(r *http.Request) { r.Header.Del(KeyHeader) }
	validation := obj{"amount": obj{"currencyCode": "NGN", "amount": 5}}
	return map[string][]reply{
		"initiate": {
			challenged, s.post(initiatePath, charge("approve")), s.post(initiatePath, charge("decline")), s.post(initiatePath, bankTransfer()),
			s.post(initiatePath, with(charge("approve"), "amount", nil)), s.post(initiatePath, with(charge("approve"), "amount", 0.5)),
			s.send("POST", initiatePath, "{}", noKey),
		},
		"link": {
			s.post(makeLinkPath, draft("mug")), s.post(makeLinkPath, draft("mug")), s.post(makeLinkPath, obj{}), s.send("POST", makeLinkPath, "{}", noKey),
		},
		"validate": {
			s.post(validatePath, validation), s.post(validatePath, with(validation, "amount.currencyCode", "USD")), s.post(validatePath, obj{}),
			s.post(validatePath, with(validation, "channels", []string{"Card"})), s.post(validatePath, with(validation, "channels", []string{"PayByTransfer"})),
			s.send("POST", validatePath, "{}", noKey),
		},
		"authenticate": {check, s.get(checkPath + ref), s.get(checkPath + "NONE"), s.get(checkPath), s.send("GET", checkPath, "", noKey)},
		"finalize":     {s.finish(ref), unapproved, s.finish("NONE"), s.finish(""), s.send("POST", finalizePath, "{}", noKey)},
		"transaction":  {s.get(statusPath + ref), s.get(statusPath + "NONE"), s.send("GET", statusPath+ref, "", noKey)},
		"transactions": {s.get(listPath), empty.get(listPath), s.get(listPath + "?page=0"), s.send("GET", listPath, "", noKey)},
	}
}
