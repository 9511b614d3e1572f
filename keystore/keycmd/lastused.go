package keycmd

import (
	"encoding/json"
	"errors"
	"io"
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

const (
	workedFile    = "keys.json" // in the state folder
	maxWorkedFile = 64 << 10
)

// lastWorked returns all records by profile; none if the file cannot be read.
func (c CLI) lastWorked() map[string]workedEntry {
	all := map[string]workedEntry{}
	if c.State == "" {
		return all
	}
	f, err := os.Open(filepath.Join(c.State, workedFile))
	if err != nil {
		return all
	}
	defer f.Close()
	if b, err := io.ReadAll(io.LimitReader(f, maxWorkedFile)); err != nil || json.Unmarshal(b, &all) != nil || all == nil {
		return map[string]workedEntry{}
	}
	return all
}

// workedAt returns when a key last worked.
func (c CLI) workedAt(profile string, k keystore.Key) (time.Time, bool) {
	t, ok := c.lastWorked()[profile]
	return t.Time, ok && t.LastFour != "" && t.LastFour == k.LastFour() && !t.Time.IsZero()
}

// recordWorked records that a key works. It ignores errors: only the record is lost.
func (c CLI) recordWorked(profile string, k keystore.Key, at time.Time) {
	if k.LastFour() == "" {
		return
	}
	all := c.lastWorked()
	all[profile] = workedEntry{k.LastFour(), at.UTC().Truncate(time.Second)}
	_ = c.writeWorked(all)
}

func (c CLI) forgetWorked(profile string) {
	all := c.lastWorked()
	if _, ok := all[profile]; !ok {
		return
	}
	delete(all, profile)
	_ = c.writeWorked(all)
}

func (c CLI) writeWorked(all map[string]workedEntry) error {
	if c.State == "" {
		return errors.New("the state folder is unknown")
	}
	b, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return keystore.ReplaceFile(filepath.Join(c.State, workedFile), append(b, '\n'), 0o600)
}
