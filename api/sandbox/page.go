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

// A page is an answer for people: HTML without anything from elsewhere.
type page struct {
	status     int
	title      string
	body       string // markup; what came from outside went through html.EscapeString
	script     string
	formAction string // where forms and what follows them may lead, besides here
	redirect   string // an address to send the customer on to instead
	allow      string
	unframed   bool // may not be put into a frame
	invalid    bool // something that was filled in is wrong
}

const sandboxNote = `<p class="note">This is a sandbox. No real money moves here, and no real card may be used.</p>`

// cspHash is a content security policy's name for one inline script or style.
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

// cspSources names the places of addresses for form-action: browsers check where a
// form's answer redirects to. Hosts a policy cannot write are named by scheme.
func cspSources(addresses ...string) string {
	var out []string
	for _, address := range addresses {
		u, err := url.Parse(address)
		switch {
		case address == "" || err != nil:
		case strings.Trim(u.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") != "":
			out = append(out, u.Scheme+":")
		default:
			out = append(out, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(out, " ")
}

// markup is the whole page.
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

// definitionList is a list of names and values, the values from anywhere.
func definitionList(pairs ...string) string {
	var b strings.Builder
	b.WriteString("<dl>")
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString("<dt>" + html.EscapeString(pairs[i]) + "</dt><dd>" + html.EscapeString(pairs[i+1]) + "</dd>")
	}
	b.WriteString("</dl>")
	return b.String()
}

// paragraph is text from anywhere; nothing when it says nothing.
func paragraph(text string) string {
	if text == "" {
		return ""
	}
	return `<p dir="auto">` + html.EscapeString(text) + "</p>\n"
}

// linkParagraph is a way to an address from anywhere.
func linkParagraph(address, says string) string {
	return `<p><a rel="noreferrer" href="` + html.EscapeString(address) + `">` + html.EscapeString(says) + `</a></p>`
}

// notFound is the page of an address that leads nowhere.
func notFound(text string) page {
	return page{status: http.StatusNotFound, title: "Not found", body: paragraph(text)}
}

// notAllowed is the page for a method the address does not take.
func notAllowed(allow string) page {
	return page{status: http.StatusMethodNotAllowed, title: "Not allowed", body: "<p>This address does not take such a request.</p>", allow: allow}
}
