// Package faulttest has the faults of a server that only a client's own tests arm: wrong answers, wrong lists, and hostile
// text.
//
//   - faulttest.go, faults.json: the table; wire.go: answers that are wrong on the wire;
//   - text.go: answers whose JSON is wrong; lists.go: pages of the list; hostile.go, hostile-strings.json: hostile text.
package faulttest

import (
	_ "embed"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"paydesk/api/sandbox"
)

//go:embed faults.json
var faults []byte

// All returns the faults for the options of a sandbox.
func All() []sandbox.Fault {
	return append(table(), Hostile("hostile", false, false), Hostile("hostile-readable", true, false), Hostile("hostile-identified", true, true))
}

// Answers returns the wrong answers of this package, and those of any sandbox that a client has to tell apart.
func Answers() []sandbox.Fault {
	const own = " not-reached no-answer lost-answer unauthorized rate-limited refused error-500 html-502 unavailable "
	all := slices.DeleteFunc(sandbox.New(sandbox.Options{}).Faults(), func(f sandbox.Fault) bool { return !strings.Contains(own, " "+f.Name+" ") })
	return append(all, slices.DeleteFunc(table(), isOfLists)...)
}

// Classes returns one of these answers for each way in which a client takes one, and with PAYDESK_LONG all of them: which
// are taken alike is tested with the client.
func Classes() []sandbox.Fault {
	const one = " not-reached lost-answer large-header html-502 html-200 byte-order-mark deep exponents strings-as-numbers" +
		" null-result result-in-array redirect-301 unauthorized http-409 refused error-500 unavailable "
	return slices.DeleteFunc(Answers(), func(f sandbox.Fault) bool {
		return os.Getenv("PAYDESK_LONG") == "" && !strings.Contains(one, " "+f.Name+" ")
	})
}

// Lists returns the ways in which a page of the list can be wrong.
func Lists() []sandbox.Fault {
	return slices.DeleteFunc(table(), func(f sandbox.Fault) bool { return !isOfLists(f) })
}

func isOfLists(f sandbox.Fault) bool { return f.Page != nil }

func table() (all []sandbox.Fault) {
	if err := json.Unmarshal(faults, &all); err != nil {
		panic(err)
	}
	for i := range all {
		all[i].Answer, all[i].Page = causes[all[i].Name], pages[all[i].Name]
	}
	return all
}

// pages has what the faults of lists do.
var pages = map[string]func(*sandbox.ListPage, sandbox.Listing){
	"shrink":        shrinkList,
	"grow":          growList,
	"repeat":        repeatFirstPage,
	"page-0":        pageZero,
	"per-page-500":  fiveHundred,
	"total-0":       zeroTotal,
	"total-less":    shortTotal,
	"negative":      negativeMeta,
	"no-meta":       noMeta,
	"loop":          endless,
	"duplicate-ids": sameIDs,
	"reorder":       reverseEveryOther,
}

// causes has what the faults do that are more than a status.
var causes = map[string]func(sandbox.Response){
	"reset":              wrong(response.reset),
	"silent":             wrong(response.silence),
	"lost-reset":         wrong(response.reset),
	"headers-only":       wrong(response.headersOnly),
	"cut-short":          wrong(response.cutShort),
	"no-last-chunk":      wrong(response.unterminatedChunks),
	"drip":               wrong(response.drip),
	"large-header":       wrong(response.largeHeader),
	"informational":      wrong(response.informational),
	"html-200":           wrong(response.html200),
	"plain-text":         wrong(response.plainText),
	"byte-order-mark":    wrong(response.byteOrderMark),
	"huge":               wrong(response.hugeBody),
	"deep":               wrong(response.deep),
	"not-utf-8":          rewritten(message("\"caf\xe9 \xff\xfe\"")),
	"half-surrogate":     rewritten(message(`"half \ud800 a pair"`)),
	"exponents":          rewritten(numbers(func(n string) string { return n + "e0" })),
	"numbers-as-strings": rewritten(numbers(func(n string) string { return `"` + n + `"` })),
	"strings-as-numbers": rewritten(stringsAsNumbers),
	"null-result":        rewritten(func(text string) string { return result(text, func(string) string { return "null" }) }),
	"result-in-array":    rewritten(arrayForObject),
}

func wrong(answer func(response)) func(sandbox.Response) {
	return func(r sandbox.Response) { answer(response{r}) }
}

// rewritten answers with another text.
func rewritten(text func(string) string) func(sandbox.Response) {
	return wrong(func(e response) { e.send(e.Status, jsonType, []byte(text(string(e.Text)))) })
}
