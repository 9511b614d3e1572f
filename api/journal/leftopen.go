package journal

import (
	"context"
	"slices"

	"paydesk/api/ledger"
)

// LeftOpen returns what was sent through j since [New] and is unresolved, or was not answered yet, and
// then the payments of this process with a mismatch, each oldest first. What a person has decided since,
// at any console, is not among them. An attempt that cannot be read counts as open.
func (j *Journal) LeftOpen(ctx context.Context) (open []ledger.Attempt) {
	j.sending.Lock()
	sent := slices.Clone(j.sent)
	j.sending.Unlock()
	for _, a := range sent {
		now, err := j.Attempt(ctx, a.ID)
		if err != nil || now.Outcome == ledger.Sent || now.IsUnresolved() {
			open = append(open, a)
		}
	}
	differ, _ := ask(ctx, j, func(t *readTx) ([]ledger.Attempt, error) {
		rows, err := t.attempts("WHERE mismatch <> 0 AND mismatch_verdict = '' ORDER BY at")
		return t.toAttempts(slices.DeleteFunc(rows, func(r ledger.Entry) bool { return r.Sender != j.self })), err
	})
	return append(open, differ...)
}

// noteSent remembers an attempt that is about to be sent, for [Journal.LeftOpen].
func (j *Journal) noteSent(a ledger.Attempt) {
	j.sending.Lock()
	defer j.sending.Unlock()
	j.sent = append(j.sent, a)
}

// noteEnd forgets an attempt once its outcome is known, whether or not that could be written.
func (j *Journal) noteEnd(id ledger.ID, o ledger.Outcome) {
	if !ledger.IsKnown(o) {
		return
	}
	j.sending.Lock()
	defer j.sending.Unlock()
	j.sent = slices.DeleteFunc(j.sent, func(a ledger.Attempt) bool { return a.ID == id })
}
