package journal

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api/query"
)

// A quest is what is searched for, and where.
type quest struct {
	table      string // of derived.sql
	every      bool   // the table has every attempt
	query      query.Query
	conditions []condition // all must hold, besides the text anywhere
	// also returns more text of a row, which depends on its time and on who looks; nil for none.
	also func(at time.Time) string
	// amount is the condition of the amounts that a term about text anywhere has as well.
	amount func(*readTx, query.Term) (condition, error)
}

// anywhere are the terms about text anywhere.
func anywhere(q query.Query) []query.Term {
	return slices.DeleteFunc(slices.Clone(q.Terms), func(t query.Term) bool { return t.Field != "" })
}

// parts are texts that the text of every row that is found has, in lower case: the index need not have more
// than these.
func (q quest) parts() (all []string) {
	for _, t := range q.query.Terms {
		if t.Kind == query.Text && !t.Not && len(t.Values) == 1 && len(t.Amounts) == 0 && t.Values[0].How != query.Filled && !(t.Field == "operator") {
			all = append(all, strings.ToLower(t.Values[0].Text))
		}
	}
	return all
}

// fewest returns the condition for which an index has the fewest rows, from 1; 0 where each has many.
func (t *readTx) fewest(q quest) (place int, err error) {
	least := fewRows + 1
	for i, c := range q.conditions {
		if c.index == "" {
			continue
		}
		var n int
		err := t.one("SELECT count(*) FROM (SELECT 1 "+c.fromIndex()+" LIMIT ?)", append(slices.Clone(c.amongArgs), least), &n)
		if err != nil {
			return 0, err
		}
		if n < least {
			least, place = n, i+1
		}
	}
	return place, nil
}

// fromIndex are the rows for which an index says that the condition may hold.
func (c condition) fromIndex() string {
	return "FROM attempts INDEXED BY " + c.index + " WHERE (" + c.among + ")"
}

// A statement is built of SQL and its arguments, in their order.
type statement struct {
	strings.Builder
	args []any
}

func (s *statement) add(sql string, args ...any) {
	s.WriteString(sql)
	s.args = append(s.args, args...)
}

func (s *statement) where(all []condition) {
	for i, c := range all {
		if i > 0 {
			s.add(" AND ")
		}
		s.add("("+c.sql+")", c.args...)
	}
}

// texts is the condition of the terms about text anywhere.
func (q quest) texts(d dialect) (all []condition) {
	for _, t := range anywhere(q.query) {
		c, _ := textIn(q.text(d))(nil, t)
		c = anyOf(append([]condition{c}, q.amounts(t)...))
		if t.Not {
			c = c.negated()
		}
		all = append(all, c)
	}
	return all
}

// amounts is the condition of the amounts that a term about text anywhere has as well; none for most terms.
func (q quest) amounts(t query.Term) []condition {
	if len(t.Amounts) == 0 {
		return nil
	}
	t.Not = false // the whole term is negated
	c, err := q.amount(nil, t)
	if err != nil {
		return nil
	}
	c.sql = "(" + c.sql + ") IS TRUE"
	return []condition{c}
}

// amountBits has a bit for each term about text anywhere: whether the amount of a row is one of its amounts.
func (q quest) amountBits(st *statement) {
	st.add("0")
	for i, t := range anywhere(q.query) {
		for _, c := range q.amounts(t) {
			st.add(" | CASE WHEN "+c.sql+" THEN "+strconv.Itoa(1<<i)+" ELSE 0 END", c.args...)
		}
	}
}

// hasText reports whether a text in lower case, or one of its lines, has what is looked for anywhere, or the row
// has its amount.
func hasText(q query.Query, text string, amounts int64) bool {
	for i, t := range anywhere(q) {
		fits := amounts>>i&1 == 1 || slices.ContainsFunc(t.Values, func(v query.Value) bool {
			return slices.ContainsFunc(strings.Split(text, "\n"), v.Match)
		})
		if fits == t.Not {
			return false
		}
	}
	return true
}

// searchStrip searches the next strip. Where no index says which rows may be meant, each is read.
func (t *readTx) searchStrip(q quest, from Search, width int64) (s strip, err error) {
	high := from.below
	s.low = max(high-width, 0)
	if from.few == 0 {
		if s.low, err = t.lowest(q.table, high, width); err != nil {
			return s, err
		}
	}
	text := len(anywhere(q.query)) > 0
	var st statement
	st.add("SELECT a.n, a.at, ")
	if q.also != nil {
		st.add("c.words, ")
		q.amountBits(&st)
		st.add(", ")
	} else {
		st.add("'', 0, ")
	}
	if text {
		st.add("(")
		st.where(q.conditions)
		st.add(") IS TRUE ")
	} else {
		st.add("1 ")
	}
	q.from(&st, from, s.low, text)
	if !text {
		st.add(" AND ")
		st.where(q.conditions)
	} else if q.also == nil {
		st.add(" AND ")
		st.where(q.texts(t.dialect))
	}
	return s, t.each(func(rows scanner) error {
		var h hit
		var words string
		var amounts int64
		var meets bool
		if err := rows.Scan(&h.n, &h.at, &words, &amounts, &meets); err != nil {
			return err
		}
		s.read++
		if meets && (q.also == nil || hasText(q.query, words+"\n"+q.also(fromNano(h.at)), amounts)) {
			s.found = append(s.found, h)
		}
		return nil
	}, st.String(), st.args...)
}

// from adds the rows of a strip: those that the index of a condition has, or all. It
// leaves SQLite no choice, which would take the environment, the same in most rows, for the best.
func (q quest) from(st *statement, s Search, low int64, text bool) {
	content := q.table + " AS c"
	switch {
	case s.few > 0:
		c := q.conditions[s.few-1]
		st.add("FROM (SELECT n "+c.fromIndex()+" AND n >= ? AND n < ?) AS i CROSS JOIN attempts AS a NOT INDEXED ON a.n = i.n ",
			append(slices.Clone(c.amongArgs), low, s.below)...)
		if text || !q.every {
			st.add("CROSS JOIN " + content + " ON c.n = a.n ")
		}
		st.add("WHERE 1")
	case !text && q.every && len(q.parts()) == 0:
		st.add("FROM attempts AS a NOT INDEXED WHERE a.n >= ? AND a.n < ?", low, s.below)
	default:
		st.add("FROM "+content+" CROSS JOIN attempts AS a NOT INDEXED ON a.n = c.n WHERE c.n >= ? AND c.n < ?", low, s.below)
		if q.also != nil {
			return
		}
		for _, part := range q.parts() { // the rest of a row is read only where its words are not against that
			st.add(" AND instr(c.words, ?) > 0", part)
		}
	}
}
