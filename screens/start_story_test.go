package screens_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// A slowSource has a key after a while, or none.
type slowSource struct {
	keystore.Store
	takes time.Duration
	err   error
}

func (s slowSource) Get(ctx context.Context, profile string) (keystore.Key, error) {
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return keystore.Key{}, ctx.Err()
	}
	if s.err != nil {
		return keystore.Key{}, s.err
	}
	return s.Store.Get(ctx, profile)
}

// reading are the options of a console whose key takes a while to read.
func reading(takes time.Duration, err error, more ...consoletest.Option) []consoletest.Option {
	store := slowSource{keystore.NewMemory("demo"), takes, err}
	return append(more, consoletest.Store(store), consoletest.As(func(p *keystore.Profile) { p.Source = "command" }))
}

func TestTheFirstFrameIsHomeWhileTheKeyIsRead(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("Home", "Loading payments…", "reading the key from the key command…", "Collect a payment", "SANDBOX").WaitsUntilGone("Waiting")
		c.Wait(600*time.Millisecond).Sees("Home", "…0042  ▐").WaitsUntilGone("reading the key")
	}, reading(500*time.Millisecond, nil)...)
}

func TestKeysThatArePressedBeforeTheKeyIsReadGoToTheScreensThatTheyAreFor(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c", "tab").Type("12.50").Press("enter").Sees("Home")
		c.Wait(time.Second).Sees("Collect", "● Channel", "12.50")
		c.Press("esc", "esc").Sees("Home")
	}, reading(900*time.Millisecond, nil)...)
}

func TestKeysThatWerePressedBeforeAQuestionAreNotItsAnswer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2", "3").Sees("Home")
		c.Wait(600*time.Millisecond).Sees("Secret key", "The vault is closed", "Type the key", "has been ignored")
		c.Pick("Type the key").Press("enter").Sees("Enter the key for this run only")
	}, reading(500*time.Millisecond, errors.New("the vault is closed"))...)
}

func TestASourceThatTakesLongSaysWhatItWaitsFor(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Wait(time.Second).Sees("Secret key", "Waiting for", "1 s of at most 10 s", "esc stops waiting", "has been ignored")
		c.Wait(4*time.Second).Sees("Home", "key demo …0042", "has been ignored").WaitsUntilGone("Waiting")
		c.Press("j").WaitsUntilGone("has been ignored")
	}, reading(4*time.Second, nil)...)
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wait(1100*time.Millisecond).Press("esc").Sees("was cancelled", "Type the key")
	}, reading(4*time.Second, nil)...)
}
