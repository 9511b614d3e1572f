// Package faulttest has the faults of a server that only a client's own tests arm: F8 to F58, except those that are samples
// of these tests, wrong lists, and hostile text.
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
	return append(append(Numbered(), Lists()...), Hostile("hostile", false, false), Hostile("hostile-readable", true, false), Hostile("hostile-identified", true, true))
}

// Numbered returns F8 to F58 without the samples. The others of the list need more than an answer.
func Numbered() []sandbox.Fault { return slices.DeleteFunc(table(), isOfLists) }

// Classes returns one of the numbered faults for each way in which a client takes an answer, and with PAYDESK_LONG all of
// them: which are taken alike is tested with the client.
func Classes() []sandbox.Fault {
	const one = " F8 F11 F18 F20 F21 F25 F30 F37 F39 F40 F42 F44 F50 F53 F54 F57 F58 "
	return slices.DeleteFunc(Numbered(), func(f sandbox.Fault) bool {
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

// causes has what the faults do that are more than a status. From outside, F8 to F10
// look like F11 to F13; they differ in what becomes of the payment.
var causes = map[string]func(sandbox.Response){
	"F8":  wrong(response.close),
	"F9":  wrong(response.reset),
	"F10": wrong(response.silence),
	"F11": wrong(response.close),
	"F12": wrong(response.reset),
	"F13": wrong(response.silence),
	"F14": wrong(response.headersOnly),
	"F15": wrong(response.cutShort),
	"F16": wrong(response.unterminatedChunks),
	"F17": wrong(response.drip),
	"F18": wrong(response.largeHeader),
	"F19": wrong(response.informational),
	"F20": wrong(response.html502),
	"F21": wrong(response.html200),
	"F22": wrong(response.plainText),
	"F25": wrong(response.byteOrderMark),
	"F29": wrong(response.hugeBody),
	"F30": wrong(response.deep),
	"F34": rewritten(message("\"caf\xe9 \xff\xfe\"")),
	"F35": rewritten(message(`"half \ud800 a pair"`)),
	"F37": rewritten(numbers(func(n string) string { return n + "e0" })),
	"F38": rewritten(numbers(func(n string) string { return `"` + n + `"` })),
	"F39": rewritten(stringsAsNumbers),
	"F40": rewritten(func(text string) string { return result(text, func(string) string { return "null" }) }),
	"F42": rewritten(arrayForObject),
}

func wrong(answer func(response)) func(sandbox.Response) {
	return func(r sandbox.Response) { answer(response{r}) }
}

// rewritten answers with another text.
func rewritten(text func(string) string) func(sandbox.Response) {
	return wrong(func(e response) { e.send(e.Status, jsonType, []byte(text(string(e.Text)))) })
}
