package ledger

import (
	"encoding/json"
	"time"
)

// Record returns an entry as it is kept, in JSON: texts as [api.Text.Stored], nothing of what is zero, and no lease,
// which ends by itself.
func (e Entry) Record() ([]byte, error) { return json.Marshal(e) }

// Recorded reads an entry that [Entry.Record] returned.
func Recorded(text []byte) (e Entry, err error) {
	err = json.Unmarshal(text, &e)
	for _, t := range []*time.Time{
		&e.At, &e.AnsweredAt, &e.DecidedAt, &e.StatusAt, &e.FinalizeUnresolvedAt,
		&e.Mismatch.At, &e.Mismatch.AgreesAt, &e.Mismatch.DecidedAt,
	} {
		if !t.IsZero() {
			*t = t.Local() // where it is shown
		}
	}
	return e, err
}
