package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"paydesk/api/money"
)

// A Column is the SQL that stands for a field in a table. It is the program's own: whatever was typed becomes an argument.
// Where a text or a currency is no expression, it is a condition with {} in place of the comparison.
type Column struct {
	// Texts are the expressions that a text is compared with, in lower case. Of a field of words they are the word as it was
	// sent.
	Texts []string
	// Lines are expressions of texts in lower case that are compared one by one, with a line break before and after each.
	Lines []string
	// Also returns more of them for a value that could be in them, and a condition that each row with such a text meets and
	// that takes less time than making the texts; no texts for none.
	Also func(Value) (texts []string, given string, args []any)
	// Word is the condition that the row has a word; nil where one of Texts is its name.
	Word func(name string) (sql string, args []any)
	// Minor and Currency are an amount in minor units and the code of its currency. Where Known is false or NULL, a row meets
	// no term about the amount.
	Minor, Currency, Known string
	// At is a time as Clock stores it. Days are those of the local zone.
	At    string
	Clock func(time.Time) int64
	// Hash holds what Texts have of a value that is kept from screens; "" where it has none. A row without any meets no such term.
	Hash func(Secret) string
}

// Columns holds the columns of a table by the names of their fields; "" is text anywhere.
type Columns map[string]Column

// Where returns the condition that a row meets a query, and its arguments; for a query that every row meets it is
// TRUE. Its error names a field that the table does not have.
func (c Columns) Where(q Query) (sql string, args []any, err error) {
	var w where
	w.add("(TRUE")
	for i, t := range q.Terms {
		column, is := c[t.Field]
		if !is {
			return "", nil, fmt.Errorf("%s cannot be searched here", t.Field)
		}
		w.join("AND", i+1)
		w.term(t, column)
	}
	w.add(")")
	return w.sql.String(), w.args, nil
}

// where is a condition that is being written.
type where struct {
	sql  strings.Builder
	args []any
}

// add writes SQL, with a ? for each argument.
func (w *where) add(sql string, args ...any) {
	w.sql.WriteString(sql)
	w.args = append(w.args, args...)
}

// deepest limits how many conditions are joined before there are parentheses: SQLite takes no expression that is 1,000 deep.
const deepest = 100

// join joins the n-th condition in a pair of parentheses with those before it.
func (w *where) join(with string, n int) {
	if n%deepest == 0 {
		with = ") " + with + " ("
	}
	w.add(" " + with + " ")
}

// term writes a term so that it is true or false, never NULL.
func (w *where) term(t Term, c Column) {
	known := ""
	switch {
	case t.Kind == Amount && t.Field != "":
		known = c.known()
	case t.Kind == Exact:
		known = c.Texts[0] + " <> ''"
	}
	if known != "" {
		w.add("(coalesce(" + known + ", FALSE) AND ")
	}
	if t.Not {
		w.add("NOT ")
	}
	w.add("coalesce((FALSE")
	w.any(t, c)
	w.add("), FALSE)")
	if known != "" {
		w.add(")")
	}
}

func (c Column) known() string {
	if c.Known != "" {
		return c.Known
	}
	return c.Minor + " IS NOT NULL AND " + c.Currency + " <> ''"
}

// any writes that one of the values fits.
func (w *where) any(t Term, c Column) {
	n := 0
	or := func() {
		n++
		w.join("OR", n)
	}
	for _, v := range t.Values {
		if v.How == Known && c.Word != nil {
			or()
			sql, args := c.Word(v.Text)
			w.add("("+sql+")", args...)
			continue
		}
		for _, text := range c.Texts {
			or()
			w.text(text, v)
		}
		if c.Also != nil {
			if texts, given, args := c.Also(v); len(texts) > 0 {
				or()
				w.add("("+given+" AND (FALSE", args...)
				for _, text := range texts {
					w.add(" OR ")
					w.text(text, v)
				}
				w.add("))")
			}
		}
		for _, lines := range c.Lines {
			or()
			w.lines(lines, v)
		}
	}
	for _, r := range t.Amounts {
		for _, of := range ofExponent() {
			if low, high, some := r.Minor(of.exponent); some {
				or()
				w.add("("+c.Minor+" BETWEEN ? AND ? AND "+fits(c.Currency, of.is)+" AND "+c.known()+")", low, high)
			}
		}
	}
	for _, d := range t.Days {
		or()
		w.days(d, c)
	}
	for _, s := range t.Secrets {
		if hash := c.Hash(s); hash != "" {
			or()
			w.add(c.Texts[0]+" = ?", hash)
		}
	}
}

// maxText is the longest text that is looked for, in bytes: SQLite takes no longer pattern, and no row has so much in one line.
const maxText = 10_000

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// text writes that a text fits a value. What no text of a table has, SQLite would cut off.
func (w *where) text(text string, v Value) {
	value := strings.ToLower(v.Text)
	if len(value) > maxText || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		w.add("FALSE")
		return
	}
	pattern := likeEscaper.Replace(value)
	compared := `LIKE ? ESCAPE '\'`
	switch v.How {
	case Contains:
		pattern = "%" + pattern + "%"
	case Begins:
		pattern += "%"
	case Ends:
		pattern = "%" + pattern
	case Filled:
		w.add(fits(text, "<> ''"))
		return
	default:
		compared, pattern = "= ?", value
	}
	sql := fits(text, compared)
	args := make([]any, strings.Count(sql, "?"))
	for i := range args {
		args[i] = pattern
	}
	w.add(sql, args...)
}

// fits compares an expression, or puts the comparison into a condition.
func fits(expression, comparison string) string {
	if strings.Contains(expression, "{}") {
		return strings.ReplaceAll(expression, "{}", comparison)
	}
	return expression + " " + comparison
}

// lines writes that one of some lines fits a value. The function instr is much quicker than LIKE.
func (w *where) lines(lines string, v Value) {
	value := strings.ToLower(v.Text)
	switch v.How {
	case Begins:
		value = "\n" + value
	case Ends:
		value += "\n"
	case Filled:
		w.add("replace("+lines+", ?, '') <> ''", "\n")
		return
	case Contains:
	default:
		value = "\n" + value + "\n"
	}
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		w.add("FALSE")
		return
	}
	w.add("instr("+lines+", ?) > 0", value)
}

func (w *where) days(d DayRange, c Column) {
	from, before := d.Times(time.Local)
	w.add("(TRUE")
	if !from.IsZero() {
		w.add(" AND "+c.At+" >= ?", c.Clock(from))
	}
	if !before.IsZero() {
		w.add(" AND "+c.At+" < ?", c.Clock(before))
	}
	w.add(")")
}

// decimals is the condition that a currency has so many decimals.
type decimals struct {
	exponent int
	is       string
}

// ofExponent returns the decimals of all known currencies. Most have two: they are matched as those outside the other lists.
var ofExponent = sync.OnceValue(func() (all []decimals) {
	codes := map[int][]string{}
	for _, code := range money.Codes() {
		if c, err := money.ParseCurrency(code); err == nil {
			codes[c.Exponent()] = append(codes[c.Exponent()], "'"+code+"'")
		}
	}
	var others []string
	for _, exponent := range slices.Sorted(maps.Keys(codes)) {
		if exponent != 2 {
			all = append(all, decimals{exponent, "IN (" + strings.Join(codes[exponent], ", ") + ")"})
			others = append(others, codes[exponent]...)
		}
	}
	return append(all, decimals{2, "NOT IN (" + strings.Join(others, ", ") + ")"})
})
