package journal

import (
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"sync"

	"paydesk/api/statefile"
)

// Schema has the statements that create the tables in a file; those at a server are the same with its own types.
//
//go:embed schema.sql
var Schema string

// Indexes has the statements that create the indexes of the tables, in a file and at a server.
//
//go:embed indexes.sql
var Indexes string

// currentVersion is the version of the schema, stored as the file's user_version.
const currentVersion = 8

// tables returns the schema of a journal in a file.
func tables() statefile.Schema {
	return statefile.Schema{SQL: Schema + Indexes, Version: currentVersion}
}

// schemaQuery describes what a file is made of. What SQLite adds for itself, such as statistics, is not a part of it.
const schemaQuery = "SELECT concat_ws(' ', type, name, tbl_name, sql) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' ORDER BY 1"

// newSchema returns the result of schemaQuery for a new file of this version.
var newSchema = sync.OnceValues(func() ([]string, error) {
	ctx := context.Background()
	db := statefile.Open(dsn("journal", "memory"))
	defer db.Close()
	if err := tables().Create(ctx, db); err != nil {
		return nil, err
	}
	return statefile.All(ctx, db, statefile.One[string], schemaQuery)
})

// checkSchema returns errDamaged when a file of this version has another schema than a new one. SQLite
// does not notice: an index with one damaged character can leave payments out.
func checkSchema(ctx context.Context, db Querier) error {
	want, err := newSchema()
	if err != nil {
		return err
	}
	is, err := statefile.All(ctx, db, statefile.One[string], schemaQuery)
	if err == nil && !slices.Equal(is, want) {
		err = errDamaged
	}
	return err
}

// setAbout writes a value into the table about, in a transaction or on its own.
func setAbout(ctx context.Context, in Tx, name string, value []byte) error {
	_, err := in.ExecContext(ctx, "INSERT INTO about (name, value, checksum) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, checksum = excluded.checksum",
		name, value, aboutSum(name, value))
	return err
}

// aboutSum is the checksum of a row of about.
func aboutSum(name string, value []byte) []byte { return checksum(name, string(value)) }

// readAbout returns a value of the table about; nil when there is none.
func readAbout(ctx context.Context, q Querier, name string) (value []byte, err error) {
	var sum []byte
	err = q.QueryRowContext(ctx, "SELECT value, checksum FROM about WHERE name = '"+name+"'").Scan(&value, &sum)
	switch {
	case err == sql.ErrNoRows:
		return nil, nil
	case err == nil && string(sum) != string(aboutSum(name, value)):
		return nil, errDamaged
	}
	return value, err
}
