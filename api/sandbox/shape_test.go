package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
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
	must(t, err)
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
	must(t, json.Unmarshal(w.Body, &v))
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
