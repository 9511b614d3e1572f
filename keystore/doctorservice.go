package keystore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/text"
)

const expiresSoon = 21 * 24 * time.Hour

// An origin is one of the two configured origins, or both when they are the same.
type origin struct {
	line, address string // its setting in the profile, and the value
	proxyAddress  string // "" without a proxy
	result        api.PingResult
	err           error
}

// checkOrigins connects to both origins at the same time and reports on one after the other.
// It tells whether base_url and list_url were reached.
func checkOrigins(ctx context.Context, c api.Config) (all []Finding, base, listed bool) {
	list := []*origin{{line: "base_url", address: c.BaseURL}}
	if originOf(c.ListURL) != originOf(c.BaseURL) {
		list = append(list, &origin{line: "list_url", address: c.ListURL})
	}
	var pings sync.WaitGroup
	for _, o := range list {
		pings.Go(func() { o.ping(ctx, c) })
	}
	pings.Wait()
	for _, o := range list {
		all = append(all, o.proxyFinding())
		all = append(all, o.connectionFindings()...)
	}
	return append(all, clockFinding(list)), list[0].err == nil, list[len(list)-1].err == nil
}

// ping connects as the client would, through the same proxy, but without the key: it is not known yet
// who answers.
func (o *origin) ping(ctx context.Context, c api.Config) {
	ctx, stop := context.WithTimeout(ctx, roundLimit)
	defer stop()
	if o.proxyAddress, o.err = api.ProxyFor(o.address); o.err == nil {
		o.result, o.err = api.Ping(ctx, c, o.address)
	}
}

// proxyFinding reports through which proxy an origin is reached.
func (o *origin) proxyFinding() Finding {
	f := Finding{Name: "proxy of " + o.line, State: OK}
	switch {
	case o.proxyAddress != "":
		f.Message = "reached through the proxy " + o.proxyAddress + " from the environment (HTTPS_PROXY, NO_PROXY); it sees the host name, not the key"
	case strings.HasPrefix(o.address, "http://"):
		f.Message = "none: plain HTTP is only used on this machine"
	default:
		f.Message = "none is set in the environment (HTTPS_PROXY)"
	}
	return f
}

// connectionFindings reports whether an origin can be reached, and then on its TLS.
func (o *origin) connectionFindings() []Finding {
	reach := Finding{Name: "reach " + o.line, State: OK}
	safe := Finding{Name: "TLS of " + o.line, State: Skipped, Message: "not checked: there is no connection"}
	var f *api.Failure
	switch {
	case o.err == nil:
		reach.Message = fmt.Sprintf("%s answers (HTTP %d, without the key)", hostOnly(o.address), o.result.HTTP)
		return []Finding{reach, o.tlsFinding()}
	case errors.As(o.err, &f) && f.Kind == api.KindTLS:
		reach.Message = hostOnly(o.address) + " accepts connections"
		safe.State, safe.Message, safe.Fix = Failed, text.Capital(f.Detail.Line(0))+".", tlsHint(f.Detail.Line(0), o.line)
		return []Finding{reach, safe}
	case errors.As(o.err, &f):
		reach.Message, reach.Fix = hostOnly(o.address)+": "+errorText(f), o.hint(f)
	default:
		reach.Message = o.err.Error()
	}
	reach.State = Failed
	return []Finding{reach, safe}
}

// hostOnly is the host and port of a URL, for display.
func hostOnly(address string) string {
	_, rest, _ := strings.Cut(originOf(address), "://")
	return api.Clean(rest).Line(0)
}

// hint returns what to do when an origin cannot be reached. A proxy comes first, because the failure tells
// nothing about what lies behind it.
func (o *origin) hint(f *api.Failure) string {
	switch {
	case o.proxyAddress != "":
		return "the proxy may be down, or may not allow this host: ask its operator, or correct HTTPS_PROXY or NO_PROXY"
	case f.Kind == api.KindDNS:
		return "check the spelling of " + o.line + ", and that this machine has a network and a name server"
	case f.Kind == api.KindConnect, f.Kind == api.KindTimeout:
		return "check the network and its firewall, whether a proxy is needed (HTTPS_PROXY), and " + o.line
	}
	return "check that " + o.line + " is the URL of the service"
}

