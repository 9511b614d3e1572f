package journal

import (
	"database/sql/driver"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
)

// A condition is SQL about a row a of attempts.
type condition struct {
	sql  string
	args []any
	// Of a condition that an index alone decides: its name, and the condition in its columns. A shared database may have
	// one where the file has none.
	index, among string
	amongArgs    []any
}

// foldFunction is a function of SQL that returns a text in lower case, of every script. SQLite's own
// knows ASCII alone.
const foldFunction = "paydesk_fold"

func init() {
	sqlite.MustRegisterDeterministicScalarFunction(foldFunction, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		s, _ := args[0].(string)
		return strings.ToLower(s), nil
	})
}

// conditionsOf are those of the terms of a query that are about fields. A term about a field that is not
// among them is an error: it is not left out.
func (t *readTx) conditionsOf(q query.Query, fields []searchedField) (all []condition, err error) {
	for _, term := range q.Terms {
		if term.Field == "" {
			continue
		}
		at := slices.IndexFunc(fields, func(f searchedField) bool { return f.Name == term.Field && f.Kind == term.Kind })
		if at < 0 {
			return nil, rejected("The journal cannot search for " + term.Field + ".")
		}
		c, err := fields[at].condition(t, term)
		if err != nil {
			return nil, err
		}
		if term.Not {
			c = c.negated()
		}
		all = append(all, c)
	}
	return all, nil
}

func (c condition) negated() condition { return condition{sql: "NOT (" + c.sql + ")", args: c.args} }

// anyOf is that one of the conditions holds. An index decides it where the same one decides each.
func anyOf(all []condition) (c condition) {
	var parts, among []string
	for _, o := range all {
		parts, c.args = append(parts, "("+o.sql+")"), append(c.args, o.args...)
		among, c.amongArgs = append(among, "("+o.among+")"), append(c.amongArgs, o.amongArgs...)
	}
	c.sql = strings.Join(parts, " OR ")
	if len(all) > 0 && !slices.ContainsFunc(all, func(o condition) bool { return o.index == "" || o.index != all[0].index }) {
		c.index, c.among = all[0].index, strings.Join(among, " OR ")
		return c
	}
	c.amongArgs = nil
	if len(all) == 0 {
		c.sql = "FALSE"
	}
	return c
}

// textSQL compares a text in lower case, or any of its lines, with a value.
func textSQL(text string, v query.Value) (string, any) {
	value := strings.ToLower(v.Text)
	switch v.How {
	case query.Begins:
		return "instr(char(10) || " + text + ", ?) > 0", "\n" + value
	case query.Ends:
		return "instr(" + text + " || char(10), ?) > 0", value + "\n"
	case query.Contains:
		return "instr(" + text + ", ?) > 0", value
	case query.Filled:
		return text + " <> ?", ""
	}
	return text + " = ?", value
}

// textIn is the condition that one of the columns has the text.
func textIn(columns ...string) func(*readTx, query.Term) (condition, error) {
	return func(_ *readTx, term query.Term) (condition, error) {
		var all []condition
		for _, v := range term.Values {
			for _, c := range columns {
				sql, arg := textSQL(c, v)
				all = append(all, condition{sql: sql, args: []any{arg}})
			}
		}
		return anyOf(all), nil
	}
}

// wordIn is the condition of words: known says what each means, and raw has the text as it was sent.
func wordIn(known func(name string) condition, raw ...string) func(*readTx, query.Term) (condition, error) {
	return func(t *readTx, term query.Term) (condition, error) {
		var all []condition
		for _, v := range term.Values {
			if v.How == query.Known {
				all = append(all, known(v.Text))
				continue
			}
			c, err := textIn(raw...)(t, query.Term{Values: []query.Value{v}})
			if err != nil {
				return c, err
			}
			all = append(all, c)
		}
		return anyOf(all), nil
	}
}

// statusIs never takes the status of a payment with a mismatch for its own: what it is about is unknown.
func statusIs(t *readTx, term query.Term) (condition, error) {
	c, err := wordIn(func(name string) condition {
		if name == Mismatched {
			return condition{sql: "a.mismatch <> 0", index: "attempts_mismatch", among: "mismatch <> 0"}
		}
		arg := []any{name}
		return condition{
			sql: "a.status = ? AND a.mismatch = 0", args: arg,
			index: "attempts_status", among: "status = ? AND status <> ''", amongArgs: arg,
		}
	}, "CASE a.mismatch WHEN 0 THEN "+foldFunction+"(a.status_text) END")(t, term)
	c.sql = "coalesce(" + c.sql + ", FALSE)"
	return c, err
}

// outcomeIs is about the request, or a decision about one that is unresolved: unresolved is without any.
// An answer that arrived after a decision counts more than the decision.
var outcomeIs = wordIn(func(name string) condition {
	arg := []any{name}
	switch name {
	case string(Sent), string(Accepted), string(Refused), string(NotSent):
		return condition{sql: "a.outcome = ?", args: arg, index: "attempts_outcome", among: "outcome = ?", amongArgs: arg}
	case string(Unresolved):
		return condition{sql: "a.outcome = 'unresolved' AND a.verdict = ''", index: "attempts_unknown", among: undecided}
	}
	return condition{
		sql: "a.verdict = ? AND (a.outcome = 'unresolved' OR a.made_differs <> '')", args: arg,
		index: "attempts_verdict", among: "verdict = ? AND verdict <> ''", amongArgs: arg,
	}
}, "a.outcome", "a.verdict")

