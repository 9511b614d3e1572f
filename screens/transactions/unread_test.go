package transactions

import (
	"errors"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

const journalUnread = "The journal could not be read: a payment marked ? may have a mismatch."

func TestNoSuccessIsShownWhileTheJournalCannotBeRead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		l.breakJournal(errors.New("disk I/O error"))
		c := scanning(t, l, 0, 80, 24)
		c.Sees("? SUCCESSFUL", "The journal could not be read").WaitsUntilGone("✓ ").Fits()
		l.breakJournal(nil)
		c.Press("r").Wait(time.Minute).Sees("✓ SUCCESSFUL").WaitsUntilGone("journal", "? SUCCESSFUL")
		l.breakJournal(errors.New("disk I/O error"))
		c.Press("r").Wait(time.Minute).Sees("? SUCCESSFUL", "The journal could not be read").WaitsUntilGone("✓ ")
	})
}

func TestNoSuccessIsShownInAScanWhileTheJournalCannotBeRead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		l.breakJournal(errors.New("disk I/O error"))
		c := scanning(t, l, 0, 80, 24)
		l.differ(map[api.Reference]ledger.Mismatch{"txn_0007": {Difference: api.Difference{What: api.AmountDiffers}}}, 0)
		c.Press("space").Wait(time.Minute).Sees("All 1,204 rows read", "? SUCCESSFUL", "≠", journalUnread).WaitsUntilGone("✓ ").Fits()
		l.breakJournal(nil)
		c.Press("down").Wait(time.Minute).Sees("✓ SUCCESSFUL", "≠").WaitsUntilGone("journal", "? SUCCESSFUL")
	})
}
