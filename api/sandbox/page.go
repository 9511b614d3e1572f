package sandbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"
)

// A page is a response for people: HTML without external resources.
type page struct {
	status   int // 200 when 0
	title    string
	body     markup
	script   string
	redirect string // URL to redirect to instead
	allow    string
	unframed bool   // must not be shown in a frame
	invalid  bool   // the form was filled in incorrectly
	refresh  string // URL that the browser loads after a while; "" for none
}

// markup is HTML in which all text is escaped.
type markup string

// htmlf formats markup: it escapes its strings, but not its markup.
func htmlf(format string, args ...any) markup {
	for i, a := range args {
		if text, is := a.(string); is {
			args[i] = html.EscapeString(text)
		}
	}
	return markup(fmt.Sprintf(format, args...))
}

// cspHash is a content security policy source for an inline script or style.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// contentSecurityPolicy allows only the style and the script that the page has itself, so that text which gets past the
// escaping still runs nothing.
func (p page) contentSecurityPolicy() string {
	policy := "default-src 'none'; base-uri 'none'; style-src " + cspHash(asset("page.css"))
	if p.script != "" {
		policy += "; script-src " + cspHash(p.script)
	}
	if p.unframed {
		policy += "; frame-ancestors 'none'"
	}
	return policy
}

func (p page) markup() string {
	var script, mistaken markup
	if p.script != "" {
		script = markup("<script>" + p.script + "</script>\n")
	}
	if p.invalid {
		mistaken = "Error: "
	}
	return string(htmlf(asset("page.html"), mistaken, p.title, markup(asset("page.css")), p.body, script))
}

// write writes a page as every answer is written.
func (p page) write(w http.ResponseWriter) {
	a := answer{status: cmp.Or(p.status, http.StatusOK), text: []byte(p.markup()), header: http.Header{}}
	a.header.Set("Content-Type", "text/html; charset=utf-8")
	a.header.Set("Content-Security-Policy", p.contentSecurityPolicy())
	a.header.Set("Referrer-Policy", "no-referrer")
	if p.allow != "" {
		a.header.Set("Allow", p.allow)
	}
	if p.refresh != "" {
		a.header.Set("Refresh", strconv.Itoa(refreshSeconds)+"; url="+p.refresh)
	}
	if p.redirect != "" {
		a.status, a.text = http.StatusSeeOther, []byte{}
		a.header.Set("Location", p.redirect)
	}
	a.write(w)
}

// definitionList lists names and values, given in turn.
func definitionList(pairs ...string) markup {
	return "<dl>" + eachPair("<dt>%s</dt><dd>%s</dd>", pairs) + "</dl>"
}

// hidden are hidden fields, given as names and values in turn.
func hidden(pairs ...string) markup {
	return eachPair(`<input type="hidden" name="%s" value="%s">`, pairs)
}

// eachPair formats names and values, given in turn.
func eachPair(format string, pairs []string) markup {
	var all markup
	for pair := range slices.Chunk(pairs, 2) {
		all += htmlf(format, pair[0], pair[1])
	}
	return all
}

// paragraph is a paragraph of text; "" for an empty one.
func paragraph(text string) markup {
	if text == "" {
		return ""
	}
	return htmlf(`<p dir="auto">%s</p>`+"\n", text)
}

// linkParagraph is a link that does not tell its target where the customer comes from.
func linkParagraph(target, label string) markup {
	return htmlf(`<p><a rel="noreferrer" href="%s">%s</a></p>`, target, label)
}

// refreshSeconds is the interval at which a page shows what became of a payment.
const refreshSeconds = 5

// lookAgain makes the page load itself again, by a header, which needs no script; url is its own.
func (p *page) lookAgain(url string) {
	p.refresh = url
	p.body += paragraph("This page looks again every "+strconv.Itoa(refreshSeconds)+" seconds.") +
		linkParagraph(url, "Check again")
}

func notFound(text string) page {
	return page{status: http.StatusNotFound, title: "Not found", body: paragraph(text)}
}

// notAllowed is the page for a method that the URL does not accept.
func notAllowed(allow string) page {
	return page{
		status: http.StatusMethodNotAllowed, title: "Not allowed", allow: allow,
		body: "<p>This page does not accept such a request.</p>",
	}
}
