package probe

import (
	"context"
	"errors"
	"strings"

	"paydesk/api"
)

// checkKeyAndPaths are those that need the key. A key that is turned away is shown to the
// service once more at most, under another header: many refusals may lock an account
// (R76).
func checkKeyAndPaths(ctx context.Context, c api.Config, reached map[string]bool) []Finding {
	accepted := Finding{Name: KeyAccepted, State: Skipped}
	header := Finding{Name: "key header", State: Skipped, Words: "not asked, because the key was not accepted"}
	switch {
	case c.Key == nil || c.Key.Expose() == "":
		accepted.Words = "not asked, because there is no key to ask with"
	case !reached["list_url"]:
		accepted.Words = "not asked, because list_url was not reached"
	default:
		return checkAccepted(ctx, c, reached, accepted, header)
	}
	return append([]Finding{accepted, header}, pathsSkipped("there was no accepted key to ask with")...)
}

func checkAccepted(ctx context.Context, c api.Config, reached map[string]bool, accepted, header Finding) []Finding {
	err := CheckKey(ctx, c)
	accepted.State, accepted.Words, accepted.Do = judgeKey(err)
	switch {
	case err == nil:
		header.State, header.Words = OK, headerOf(c)+": the key was accepted in it"
	case api.KeyRejected(err):
		header = tryOtherHeader(ctx, c, header)
	}
	all := []Finding{accepted, header}
	switch {
	case err != nil:
		return append(all, pathsSkipped("the key was not accepted")...)
	case !reached["base_url"]:
		return append(all, pathsSkipped("base_url was not reached")...)
	}
	return append(all, checkPaths(ctx, c)...)
}

// errorText is an error in its own words, without the promise that nothing was done, which
// goes without saying here.
func errorText(err error) string {
	return strings.TrimSuffix(err.Error(), " Nothing was done; it may be asked again.")
}

func judgeKey(err error) (state, words, do string) {
	var r *api.Refusal
	var f *api.Failure
	switch {
	case err == nil:
		return OK, "the service answered one page of the list", ""
	case api.KeyRejected(err):
		return Failed, errorText(err), "paydesk key set stores another key; take it from the dashboard of this environment"
	case api.Temporary(err):
		return Warning, errorText(err), "wait a while, and ask again"
	case errors.As(err, &r):
		return Failed, errorText(err), "check that list_url is the origin of the list"
	case errors.As(err, &f) && (f.Kind == api.KindNotJSON || f.Kind == api.KindSchema || f.Kind == api.KindHTTP && f.HTTP/100 == 3):
		return Failed, errorText(err), "check that list_url is the origin of the list, and that no portal or proxy answers in its place"
	}
	return Failed, errorText(err), "the service is in trouble, or the network: ask again later"
}

const usualHeader = "X-Api"

func headerOf(c api.Config) string {
	if c.KeyHeader == "" {
		return usualHeader
	}
	return c.KeyHeader
}

// tryOtherHeader asks once more with the name that is likeliest after the configured one.
func tryOtherHeader(ctx context.Context, c api.Config, f Finding) Finding {
	mine, other := headerOf(c), usualHeader
	if strings.EqualFold(mine, other) {
		other = "X-Api-Key"
	}
	c.KeyHeader = other
	if err := CheckKey(ctx, c); err == nil {
		f.State, f.Words = Failed, "the key is not accepted in "+mine+", but it is in "+other
		f.Do = `write into the profile: key_header = "` + other + `"`
		return f
	}
	f.Words = "the key was accepted neither in " + mine + " nor in " + other + "; if it is right, ask for the name of the header (key_header)"
	return f
}
