package doctor

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"paydesk/api"
)

// roundLimit is the timeout of one request. There are four rounds of them.
const roundLimit = 5 * time.Second

// Network checks by safe GETs whether a configuration fits its service, in the order in which a person would. Without a
// key in c it skips the checks that need one. What it says contains nothing raw from a response, no proxy credentials, and
// never the key.
func Network(ctx context.Context, c api.Config) []Check {
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
	ctx, stop := context.WithTimeout(ctx, roundLimit)
	defer stop()
	return request(ctx, client)
}

// checkKeyAndPaths runs the checks that need the key. A rejected key is sent only once more, in
// another header: the service may lock the account after many rejections.
func checkKeyAndPaths(ctx context.Context, c api.Config, reached map[string]bool) []Check {
	accepted := Check{Name: "key accepted", State: Skipped}
	header := Check{Name: "key header", State: Skipped, Message: "not checked: the key was not accepted"}
	noPaths := "no key was accepted" // why the paths are not checked
	switch {
	case c.Key == nil || c.Key.Expose() == "":
		accepted.Message = "not checked: there is no key"
	case !reached["list_url"]:
		accepted.Message = "not checked: list_url was not reached"
	default:
		err := CheckKey(ctx, c)
		accepted.State, accepted.Message, accepted.Fix = judgeKey(err)
		noPaths = "the key was not accepted"
		switch {
		case err == nil:
			header.State, header.Message = OK, "the key was accepted in "+cmp.Or(c.KeyHeader, usualHeader)
			noPaths = "base_url was not reached"
		case api.KeyRejected(err):
			header = tryOtherHeader(ctx, c, header)
		}
	}
	all := []Check{accepted, header}
	if header.State == OK && reached["base_url"] {
		return append(all, checkPaths(ctx, c)...)
	}
	return append(all, pathsSkipped(noPaths)...)
}

// errorText is the text of an error, without the sentence that nothing was changed: no check
// changes anything.
func errorText(err error) string {
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return f.Cause()
	}
	return err.Error()
}

// judgeKey says what the answer to [CheckKey] means for the key, in the order of what people can mend:
// the key itself, the moment, the origin.
func judgeKey(err error) (state, words, do string) {
	var r *api.Refusal
	var f *api.Failure
	switch {
	case err == nil:
		return OK, "the service returned a page of transactions", ""
	case api.KeyRejected(err):
		return Failed, errorText(err), "store another key with paydesk key set; copy it from the dashboard of this environment"
	case api.Temporary(err):
		return Warning, errorText(err), "wait a while and try again"
	case errors.As(err, &r):
		return Failed, errorText(err), "check that list_url is the origin of the list endpoint"
	case errors.As(err, &f) && (f.Kind == api.KindNotJSON || f.Kind == api.KindSchema || f.Kind == api.KindRedirect):
		return Failed, errorText(err), "check that list_url is the origin of the list endpoint, and that no portal or proxy answers in its place"
	}
	return Failed, errorText(err), "the service or the network is in trouble: try again later"
}

// usualHeader carries the key where a profile does not name a header.
const usualHeader = "X-Api"

// tryOtherHeader sends the key once more, in the likeliest header after the configured one.
func tryOtherHeader(ctx context.Context, c api.Config, f Check) Check {
	mine, other := cmp.Or(c.KeyHeader, usualHeader), usualHeader
	if strings.EqualFold(mine, other) {
		other = "X-Api-Key"
	}
	c.KeyHeader = other
	if err := CheckKey(ctx, c); err == nil {
		f.State, f.Message = Failed, "the key was rejected in "+mine+" but accepted in "+other
		f.Fix = `add to the profile: key_header = "` + other + `"`
		return f
	}
	f.Message = "the key was rejected in both " + mine + " and " + other + "; if it is right, ask the service which header it expects (key_header)"
	return f
}
