package journal

import (
	"slices"
	"strings"
	"time"
)

// A position is that of a row among all, newest first.
type position struct{ at, n int64 }

// sharedBatch is how many rows a step reads of a shared database at a time, where the console looks at each.
const sharedBatch = 2000

// stepShared is [readTx.step] in a shared database. The server finds the rows by whichever index has the fewest: the
// trigrams of a text, a column's, or the time's. They are returned newest first, a step goes on where the last ended.
func (t *readTx) stepShared(q quest, s Search, enough int) (Search, error) {
	s.found = slices.Clip(s.found) // another step may go on from it
	s.begun, s.below, s.first = true, 1, 0
	for began := time.Now(); len(s.found) < enough && time.Since(began) < sharedStepTime; {
		limit := min(enough-len(s.found), 1<<20)
		if q.also != nil {
			limit = sharedBatch
		}
		read, err := t.readOn(q, &s, limit)
		if err != nil {
			return s, err
		}
		if read < limit {
			s.below = 0
			break
		}
	}
	return s, nil
}

// sharedStepTime limits how long a step goes on with another batch.
const sharedStepTime = 50 * time.Millisecond

// readOn adds the next rows, of which at most limit are read.
func (t *readTx) readOn(q quest, s *Search, limit int) (read int, err error) {
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
	conditions := slices.Clone(q.conditions)
	if q.also == nil {
		conditions = append(append(conditions, q.texts(t.dialect)...), q.likely(t.dialect)...)
	}
	st.where(append(conditions, condition{sql: "TRUE"}))
	if s.last != (position{}) {
		st.add(" AND (a.at, a.n) < (?, ?)", s.last.at, s.last.n)
	}
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