// tlsFinding reports on a valid certificate.
func (o *origin) tlsFinding() Finding {
	f := Finding{Name: "TLS of " + o.line, State: OK}
	if o.result.TLS == "" {
		f.Message = "none: plain HTTP never leaves this machine"
		return f
	}
	left := time.Until(o.result.Until)
	f.Message = fmt.Sprintf("%s, certificate by %s, valid for %d more days", o.result.TLS, o.result.Issuer.Line(80), int(left/(24*time.Hour)))
	if left < expiresSoon {
		f.State, f.Fix = Warning, "tell the operator of the service that its certificate expires on "+o.result.Until.UTC().Format(time.DateOnly)
	}
	return f
}

// tlsHints are the remedies for TLS errors, by part of the error text.
var tlsHints = []struct{ words, do string }{
	{"has expired", "check the clock of this machine; if it is right, tell the operator of the service"},
	{"another host name", "check that LINE names the host as its certificate does"},
	{"self-signed", "check that LINE is right; do not trust a key to a service with such a certificate, or to a proxy that breaks the encryption"},
	{"authority this machine does not trust", "if your company runs its own CA, install it on this machine (or name it in SSL_CERT_FILE or ca_file); otherwise the connection may be intercepted"},
	{"older than 1.2", "tell the operator of the service; paydesk does not support older versions"},
	{"does not speak TLS", "check the port in LINE; a plain HTTP server answers there"},
}

// tlsHint is the remedy for a TLS error, with the name of the setting in place of LINE.
func tlsHint(words, line string) string {
	for _, c := range tlsHints {
		if strings.Contains(words, c.words) {
			return strings.ReplaceAll(c.do, "LINE", line)
		}
	}
	return "tell the operator of the service; the key is not sent over this connection"
}

// clockFinding compares the clocks of the origins with ours.
func clockFinding(list []*origin) Finding {
	f := Finding{Name: "clock", State: Skipped, Message: "not checked: no response contained the time"}
	for _, o := range list {
		if o.err != nil || !o.result.HasAhead {
			continue
		}
		off := o.result.Ahead.Round(time.Second)
		switch {
		case off.Abs() <= api.MaxSkew && f.State == Skipped:
			f.State, f.Message = OK, fmt.Sprintf("within 2 minutes of the service's (%s)", skewText(off))
		case off.Abs() > api.MaxSkew:
			f.State, f.Message = Warning, fmt.Sprintf("the clock of %s is %s", hostOnly(o.address), skewText(off))
			f.Fix = "set the clock of this machine (timedatectl); until then, expiry times are shown corrected"
		}
	}
	return f
}

// skewText describes how far another clock is ahead of ours.
func skewText(off time.Duration) string {
	switch {
	case off < 0:
		return off.Abs().String() + " behind this machine's"
	case off > 0:
		return off.String() + " ahead of this machine's"
	}
	return "less than a second apart"
}

// roundLimit is the timeout of one request. There are four rounds of them.
const roundLimit = 5 * time.Second

// CheckNetwork checks by safe GETs whether a configuration fits its service, in the order in which a person would. Without a
// key in c it skips the checks that need one. What it says contains nothing raw from a response, no proxy credentials, and
// never the key.
func CheckNetwork(ctx context.Context, c api.Config) []Finding {
	all, base, listed := checkOrigins(ctx, c)
	return append(all, checkKeyAndPaths(ctx, c, base, listed)...)
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
func checkKeyAndPaths(ctx context.Context, c api.Config, base, listed bool) []Finding {
	accepted := Finding{Name: "key accepted", State: Skipped}
	header := Finding{Name: "key header", State: Skipped, Message: "not checked: the key was not accepted"}
	noPaths := "no key was accepted" // why the paths are not checked
	switch {
	case c.Key == nil || c.Key.Expose() == "":
		accepted.Message = "not checked: there is no key"
	case !listed:
		accepted.Message = "not checked: list_url was not reached"
	default:
		err := CheckKey(ctx, c)
		accepted.State, accepted.Message, accepted.Fix = judgeKey(err)
		noPaths = "the key was not accepted"
		switch {
		case err == nil:
			header.State, header.Message = OK, "the key was accepted in "+cmp.Or(c.KeyHeader, api.DefaultKeyHeader)
			noPaths = "base_url was not reached"
		case api.KeyRejected(err):
			header = tryOtherHeader(ctx, c, header)
		}
	}
	all := []Finding{accepted, header}
	if header.State == OK && base {
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

// tryOtherHeader sends the key once more, in the likeliest header after the configured one.
func tryOtherHeader(ctx context.Context, c api.Config, f Finding) Finding {
	mine, other := cmp.Or(c.KeyHeader, api.DefaultKeyHeader), api.DefaultKeyHeader
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
