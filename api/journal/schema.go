package journal

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"

	"paydesk/api"
)

//go:embed schema.sql
var schema string

// currentVersion is the version of the schema, stored as the file's user_version. A released
// version's file is upgraded by [upgrade].
const currentVersion = 2

// createTables writes the tables and a new hash key into an empty file.
func createTables(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	key := make([]byte, 32)
	rand.Read(key)
	if err := setFact(ctx, tx, "key", key); err != nil {
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

// readKey returns the key of the payer hashes.
func readKey(ctx context.Context, db *sql.DB) ([]byte, error) {
	var key, sum []byte
	err := db.QueryRowContext(ctx, "SELECT value, checksum FROM facts WHERE name = 'key'").Scan(&key, &sum)
	if err == sql.ErrNoRows || err == nil && string(sum) != string(factSum("key", key)) {
		return nil, errDamaged
	}
	return key, err
}

// hashPayer returns keyed hashes of the payer: enough to recognise the same payer, and
// meaningless without the journal's key. An empty value stays "".
func hashPayer(key []byte, who Payer) (email, phone string) {
	address := api.LowerASCII(strings.TrimSpace(who.Email))
	return keyedHash(key, "email", address), keyedHash(key, "phone", digits(who.Phone))
}

func keyedHash(key []byte, kind, text string) string {
	if text == "" {
		return ""
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
