package profile

import (
	"context"
	"errors"
	"os"
	"testing"

	"paydesk/screens/cli/command"
)

func TestInputThatFailsOrIsNotWaitedForIsReported(t *testing.T) {
	ended, stop := context.WithCancelCause(t.Context())
	stop(errors.New("stopped"))
	waiting, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for want, c := range map[string]struct {
		ctx context.Context
		in  *os.File
	}{"the input could not be read": {t.Context(), closed}, "stopped": {ended, waiting}} {
		if _, err := (Commands{command.New(command.Env{In: c.in})}).readPiped(c.ctx); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
