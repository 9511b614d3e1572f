// Package probe checks by safe GETs whether a configuration fits a service.
//
//   - origins.go: can the two origins be reached, through which proxy, is their TLS valid, is our
//     clock right;
//   - key.go: is the key accepted, and is it sent in the right header;
//   - paths.go: are the two paths right that the specification leaves open.
//
// Findings are texts for people. They contain nothing raw from a response, no proxy credentials,
// and never the key.
package probe

import (
	"context"
	"time"

	"paydesk/api"
)

// A Finding is the result of one check.
type Finding struct {
	Name  string
	State string // OK, Warning, Failed or Skipped
	Words string // what was found
	Do    string // how to fix it; "" when there is nothing to fix
}

// The states of a finding.
const (
	OK      = "ok"
	Warning = "warning"
	Failed  = "failed"
	Skipped = "skipped"
)

// limit is the timeout of one check. There are four rounds of checks.
const limit = 5 * time.Second

// Run runs all checks, in the order in which a person would. Without a key in c it skips the checks
// that need one.
func Run(ctx context.Context, c api.Config) []Finding {
	all, reached := checkOrigins(ctx, c)
	return append(all, checkKeyAndPaths(ctx, c, reached)...)
}

// CheckKey requests one row of the list with the key of c, once. nil means that the key is
// accepted; other errors are [*api.Refusal] and [*api.Failure].
func CheckKey(ctx context.Context, c api.Config) error {
	return ask(ctx, c, func(ctx context.Context, client *api.Client) error {
		_, err := client.Transactions(ctx, 1, 1)
		return err
	})
}

// ask sends one request with a client of its own: once, so that a check neither takes longer nor
// tries a key more often than it says.
func ask(ctx context.Context, c api.Config, request func(context.Context, *api.Client) error) error {
	c.Retries = -1
	client, err := api.New(c)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	return request(ctx, client)
}