var channelIs = wordIn(func(name string) condition {
	return condition{sql: "a.channel = ?", args: []any{name}}
}, foldFunction+"(a.channel)")

func currencyIs(column string) func(*readTx, query.Term) (condition, error) {
	return wordIn(func(name string) condition {
		c := condition{sql: column + " = ?", args: []any{name}}
		if column == "a.currency" {
			c.index, c.among, c.amongArgs = "attempts_currency", "currency = ? AND currency <> ''", c.args
		}
		return c
	}, "lower("+column+")")
}

// operatorIs compares the names that occur, of which there are few.
func operatorIs(t *readTx, term query.Term) (condition, error) {
	users, err := t.distinct("user")
	if err != nil {
		return condition{}, err
	}
	fits := func(name string) bool {
		return slices.ContainsFunc(term.Values, func(v query.Value) bool { return v.Match(name) })
	}
	var all []condition
	for _, u := range users {
		if fits(u) {
			arg := []any{u}
			all = append(all, condition{sql: "a.user = ?", args: arg, index: "attempts_user", among: "user = ? AND user <> ''", amongArgs: arg})
		}
	}
	if fits("") {
		all = append(all, condition{sql: "a.user = ''"})
	}
	return anyOf(all), nil
}

// dayIn is about when it was sent, in the local time zone.
func dayIn(_ *readTx, term query.Term) (condition, error) {
	var all []condition
	for _, d := range term.Days {
		from, before := d.Times(time.Local)
		all = append(all, sentBetween(from, before))
	}
	return anyOf(all), nil
}

// sentBetween is that it was sent at or after one time and before another; zero for any.
func sentBetween(from, before time.Time) condition {
	args := []any{nanoOr(from, math.MinInt64), nanoOr(before, math.MaxInt64)}
	return condition{sql: "a.at >= ? AND a.at < ?", args: args, index: "attempts_newest", among: "at >= ? AND at < ?", amongArgs: args}
}

// nanoOr is a time as it is stored, or an open end: a day before or after what an integer holds is one too.
func nanoOr(t time.Time, open int64) int64 {
	switch {
	case t.IsZero():
		return open
	case t.Year() < 1700:
		return math.MinInt64
	case t.Year() > 2200:
		return math.MaxInt64
	}
	return t.UnixNano()
}

// ofExponent are the conditions, by their number, that a currency has so many decimals. Most have two: their list would
// be long.
var ofExponent = sync.OnceValue(func() map[int]string {
	codes, all := map[int][]string{}, map[int]string{}
	var others []string
	for _, code := range money.Codes() {
		c, err := money.ParseCurrency(code)
		if err != nil {
			continue
		}
		codes[c.Exponent()] = append(codes[c.Exponent()], "'"+code+"'")
		if c.Exponent() != 2 {
			others = append(others, "'"+code+"'")
		}
	}
	for exponent, list := range codes {
		all[exponent] = "IN (" + strings.Join(list, ", ") + ")"
	}
	all[2] = "NOT IN (" + strings.Join(others, ", ") + ")"
	return all
})

// amountIn is about an amount that is known: of one that is not, neither a term nor its opposite holds.
func amountIn(currency, minor, known string) func(*readTx, query.Term) (condition, error) {
	if !strings.Contains(currency, " ") {
		currency, minor = "a."+currency, "a."+minor
	}
	return func(_ *readTx, term query.Term) (condition, error) {
		var all []condition
		for exponent, is := range ofExponent() {
			for _, r := range term.Amounts {
				if low, high, some := r.Minor(exponent); some { // the cheap half first
					all = append(all, condition{sql: minor + " BETWEEN ? AND ? AND " + currency + " " + is, args: []any{low, high}})
				}
			}
		}
		c := anyOf(all)
		known := known + " AND " + currency + " <> ''"
		if c.sql = "(" + c.sql + ") AND " + known; term.Not { // of which the opposite is taken
			c.sql = "(" + c.sql + ") OR NOT (" + known + ")"
		}
		return c, nil
	}
}

// hashed compares the keyed hashes of what identifies a customer. Of a payment without, neither a term nor its
// opposite holds.
func hashed(column string, who func(string) Payer, of func(ledger.Marks) string) func(*readTx, query.Term) (condition, error) {
	return func(t *readTx, term query.Term) (condition, error) {
		if len(t.key) == 0 {
			return condition{}, rejected("The journal's key cannot be read now, which the search for a customer needs.")
		}
		var marks []string
		var args []any
		for _, s := range term.Secrets {
			if h := of(who(s.Expose()).Marks(t.key)); h != "" {
				marks, args = append(marks, "?"), append(args, h)
			}
		}
		in := column + " IN (" + strings.Join(marks, ", ") + ")"
		return condition{sql: fmt.Sprintf("CASE WHEN a.%s <> '' THEN a.%s END", column, in), args: args, among: in, amongArgs: args}, nil
	}
}
