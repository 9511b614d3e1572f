package journal

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

//go:embed schema.sql
var schema string

// currentVersion is the version of the schema, stored as the file's user_version. A released
// version's file is upgraded by [upgrade].
const currentVersion = 4

// createTables writes the tables into an empty file.
func createTables(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema+derivedSchema); err != nil {
		return err
	}
	if err := setVersion(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

func setVersion(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", currentVersion))
	return err
}

func setFact(ctx context.Context, tx *sql.Tx, name string, value []byte) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO facts (name, value, checksum) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, checksum = excluded.checksum",
		name, value, factSum(name, value))
	return err
}

// factSum is the checksum of a row of facts.
func factSum(name string, value []byte) []byte { return checksum(name, string(value)) }

// readFact returns a value of the table of facts; nil when there is none.
func readFact(ctx context.Context, q querier, name string) (value []byte, err error) {
	var sum []byte
	err = q.QueryRowContext(ctx, "SELECT value, checksum FROM facts WHERE name = ?", name).Scan(&value, &sum)
	switch {
	case err == sql.ErrNoRows:
		return nil, nil
	case err == nil && string(sum) != string(factSum(name, value)):
		return nil, errDamaged
	}
	return value, err
}
