package keycmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"paydesk/keystore"
)

// A workedEntry records when a key last worked. The last four characters tell a key from one
// that replaced it elsewhere.
type workedEntry struct {
	LastFour string    `json:"lastFour"`
	Time     time.Time `json:"time"`
}

const workedFile = "keys.json" // in the state folder

// lastWorked returns all records by profile; none if the file cannot be read.
func (c CLI) lastWorked() map[string]workedEntry {
	var all map[string]workedEntry
	b, err := os.ReadFile(filepath.Join(c.State, workedFile))
	if c.State == "" || err != nil || json.Unmarshal(b, &all) != nil || all == nil {
		return map[string]workedEntry{}
	}
	return all
}

// workedAt returns when a key last worked.
func (c CLI) workedAt(profile string, k keystore.Key) (time.Time, bool) {
	t, ok := c.lastWorked()[profile]
	return t.Time, ok && t.LastFour != "" && t.LastFour == k.LastFour() && !t.Time.IsZero()
}

// recordWorked records that a key works. A key too short to show its last four is not recorded,
// because nothing would tell it from its successor.
func (c CLI) recordWorked(profile string, k keystore.Key, at time.Time) {
	if k.LastFour() != "" {
		all := c.lastWorked()
		all[profile] = workedEntry{k.LastFour(), at.UTC().Truncate(time.Second)}
		c.writeWorked(all)
	}
}

// forgetWorked removes the record of a profile, whose key has been removed.
func (c CLI) forgetWorked(profile string) {
	all := c.lastWorked()
	if _, ok := all[profile]; ok {
		delete(all, profile)
		c.writeWorked(all)
	}
}

// writeWorked replaces the file in one step. It ignores errors: only the record is lost, and the key
// itself is already stored.
func (c CLI) writeWorked(all map[string]workedEntry) {
	if b, err := json.Marshal(all); err == nil && c.State != "" {
		_ = keystore.ReplaceFile(filepath.Join(c.State, workedFile), append(b, '\n'), 0o600)
	}
}
