package journal

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"paydesk/api/statefile"
)

// upgrade brings a file of an older version up to this one, in one transaction.
//
// Version 2 has new columns, some more than others: every row is verified by the checksum of the columns that
// it has and gets a new one, and new columns get their zero values. It calls the checksum's column by another name than version 1
// did: a console of version 1 that still has the file open can then neither read nor write it, and says
// so at its next write.
//
// Version 3 has new tables alone, and version 4 has tables that triggers fill, so that a console of
// version 2 or 3 that still has the file open can go on. The words of links have more in version 4.
//
// Version 5 has the table of pins, which a console of version 4 does without. Every row is verified, and none
// is written.
func (j *Journal) upgrade(ctx context.Context) error {
	db := statefile.Open(dsn(j.path, false, false))
	v, err := statefile.Pragma[int](ctx, db, "user_version")
	old := err == nil && 0 < v && v < currentVersion
	if old {
		err = checkStructure(ctx, db)
	}
	db.Close()
	if err != nil || !old {
		return err
	}
	db = statefile.Open(dsn(j.path, j.isLocal(j.opts.Dir), true))
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	switch v {
	case 1:
		err = j.upgradeRows(ctx, tx)
	case 2:
		if err = j.completeRows(ctx, tx); err == nil {
			err = upgradeWords(ctx, tx)
		}
	case 3:
		err = upgradeWords(ctx, tx)
	default:
		err = checkRows(ctx, tx, v)
	}
	if err == nil {
		err = dropOtherIndexes(ctx, tx)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, schema) // creates what is new
	}
	if err == nil && v < 4 {
		err = derive(ctx, tx)
	}
	if err == nil {
		err = setVersion(ctx, tx)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// upgradeWords verifies the rows of versions 2 and 3, and stores the words of links again.
func upgradeWords(ctx context.Context, tx *sql.Tx) error {
	t := &writeTx{&readTx{ctx: ctx, q: sqliteTx{tx}}, sqliteTx{tx}}
	for last := int64(0); ; {
		rows, err := t.attempts("WHERE n > ? ORDER BY n LIMIT 1000", last)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if r.CreatedLink != nil {
				if err := t.update(r); err != nil {
					return err
				}
			}
		}
		last = rows[len(rows)-1].n
	}
}

// upgradeRows brings the rows of version 1 up to version 2.
func (j *Journal) upgradeRows(ctx context.Context, tx *sql.Tx) error {
	names, err := readStrings(ctx, tx, "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
	if err == nil {
		err = dropIndexes(ctx, tx, names...)
	}
	if err != nil {
		return err
	}
	for _, table := range []string{"facts", "attempts", "events"} {
		if _, err := tx.ExecContext(ctx, "ALTER TABLE "+table+" RENAME COLUMN sum TO checksum"); err != nil {
			return err
		}
	}
	if err := j.moveKey(ctx, tx); err != nil {
		return err
	}
	if err := upgradeTable(ctx, tx, "attempts", func() tableRow { return blankRow() }); err != nil {
		return err
	}
	return upgradeTable(ctx, tx, "events", func() tableRow { return &eventRow{table: attemptEvents} })
}

// completeRows adds what the first files of version 2 lack: the key's file, and columns of attempts.
func (j *Journal) completeRows(ctx context.Context, tx *sql.Tx) error {
	key, err := readFact(ctx, sqliteTx{tx}, "key")
	if err == nil && key != nil {
		err = j.moveKey(ctx, tx)
	}
	if err != nil {
		return err
	}
	names, err := readStrings(ctx, tx, tableColumns("attempts"))
	if err != nil || len(names) == len(blankRow().columns()) {
		return err
	}
	return upgradeTable(ctx, tx, "attempts", func() tableRow { return blankRow() })
}

// dropIndexes drops indexes that schema.sql creates, where they are.
func dropIndexes(ctx context.Context, tx *sql.Tx, names ...string) error {
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, "DROP INDEX IF EXISTS "+name); err != nil {
			return err
		}
	}
	return nil
}

// upgradeTable adds the columns that a table lacks and gives its rows new checksums.
func upgradeTable(ctx context.Context, tx *sql.Tx, table string, blank func() tableRow) error {
	names, err := readStrings(ctx, tx, tableColumns(table))
	if err != nil {
		return err
	}
	for _, c := range blank().columns() {
		if slices.Contains(names, c.name) {
			continue
		}
		kind := "INTEGER NOT NULL DEFAULT 0"
		if _, text := stored(c.at).(string); text {
			kind = "TEXT NOT NULL DEFAULT ''"
		}
		if _, err := tx.ExecContext(ctx, "ALTER TABLE "+table+" ADD COLUMN "+c.name+" "+kind); err != nil {
			return err
		}
	}
	return rewriteRows(ctx, tx, table, func() tableRow { return &oldRow{blank(), names} })
}

// tableColumns is the query of a table's columns but the checksum.
func tableColumns(table string) string {
	return "SELECT name FROM pragma_table_info('" + table + "') WHERE name <> 'checksum' ORDER BY cid"
}

// An oldRow is a row that is read by the columns that it had.
type oldRow struct {
	tableRow
	names []string
}

func (o *oldRow) columns() []column {
	return slices.DeleteFunc(o.tableRow.columns(), func(c column) bool { return !slices.Contains(o.names, c.name) })
}

// rewriteRows verifies and rewrites the rows of a table, some at a time: SQLite must not write
// a table that it is reading.
func rewriteRows(ctx context.Context, tx *sql.Tx, table string, blank func() tableRow) error {
	query := "SELECT " + columnNames(blank()) + " FROM " + table + " WHERE n > ? ORDER BY n LIMIT 1000"
	var write *sql.Stmt
	for last := int64(0); ; {
		var rows []*oldRow
		err := statefile.ForEach(ctx, tx, func(found *sql.Rows) error {
			r := blank().(*oldRow)
			rows = append(rows, r)
			return scan(found, r)
		}, query, last)
		if err != nil || len(rows) == 0 {
			return err
		}
		if write == nil {
			if write, err = tx.PrepareContext(ctx, updateSQL(table, rows[0].tableRow)); err != nil {
				return err
			}
			defer write.Close()
		}
		for _, r := range rows {
			if a, is := r.tableRow.(*row); is {
				a.Destination = a.Destination.Stored()
			}
			last = *r.tableRow.columns()[0].at.(*int64)
			if _, err := write.ExecContext(ctx, append(values(r.tableRow), last)...); err != nil {
				return fmt.Errorf("row %d: %w", last, err)
			}
		}
	}
}

func readStrings(ctx context.Context, q querier, query string) (all []string, err error) {
	err = statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		all = append(all, s)
		return err
	}, query)
	return all, err
}
