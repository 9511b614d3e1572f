package journal

import (
	"context"
	_ "embed"
)

// derivedSchema creates the tables of what attempts are searched by.
//
//go:embed derived.sql
var derivedSchema string

// What the tables of derived.sql hold, as queries of the attempts.
const (
	attemptsTextSQL = "SELECT n, substr(words, 1, instr(words || char(12), char(12)) - 1) AS text FROM attempts"
	linksTextSQL    = "SELECT n, substr(words, instr(words, char(12)) + 1) AS text FROM attempts WHERE made = 1"
)

// saveWords writes what an attempt that was written is searched by. A shared database has indexes for that.
func (t *writeTx) saveWords(r *row) error {
	if t.dialect != ofSQLite {
		return nil
	}
	const unlessSame = " ON CONFLICT (n) DO UPDATE SET words = excluded.words WHERE words <> excluded.words" // a check changes no words
	err := t.exec("INSERT INTO attempts_text (n, words) "+attemptsTextSQL+" WHERE n = ?"+unlessSame, r.n)
	switch {
	case err != nil || r.Kind != CreateLink:
		return err
	case r.CreatedLink == nil:
		return t.exec("DELETE FROM links_text WHERE n = ?", r.n)
	}
	return t.exec("INSERT INTO links_text (n, words) "+linksTextSQL+" AND n = ?"+unlessSame, r.n)
}

// checkDerived returns errDamaged when the tables of derived.sql are not what follows from the attempts.
func checkDerived(ctx context.Context, db querier) error {
	for _, differs := range []string{textDiffers("attempts_text", attemptsTextSQL), textDiffers("links_text", linksTextSQL)} {
		var is bool
		if err := db.QueryRowContext(ctx, "SELECT "+differs).Scan(&is); err != nil {
			return err
		}
		if is {
			return errDamaged
		}
	}
	return nil
}

// textDiffers is the condition that a table has other texts, or more, than a query.
func textDiffers(table, query string) string {
	return "EXISTS (SELECT 1 FROM (" + query + ") AS w LEFT JOIN " + table + " AS c ON c.n = w.n WHERE c.words IS NOT w.text)" +
		" OR (SELECT count(*) FROM " + table + ") <> (SELECT count(*) FROM (" + query + "))"
}
