package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A page is a response for people: HTML without external resources.
type page struct {
	status     int
	title      string
	body       string // HTML; text from outside is escaped
	script     string
	formAction string // further targets of forms and their redirects
	redirect   string // URL to redirect to instead
	allow      string
	unframed   bool // must not be shown in a frame
	invalid    bool // the form was filled in incorrectly
}

const sandboxNote = `<p class="note">This is a sandbox. No real money moves here, and no real card may be used.</p>`

// cspHash is a content security policy source for an inline script or style.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p page) contentSecurityPolicy() string {
	forms := "'self'"
	if p.formAction != "" {
		forms += " " + p.formAction
	}
	policy := "default-src 'none'; base-uri 'none'; style-src " + cspHash(pageStyle) + "; form-action " + forms
	if p.script != "" {
		policy += "; script-src " + cspHash(p.script)
	}
	if p.unframed {
		policy += "; frame-ancestors 'none'"
	}
	return policy
}

// cspSources are the sources of URLs for form-action: browsers also check the redirects of
// a form's response. A host that a policy cannot express is allowed by its scheme.
func cspSources(targets ...string) string {
	var out []string
	for _, target := range targets {
		u, err := url.Parse(target)
		switch {
		case target == "" || err != nil:
		case strings.Trim(u.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") != "":
			out = append(out, u.Scheme+":")
		default:
			out = append(out, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(out, " ")
}

func (p page) markup() string {
	title, script, mistaken := html.EscapeString(p.title), "", ""
	if p.script != "" {
		script = "<script>" + p.script + "</script>\n"
	}
	if p.invalid {
		mistaken = "Error: "
	}
	return strings.Join([]string{
		`<!doctype html>`,
		`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<title>` + mistaken + title + `</title><style>` + pageStyle + `</style></head>`,
		`<body><main>` + sandboxNote,
		`<h1>` + title + `</h1>`,
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
	h.Set("Content-Security-Policy", p.contentSecurityPolicy())
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.redirect != "" {
		h.Set("Location", p.redirect)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	text := p.markup()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(p.status)
	w.Write([]byte(text))
}

// definitionList escapes names and values, given in pairs.
func definitionList(pairs ...string) string {
	var b strings.Builder
	b.WriteString("<dl>")
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString("<dt>" + html.EscapeString(pairs[i]) + "</dt><dd>" + html.EscapeString(pairs[i+1]) + "</dd>")
	}
	b.WriteString("</dl>")
	return b.String()
}

// paragraph escapes a text; it returns "" for an empty one.
func paragraph(text string) string {
	if text == "" {
		return ""
	}
	return `<p dir="auto">` + html.EscapeString(text) + "</p>\n"
}

// linkParagraph escapes a URL and its text.
func linkParagraph(target, label string) string {
	return `<p><a rel="noreferrer" href="` + html.EscapeString(target) + `">` + html.EscapeString(label) + `</a></p>`
}

func notFound(text string) page {
	return page{status: http.StatusNotFound, title: "Not found", body: paragraph(text)}
}

// notAllowed is the page for a method that the URL does not accept.
func notAllowed(allow string) page {
	return page{status: http.StatusMethodNotAllowed, title: "Not allowed", body: "<p>This page does not accept such a request.</p>", allow: allow}
}
