package journal

import (
	"database/sql"
	"slices"
	"strings"
	"time"
)

// A position is that of a row among all, newest first.
type position struct{ at, n int64 }

// How many rows of a shared database a statement goes through where no index says which of them are meant, and how many
// of the newest tell whether one does.
const (
	sharedStrip  = 8192
	sharedSample = 2048
	sharedRarity = 16 // an index says it where it has at most one in so many rows
)

// sharedStepTime limits how long a step goes on with another statement.
const sharedStepTime = 50 * time.Millisecond

// stepShared is [readTx.step] in a shared database. Where an index has few of the rows, the server finds all that are
// meant by it; else it goes through the rows strip by strip, so that no statement takes long. The rows are returned
// newest first, a step goes on where the last ended.
func (t *readTx) stepShared(q quest, s Search, enough int) (_ Search, err error) {
	s.found = slices.Clip(s.found) // another step may go on from it
	if !s.begun {
		s.begun, s.below, s.first = true, 1, 0
		if s.indexed, err = t.isIndexed(q); err != nil {
			return s, err
		}
	}
	for began := time.Now(); !s.complete() && len(s.found) < enough && time.Since(began) < sharedStepTime; {
		if s.indexed && q.also == nil {
			err = t.readIndexed(q, &s, min(enough-len(s.found), 1<<20))
		} else {
			err = t.readStrip(q, &s, enough-len(s.found))
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// isIndexed reports whether an index has few of the rows. Few are links.
func (t *readTx) isIndexed(q quest) (is bool, err error) {
	all := q.indexed(t.dialect)
	if len(all) == 0 || !q.every {
		return !q.every, nil
	}
	var st statement
	st.add("SELECT least(")
	for _, c := range all {
		st.add("count(*) FILTER (WHERE "+c.sql+"), ", c.args...)
	}
	st.add("?) FROM (SELECT * FROM attempts ORDER BY at DESC, n DESC LIMIT ?) AS a", int64(sharedSample), int64(sharedSample))
	var few int64
	err = t.one(st.String(), st.args, &few)
	return few*sharedRarity <= sharedSample, err
}

// indexed are the conditions for which there is an index.
func (q quest) indexed(d dialect) (all []condition) {
	for _, c := range q.conditions {
		if c.among != "" {
			all = append(all, condition{sql: c.among, args: c.amongArgs})
		}
	}
	if q.also == nil {
		all = append(all, q.likely(d)...)
	}
	return all
}

// readIndexed adds the next rows, at most so many.
func (t *readTx) readIndexed(q quest, s *Search, limit int) error {
	before := len(s.found)
	conditions := slices.Concat(q.conditions, q.texts(t.dialect), q.indexed(t.dialect), s.last.older())
	_, err := t.readOn(q, s, conditions, limit)
	if len(s.found)-before < limit {
		s.below = 0
	}
	return err
}

// readStrip adds rows of the next strip, at most so many.
func (t *readTx) readStrip(q quest, s *Search, limit int) error {
	conditions := s.last.older()
	if !q.every {
		conditions = append(conditions, condition{sql: "a.made = 1"})
	}
	var st statement
	st.add("SELECT a.at, a.n FROM attempts AS a WHERE ")
	st.where(append(conditions, condition{sql: "TRUE"}))
	st.add(" ORDER BY a.at DESC, a.n DESC LIMIT 1 OFFSET ?", sharedStrip-1)
	var end position
	switch err := t.one(st.String(), st.args, &end.at, &end.n); {
	case err == sql.ErrNoRows:
		s.below = 0
	case err != nil:
		return err
	default:
		conditions = append(conditions, condition{sql: "(a.at, a.n) >= (?, ?)", args: []any{end.at, end.n}})
	}
	conditions = append(conditions, q.conditions...)
	if q.also == nil {
		conditions = append(conditions, q.texts(t.dialect)...)
	} else {
		limit = sharedStrip
	}
	read, err := t.readOn(q, s, conditions, limit)
	if read == limit && read < sharedStrip { // not all of the strip
		s.below = 1
	} else {
		s.last = end
	}
	return err
}

// older is the condition of rows behind a position; none at the beginning.
func (p position) older() []condition {
	if p == (position{}) {
		return nil
	}
	return []condition{{sql: "(a.at, a.n) < (?, ?)", args: []any{p.at, p.n}}}
}

// readOn adds the newest rows that meet conditions, of which at most limit are read.
func (t *readTx) readOn(q quest, s *Search, conditions []condition, limit int) (read int, err error) {
	var st statement
	st.add("SELECT a.n, a.at, ")
	if q.also != nil {
		st.add(q.text(t.dialect) + ", CAST(")
		q.amountBits(&st)
		st.add(" AS BIGINT) ")
	} else {
		st.add("'', CAST(0 AS BIGINT) ")
	}
	st.add("FROM attempts AS a WHERE ")
	st.where(append(conditions, condition{sql: "TRUE"}))
	st.add(" ORDER BY a.at DESC, a.n DESC LIMIT ?", limit)
	err = t.each(func(r scanner) error {
		var h hit
		var words string
		var amounts int64
		if err := r.Scan(&h.n, &h.at, &words, &amounts); err != nil {
			return err
		}
		read++
		s.last = position{h.at, h.n}
		if q.also == nil || hasText(q.query, words+"\n"+q.also(fromNano(h.at)), amounts) {
			s.found = append(s.found, h)
		}
		return nil
	}, st.String(), st.args...)
	return read, err
}

// likely are conditions that follow from the others, and for which there is an index: what the text of each row that
// is found has in it.
func (q quest) likely(d dialect) (all []condition) {
	for _, part := range q.parts() {
		if len([]rune(part)) >= 3 { // a trigram
			all = append(all, condition{sql: q.text(d) + " LIKE ?", args: []any{"%" + likeEscapes.Replace(part) + "%"}})
		}
	}
	return all
}

// likeEscapes escapes what LIKE does not take for itself.
var likeEscapes = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)
