package sandbox

import (
	"html"
	"strings"
)

// A fieldWriter writes form fields, each with its error.
type fieldWriter struct{ errors []formError }

// problem returns the first error of a field, as HTML and as attributes of the field.
func (f fieldWriter) problem(id string) (markup, attributes string) {
	for _, m := range f.errors {
		if m.id == id {
			return `<p class="error" id="` + id + `-error">` + html.EscapeString(m.text) + `</p>`,
				` aria-invalid="true" aria-describedby="` + id + `-error"`
		}
	}
	return "", ""
}

// input is a text field. A value that contains what can be a card number is not shown
// again.
func (f fieldWriter) input(id, label, value, attributes string) string {
	if holdsCardNumber(value) {
		value = ""
	}
	problem, described := f.problem(id)
	return `<label for="` + id + `">` + html.EscapeString(label) + `</label>` + problem +
		`<input id="` + id + `" name="` + id + `" value="` + html.EscapeString(value) + `" ` + attributes + described + ">\n"
}

// group starts a group of choices.
func (f fieldWriter) group(id, legend string) string {
	problem, described := f.problem(id)
	return `<fieldset id="` + id + `" tabindex="-1"` + described + `><legend>` + html.EscapeString(legend) + `</legend>` + problem
}

// radio is one choice of a group.
func radio(name, value, label, does, attributes, chosen string) string {
	id := name + "-" + strings.ToLower(value)
	if value == chosen {
		attributes += " checked"
	}
	out := `<div class="choice"><input type="radio" id="` + id + `" name="` + name + `" value="` + html.EscapeString(value) + `"` + attributes
	if does != "" {
		out += ` aria-describedby="` + id + `-does"`
	}
	out += `><label for="` + id + `">` + html.EscapeString(label) + `</label>`
	if does != "" {
		out += `<p class="does" id="` + id + `-does">` + html.EscapeString(does) + `</p>`
	}
	return out + "</div>\n"
}
