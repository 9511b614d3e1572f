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

// A workedEntry is when a key was last seen to work. The key is told by its last four only,
// so that a key that was replaced elsewhere is not taken for it.
type workedEntry struct {
	LastFour string    `json:"lastFour"`
	Time     time.Time `json:"time"`
}

const (
	workedFile    = "keys.json" // in the state folder
	maxWorkedFile = 64 << 10
)

// lastWorked are all that is noted, by profile. What cannot be read is as good as nothing.
func (d CLI) lastWorked() map[string]workedEntry {
	all := map[string]workedEntry{}
	if d.State == "" {
		return all
	}
	f, err := os.Open(filepath.Join(d.State, workedFile))
	if err != nil {
		return all
	}
	defer f.Close()
	if b, err := io.ReadAll(io.LimitReader(f, maxWorkedFile)); err != nil || json.Unmarshal(b, &all) != nil || all == nil {
		return map[string]workedEntry{}
	}
	return all
}

// workedAt says when a key was last seen to work.
func (d CLI) workedAt(profile string, k keystore.Key) (time.Time, bool) {
	t, ok := d.lastWorked()[profile]
	return t.Time, ok && t.LastFour != "" && t.LastFour == k.LastFour() && !t.Time.IsZero()
}

// recordWorked notes that a key works. Where that cannot be written nothing is lost but the
// note, so nobody is told.
func (d CLI) recordWorked(profile string, k keystore.Key, at time.Time) {
	if k.LastFour() == "" {
		return
	}
	all := d.lastWorked()
	all[profile] = workedEntry{k.LastFour(), at.UTC().Truncate(time.Second)}
	_ = d.writeWorked(all)
}

func (d CLI) forgetWorked(profile string) {
	all := d.lastWorked()
	if _, ok := all[profile]; !ok {
		return
	}
	delete(all, profile)
	_ = d.writeWorked(all)
}

// writeWorked replaces the file in one step (R75).
func (d CLI) writeWorked(all map[string]workedEntry) error {
	if d.State == "" {
		return errors.New("there is no folder for it")
	}
	b, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.State, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(d.State, ".keys-*") // made with 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(d.State, workedFile))
}
