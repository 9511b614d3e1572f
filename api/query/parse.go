package query

import (
	"slices"
	"strings"
)

// A Problem says what is wrong with a part of a text, and what is expected there. It never quotes the text.
type Problem struct {
	Start, End int // in bytes
	Text       string
}

// Parse reads a query. It never fails wholly: the terms that are right stand beside the problems of the
// others.
func (l *Language) Parse(text string) (Query, []Problem) {
	p := parser{l: l, asked: map[*Field][]Value{}}
	x := lexer{l: l, text: text}
	for {
		t, ok := x.next()
		if !ok {
			return Query{p.terms}, p.problems
		}
		p.token(t)
	}
}

type parser struct {
	l        *Language
	terms    []Term
	problems []Problem
	asked    map[*Field][]Value // the words that a term has asked for, by field
	either   bool               // an "or", which has its problem, stands before the next term
}

func (p *parser) problem(start, end int, text string) {
	p.problems = append(p.problems, Problem{start, max(end, start+1), text})
}

// token adds the term of a token, or its problems.
func (p *parser) token(t token) {
	if t.field == "" && t.text == "-" {
		p.problem(t.start, t.end, "Write what to leave out right after the -, as in -failed.")
		return
	}
	if t.field == "" {
		p.bare(t)
		return
	}
	f := p.l.field(t.field)
	switch {
	case f == nil:
		p.problem(t.fieldAt, t.fieldAt+len(t.field), p.l.noField(t.field))
	case f.Missing != "":
		p.problem(t.start, t.end, f.Missing)
	case t.text == "":
		p.problem(t.start, t.end, "Write what to look for after the colon, as in "+f.Example+".")
	default:
		p.values(t, f)
	}
}

// values adds the term of a token with a field.
func (p *parser) values(t token, f *Field) {
	term := Term{Not: t.not, Field: f.Name, Kind: f.Kind, Start: t.start, End: t.end, label: f.label(), same: f.Same}
	before := len(p.problems)
	switch f.Kind {
	case Amount:
		term.Amounts = p.amounts(t)
	case Day:
		term.Days = p.dayRanges(t)
	case Scan:
		p.scan(&term, t)
	default:
		all, problems := items(t)
		p.problems = append(p.problems, problems...)
		for _, one := range all {
			p.item(&term, f, one)
		}
	}
	if len(term.Values)+len(term.Amounts)+len(term.Days)+len(term.Secrets) > 0 {
		p.add(term, f)
	} else if len(p.problems) == before {
		p.problem(t.start, t.end, "Write what to look for after the colon, as in "+f.Example+".")
	}
}

// Last is the value of a [Scan] that means the last one before this.
const Last = "last"

// scan adds the scan that a token names.
func (p *parser) scan(term *Term, t token) {
	if strings.EqualFold(t.text, Last) {
		term.addValue(Value{Last, Known}, "the last scan")
		return
	}
	day, _, ok := p.l.days(strings.Trim(t.text, `"`))
	if !ok {
		p.problem(t.at, t.end, "Write last, or a day as 2026-11-20, today or 7d, as in "+t.field+":last.")
		return
	}
	term.addValue(Value{day.String(), Known}, "the scan before "+day.String())
}

// item adds one value of a field of texts, words or secrets to a term.
func (p *parser) item(term *Term, f *Field, one item) {
	wrong := func(text string) { p.problem(one.start, one.end, text) }
	switch {
	case one.empty(): // which has its problem
	case f.Kind == Words:
		name, ok := f.word(one.text)
		switch {
		case one.head || one.tail:
			wrong("A * works only in text fields. Write a whole word, as in " + f.Example + ".")
		case one.quoted && !(ok && strings.Contains(one.text, " ")): // a word of two needs quotation marks
			term.addValue(Value{one.text, Whole}, "“"+one.text+"” as it was sent")
		case ok:
			term.addValue(Value{name, Known}, f.shown(name))
		default:
			wrong(f.noWord(one.text))
		}
	case f.Kind == Exact && (one.head || one.tail || one.text == "" || f.Whole != nil && !one.quoted && !f.Whole(one.text)):
		wrong("Only the whole of it can be found, as in " + f.Example + ": its hash is kept.")
	case f.Kind == Exact:
		term.Secrets = append(term.Secrets, NewSecret(one.text))
	case !one.quoted && strings.TrimLeft(one.text, compares) != one.text:
		wrong("This has no order. Write it as " + f.Example + ".")
	case !one.quoted && strings.Contains(one.text, "*"):
		wrong(starsInside)
	default:
		term.addText(one, Whole)
	}
}

const starsInside = "A * stands at the beginning or the end of a value, as in 5e62*."

