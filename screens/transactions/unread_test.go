package transactions

import (
	"errors"
	"testing"
	"time"
)

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
