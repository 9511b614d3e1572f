package present

import (
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/query"
	"paydesk/ui"
)

// CommandOn is a command about one thing, such as a payment: its name, which may be several words, the thing, and its
// options.
func CommandOn(thing string, name ...string) []string {
	at := len(name)
	if i := slices.IndexFunc(name, func(w string) bool { return strings.HasPrefix(w, "-") }); i >= 0 {
		at = i
	}
	if strings.HasPrefix(thing, "-") { // it is no option
		return append(slices.Clone(name), "--", thing)
	}
	return slices.Insert(slices.Clone(name), at, thing)
}

// Options returns options of a command, each followed by its value, without those that have none.
func Options(pairs ...string) (words []string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			words = append(words, pair...)
		}
	}
	return words
}

// mostReferences limits the references to as many as people read on a command line.
const mostReferences = 20

// StatusCommand asks how payments stand, the first of them where there are many. Those that may not go to the
// clipboard are left out; nil where none is left.
func StatusCommand(all []api.Reference) []string {
	words := []string{"status"}
	for _, r := range all {
		if s := string(r); Copyable(s) && s[0] != '-' && !r.LooksLikeCard() && len(words) <= mostReferences {
			words = append(words, s)
		}
	}
	if len(words) == 1 {
		return nil
	}
	return words
}

// ReadQuery is what a search says of a query of a language while it is typed.
func ReadQuery(l *query.Language, text string) (r ui.Reading) {
	q, problems := l.Parse(text)
	for _, t := range q.Terms {
		r.Terms = append(r.Terms, ui.Remark{Start: t.Start, End: t.End, Text: t.Meaning()})
	}
	for _, p := range problems {
		r.Problems = append(r.Problems, ui.Remark{Start: p.Start, End: p.End, Text: p.Text})
	}
	return r
}
