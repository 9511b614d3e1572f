// Package probe asks a service, by safe GETs alone, whether a configuration fits it.
//
//   - origins.go: are the two origins reached, by which proxy, is their encryption
//     good, is our clock right;
//   - key.go: is the key accepted, and is the header it goes in the right one;
//   - paths.go: are the two paths that the specification does not show right.
//
// What is found is said in words: nothing raw from an answer, no address of a proxy
// with its credentials, and never the key is in them.
package probe

import (
	"context"
	"time"

	"paydesk/api"
)

// A Finding is one thing that was looked at.
type Finding struct {
	Name  string
	State string // OK, Warning, Failed or Skipped
	Words string // what was found
	Do    string // what to do about it; "" when there is nothing to do
}

// The states of a finding.
const (
	OK      = "ok"
	Warning = "warning"
	Failed  = "failed"
	Skipped = "skipped"
)

// KeyAccepted is the name of the finding that the service takes the key, or does not.
const KeyAccepted = "key accepted"

// limit is how long one question waits: there are four rounds of them.
const limit = 5 * time.Second

// Run looks at everything, in the order in which a person would. Without a key in c
// what needs one is skipped.
func Run(ctx context.Context, c api.Config) []Finding {
	c.Retries = -1 // what is seen is what happened once
	all, reached := checkOrigins(ctx, c)
	return append(all, checkKeyAndPaths(ctx, c, reached)...)
}

// CheckKey asks for one row of the list with the key of c, once. nil means that the key is
// accepted; other errors are [*api.Refusal] and [*api.Failure].
func CheckKey(ctx context.Context, c api.Config) error {
	c.Retries = -1
	client, err := api.New(c)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	_, err = client.Transactions(ctx, 1, 1)
	return err
}

// runAll runs all at once, with a limit of time for each.
func runAll(ctx context.Context, all []func(context.Context)) {
	done := make(chan struct{})
	for _, one := range all {
		go func() {
			ctx, stop := context.WithTimeout(ctx, limit)
			defer stop()
			one(ctx)
			done <- struct{}{}
		}()
	}
	for range all {
		<-done
	}
}