func (t *Term) addValue(v Value, shown string) {
	if !slices.Contains(t.Values, v) {
		t.Values, t.shown = append(t.Values, v), append(t.shown, shown)
	}
}

// addText adds a text that is compared as its stars say, or as how where it has none.
func (t *Term) addText(one item, how How) {
	switch {
	case one.text == "" && !one.quoted:
		how = Filled
	case one.head && one.tail:
		how = Contains
	case one.tail:
		how = Begins
	case one.head:
		how = Ends
	}
	if one.text == "" && how != Whole { // every text has none in it: this asks for some
		how = Filled
	}
	shown := one.text
	if how == Filled {
		shown = ""
	} else if t.Field == "" || shown == "" || strings.ContainsAny(shown, " ,") {
		shown = "“" + shown + "”"
	}
	t.addValue(Value{one.text, how}, shown)
}

// add adds a term. A row has one word of each field, so that two terms with others find nothing. What follows an
// "or" is left out: it would take away what is looked for.
func (p *parser) add(term Term, f *Field) {
	if p.either {
		p.either = false
		return
	}
	sent := func(v Value) bool { return v.How != Known } // which may be a spelling of any word
	if f != nil && f.Kind == Words && !term.Not && !slices.ContainsFunc(term.Values, sent) {
		before, asked := p.asked[f]
		if asked && !slices.ContainsFunc(before, func(v Value) bool { return slices.Contains(term.Values, v) }) {
			p.problem(term.Start, term.End, "No row has two. A comma finds either, as in "+f.Example+".")
			return
		}
		p.asked[f] = term.Values
	}
	p.terms = append(p.terms, term)
}

// bare adds the term of a token without a field.
func (p *parser) bare(t token) {
	all, problems := items(t)
	switch f := p.bareField(t, all); {
	case f != nil && f.Missing != "":
		p.problem(t.start, t.end, f.Missing)
	case f != nil:
		p.values(t, f)
	case p.connective(t):
	case strings.TrimLeft(t.text, compares) != t.text:
		p.problem(t.start, t.end, "There is no amount to compare here. Quote it to search as text.")
	default:
		p.anywhere(t, all, problems)
	}
}

// bareField is the field that a token without one means, nil for text.
func (p *parser) bareField(t token, all []item) *Field {
	if strings.ContainsAny(t.text[:min(1, len(t.text))], compares) || looksLikeRange(t.text) {
		return p.l.bare(Amount)
	}
	word := func(one item) bool { return one.text != "" && !one.quoted && !one.head && !one.tail }
	every := func(fits func(s string) bool) bool {
		return !slices.ContainsFunc(all, func(one item) bool { return !word(one) || !fits(one.text) })
	}
	for i := range p.l.Fields {
		f := &p.l.Fields[i]
		if f.Looks != nil && every(f.Looks) {
			return f
		}
		if !f.Bare {
			continue
		}
		switch f.Kind {
		case Words:
			if every(func(s string) bool { _, ok := f.word(s); return ok }) {
				return f
			}
		case Day:
			if every(looksLikeDays) {
				return f
			}
		}
	}
	return nil
}

// connective reports whether a token is a word by which people connect terms. AND may be left out, the
// others are written otherwise.
func (p *parser) connective(t token) bool {
	switch word := strings.ToLower(t.text); {
	case t.not:
		return false
	case word == "and":
	case word == "or":
		p.either = true
		p.problem(t.start, t.end, `Write a comma for “or”, as in failed,pending. Quote it to search as text.`)
	case word == "not":
		p.problem(t.start, t.end, `Write a - for “not”, as in -failed. Quote it to search as text.`)
	default:
		return false
	}
	return true
}

// anywhere adds a term for text anywhere.
func (p *parser) anywhere(t token, all []item, problems []Problem) {
	term := Term{Not: t.not, Start: t.start, End: t.end}
	if isGrouped(t.text) { // an amount as lists show it
		all, problems = []item{{text: t.text, start: t.at, end: t.end}}, nil
	}
	p.problems = append(p.problems, problems...)
	for _, one := range all {
		switch {
		case one.empty(): // which has its problem
		case one.text == "":
			p.problem(one.start, one.end, "Write the text to look for, as in 5e62*.")
		case !one.quoted && strings.Contains(one.text, "*"):
			p.problem(one.start, one.end, starsInside)
		default:
			term.addText(one, Contains)
			if r, is := one.amounts(); is && p.l.bare(Amount) != nil && !slices.Contains(term.Amounts, r) {
				term.Amounts = append(term.Amounts, r)
			}
		}
	}
	if len(term.Values) > 0 {
		p.add(term, nil)
	}
}
