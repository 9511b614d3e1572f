package webhook

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyValue is JSON of any shape, a few levels deep.
func anyValue(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(), rapid.Just(any(nil)),
		rapid.SampledFrom([]string{"", " ", `"`, `"quoted"`, "null", "12.50", "\x1b[2J", "\u202e", "<&>", "a\nb"}).AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 4).AsAny(), rapid.SliceOfN(anyValue(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func sameJSON(t *rapid.T, a, b []byte) {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err, string(a))
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err, string(b))
	}
	if !reflect.DeepEqual(x, y) {
		t.Fatalf("%s is not %s", a, b)
	}
}

// What nobody changed is sent as it was, whatever it is, and every value can be typed.
func TestABodyThatIsNotChangedStaysTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(rapid.Bool().Draw(t, "escaped"))
		if err := e.Encode(rapid.MapOfN(rapid.String(), anyValue(2), 0, 6).Draw(t, "body")); err != nil {
			t.Fatal(err)
		}
		body := b.Bytes()
		sameJSON(t, body, []byte(OneLine(body)))
		parts, is := Parts(body)
		if !is {
			t.Fatalf("%s has no parts", body)
		}
		sameJSON(t, body, Compose(parts, func(p *Part) string {
			text := p.Typed()
			if text != strings.TrimSpace(text) || strings.ContainsFunc(text, untypable) {
				t.Fatalf("%q cannot be typed", text)
			}
			return text
		}))
	})
}

func TestWhatIsTypedKeepsItsKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ was, text, want string }{
		{`12.50`, "13", `13`}, {`12.50`, "lots", `"lots"`}, {`12.50`, "01", `"01"`}, {`12.50`, "null", `null`}, {`12.50`, `"13"`, `"13"`},
		{`"GBP"`, "826", `"826"`}, {`"GBP"`, "null", `"null"`}, {`"GBP"`, `""`, `""`}, {`"GBP"`, `"\u202e"`, `"\u202e"`}, {`"GBP"`, `"`, `"\""`},
		{`null`, `{"a":1}`, `{"a":1}`}, {`null`, "x", `"x"`}, {`"GBP"`, "", ""}, {`1`, "", ""},
	} {
		if got := string((&Part{value: json.RawMessage(c.was)}).parse(c.text)); got != c.want {
			t.Errorf("%s for %s becomes %s, want %s", c.text, c.was, got, c.want)
		}
	}
}
