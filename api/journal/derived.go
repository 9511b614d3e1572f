package journal

import (
	"context"
	_ "embed"
)

// derivedSchema creates what follows from the attempts.
//
//go:embed derived.sql
var derivedSchema string

// What the tables of derived.sql hold, as queries of the attempts.
const (
	attemptsTextSQL = "SELECT n, substr(words, 1, instr(words || char(12), char(12)) - 1) AS text FROM attempts"
	linksTextSQL    = "SELECT n, substr(words, instr(words, char(12)) + 1) AS text FROM attempts WHERE made = 1"
	linkUsageSQL    = `SELECT environment, link, service, fingerprint, currency, paid, differs, count(*), sum(billions), sum(minor)
		FROM link_payments GROUP BY environment, link, service, fingerprint, currency, paid, differs`
)

// checkDerived returns errDamaged when the tables of derived.sql are not what follows from the attempts.
// SQLite compares the trigrams with the texts when it checks the structure.
func checkDerived(ctx context.Context, db querier) error {
	for _, differs := range []string{
		textDiffers("attempts_text_content", attemptsTextSQL),
		textDiffers("links_text_content", linksTextSQL),
		"EXISTS (" + linkUsageSQL + " EXCEPT SELECT * FROM link_usage)",
		"EXISTS (SELECT * FROM link_usage EXCEPT " + linkUsageSQL + ")",
	} {
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
	return "EXISTS (SELECT 1 FROM (" + query + ") AS w LEFT JOIN " + table + " AS c ON c.id = w.n WHERE c.c0 IS NOT w.text)" +
		" OR (SELECT count(*) FROM " + table + ") <> (SELECT count(*) FROM (" + query + "))"
}

// withoutTrigrams deletes many attempts: FTS5 marks their trigrams as deleted, and then leaves them out of
// an index that it writes again.
func (t *writeTx) withoutTrigrams(remove func() error) error {
	if err := t.exec("INSERT INTO attempts_text (attempts_text, rank) VALUES ('secure-delete', 0)"); err != nil {
		return err
	}
	if err := remove(); err != nil {
		return err
	}
	if err := t.exec("INSERT INTO attempts_text (attempts_text) VALUES ('optimize')"); err != nil {
		return err
	}
	return t.exec("INSERT INTO attempts_text (attempts_text, rank) VALUES ('secure-delete', 1)")
}
