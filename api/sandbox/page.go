package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// A page is an answer for people: HTML without anything from elsewhere.
type page struct {
	http       int
	title      string
	body       string // markup; what came from outside went through html.EscapeString
	script     string
	formAction string // where forms and what follows them may lead, besides here
	goTo       string // an address to send the customer on to instead
	allow      string
}

const pageStyle = `body{font:1rem/1.5 sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}` +
	`dt{font-weight:bold}dd{margin:0 0 .5rem}button{font:inherit;padding:.5rem 1.5rem;margin:0 1rem 1rem 0}` +
	`.note{border:2px solid #111;padding:.5rem 1rem}`

const sandboxNote = `<p class="note">This is a sandbox. No real money moves here, and no real card may be used.</p>`

// source is a content security policy's name for one inline script or style.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p page) policy() string {
	forms := "'self'"
	if p.formAction != "" {
		forms += " " + p.formAction
	}
	policy := "default-src 'none'; base-uri 'none'; style-src " + source(pageStyle) + "; form-action " + forms
	if p.script != "" {
		policy += "; script-src " + source(p.script)
	}
	return policy
}

// markup is the whole page.
func (p page) markup() string {
	title := html.EscapeString(p.title)
	script := ""
	if p.script != "" {
		script = "<script>" + p.script + "</script>\n"
	}
	return strings.Join([]string{
		`<!doctype html>`,
		`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<title>` + title + `</title><style>` + pageStyle + `</style></head>`,
		`<body><main><h1>` + title + `</h1>`,
		sandboxNote,
		p.body,
		`</main>`,
		script + `</body></html>`,
	}, "\n")
}

func (p page) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", p.policy())
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.goTo != "" {
		h.Set("Location", p.goTo)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	text := p.markup()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(p.http)
	w.Write([]byte(text))
}

// terms is a list of names and values, the values from anywhere.
func terms(pairs ...string) string {
	var b strings.Builder
	b.WriteString("<dl>")
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString("<dt>" + html.EscapeString(pairs[i]) + "</dt><dd>" + html.EscapeString(pairs[i+1]) + "</dd>")
	}
	b.WriteString("</dl>")
	return b.String()
}

// notHere is the page of an address that leads nowhere.
func notHere(text string) page {
	return page{http: http.StatusNotFound, title: "Not found", body: "<p>" + html.EscapeString(text) + "</p>"}
}

// notAllowed is the page for a method the address does not take.
func notAllowed(allow string) page {
	return page{http: http.StatusMethodNotAllowed, title: "Not allowed", body: "<p>This address does not take such a request.</p>", allow: allow}
}
