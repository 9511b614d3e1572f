package mirror

import (
	"errors"
	"fmt"

	"paydesk/api/statefile"
)

const (
	errMoved statefile.Reason = "The mirror was moved or deleted while it was written."
	errBusy  statefile.Reason = "A payment is being sent."
)

// ErrIncomplete is the error of a scan that did not reach the end of the list.
var ErrIncomplete = errors.New("Only a scan that reached the end of the list is kept.") //lint:ignore ST1005 a sentence for people

// ErrOlder is the error of a scan that ended before the last one that is kept.
var ErrOlder = errors.New("A newer scan is kept already, from another console.") //lint:ignore ST1005 a sentence for people

// A TooLarge is the error of a list whose rows alone do not fit below the limit.
type TooLarge struct {
	Rows  int
	Limit int64
}

// Error says so.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("%d rows do not fit below the mirror's limit of %s, so none of this scan is kept. Raise it in the profile: mirror = \"400 MB\".",
		t.Rows, Size(t.Limit))
}

// Size is a number of bytes in megabytes, rounded up.
func Size(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+MB-1)/MB) }

// unavailable explains an error of the file, unless it says itself what it is; nil stays nil.
func (m *Mirror) unavailable(err error) error {
	if _, is := errors.AsType[*TooLarge](err); is || errors.Is(err, ErrIncomplete) || errors.Is(err, ErrOlder) || errors.Is(err, errBusy) {
		return err
	}
	return statefile.Explain("mirror", m.path, err)
}
