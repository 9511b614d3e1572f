package probe

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"paydesk/api"
)

const (
	maxSkew     = 2 * time.Minute // above this a notice is due (R49)
	expiresSoon = 21 * 24 * time.Hour
)

// An origin is one of the two, or both when they are the same.
type origin struct {
	line, address string // the name of its line in the profile, and what stands there
	proxyAddress  string // the proxy
	result        api.PingResult
	err           error
}

// checkOrigins reaches both at once and tells of them one after the other; reached says
// whether each was, by its line.
func checkOrigins(ctx context.Context, c api.Config) (all []Finding, reached map[string]bool) {
	list := []*origin{{line: "base_url", address: c.BaseURL}}
	if schemeAndHost(c.ListURL) != schemeAndHost(c.BaseURL) {
		list = append(list, &origin{line: "list_url", address: c.ListURL})
	}
	var each []func(context.Context)
	for _, o := range list {
		each = append(each, func(ctx context.Context) { o.ping(ctx, c) })
	}
	runAll(ctx, each)
	reached = map[string]bool{}
	for _, o := range list {
		all = append(all, o.proxyFinding())
		all = append(all, o.connectionFindings()...)
		reached[o.line] = o.err == nil
	}
	if len(list) == 1 {
		reached["list_url"] = reached["base_url"]
	}
	return append(all, clockFinding(list)), reached
}

func schemeAndHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

func (o *origin) ping(ctx context.Context, c api.Config) {
	if o.proxyAddress, o.err = api.ProxyFor(o.address); o.err == nil {
		o.result, o.err = api.Ping(ctx, c, o.address)
	}
}

// proxyFinding tells by which road an origin is asked (R57).
func (o *origin) proxyFinding() Finding {
	f := Finding{Name: "proxy of " + o.line, State: OK}
	switch {
	case o.proxyAddress != "":
		f.Words = "asked through the proxy " + o.proxyAddress + ", named in the environment (HTTPS_PROXY, NO_PROXY); it sees the name of the host, not the key"
	case strings.HasPrefix(o.address, "http://"):
		f.Words = "none: http is for this machine only"
	default:
		f.Words = "none is named for it in the environment (HTTPS_PROXY)"
	}
	return f
}

// connectionFindings tells whether an origin is reached, and then what of its encryption.
func (o *origin) connectionFindings() []Finding {
	reach := Finding{Name: "reach " + o.line, State: OK}
	safe := Finding{Name: "TLS of " + o.line, State: Skipped, Words: "not looked at, because there is no connection"}
	var f *api.Failure
	switch {
	case o.err == nil:
		reach.Words = fmt.Sprintf("%s answers (HTTP %d, asked without the key)", hostOnly(o.address), o.result.HTTP)
		return []Finding{reach, o.tlsFinding()}
	case errors.As(o.err, &f) && f.Kind == api.KindTLS:
		reach.Words = hostOnly(o.address) + " takes connections"
		safe.State, safe.Words, safe.Do = Failed, capitalize(f.Detail.Line(0))+".", tlsHint(f.Detail.Line(0), o.line)
		return []Finding{reach, safe}
	case errors.As(o.err, &f):
		reach.Words, reach.Do = hostOnly(o.address)+": "+errorText(f), o.hint(f)
	default:
		reach.Words = o.err.Error()
	}
	reach.State = Failed
	return []Finding{reach, safe}
}

// hostOnly is an address as a person names it.
func hostOnly(address string) string {
	_, rest, _ := strings.Cut(schemeAndHost(address), "://")
	return api.Clean(rest).Line(0)
}

func (o *origin) hint(f *api.Failure) string {
	switch {
	case o.proxyAddress != "":
		return "the proxy may not be reached, or may not let this host through: ask who runs it, or correct HTTPS_PROXY or NO_PROXY"
	case f.Kind == api.KindDNS:
		return "check the spelling of " + o.line + ", and that this host has a network and a name server"
	case f.Kind == api.KindConnect, f.Kind == api.KindTimeout:
		return "check the network and its firewall, whether a proxy is needed (HTTPS_PROXY), and " + o.line
	}
	return "check that " + o.line + " is the address of the service"
}

// tlsFinding tells of a certificate that was good.
func (o *origin) tlsFinding() Finding {
	f := Finding{Name: "TLS of " + o.line, State: OK}
	if o.result.TLS == "" {
		f.Words = "none: plain HTTP, which never leaves this machine"
		return f
	}
	left := time.Until(o.result.Until)
	f.Words = fmt.Sprintf("%s, certificate by %s, good for %d more days", o.result.TLS, o.result.Issuer.Line(80), int(left/(24*time.Hour)))
	if left < expiresSoon {
		f.State, f.Do = Warning, "tell who runs the service that its certificate ends on "+o.result.Until.UTC().Format(time.DateOnly)
	}
	return f
}

// tlsHints are what to do about what is wrong with an encryption, by a piece of its words.
var tlsHints = []struct{ words, do string }{
	{"has expired", "check the clock of this host; if it is right, tell who runs the service"},
	{"another name", "check that LINE names the host as its certificate does"},
	{"signed by itself", "check that LINE is right; a service with such a certificate, or a proxy that opens the encryption, is not to be trusted with a key"},
	{"nobody this machine trusts", "if a company's authority signs here, have it installed on this host (or named in SSL_CERT_FILE); otherwise somebody stands in between"},
	{"too old", "tell who runs the service; paydesk does not speak older versions"},
	{"does not speak TLS", "check the port in LINE; a plain HTTP server answers there"},
}

func tlsHint(words, line string) string {
	for _, c := range tlsHints {
		if strings.Contains(words, c.words) {
			return strings.ReplaceAll(c.do, "LINE", line)
		}
	}
	return "tell who runs the service; the key is not sent over this"
}

// clockFinding compares the clocks of the origins with ours (R49).
func clockFinding(list []*origin) Finding {
	f := Finding{Name: "clock", State: Skipped, Words: "not compared, because no answer told its time"}
	for _, o := range list {
		if o.err != nil || !o.result.HasAhead {
			continue
		}
		off := o.result.Ahead.Round(time.Second)
		switch {
		case off.Abs() <= maxSkew:
			if f.State == Skipped {
				f.State, f.Words = OK, fmt.Sprintf("within 2 minutes of the service's (%s)", skewText(off))
			}
		default:
			f.State, f.Words = Warning, fmt.Sprintf("the clock of %s is %s", hostOnly(o.address), skewText(off))
			f.Do = "set the clock of this host (timedatectl); times of expiry are shown corrected meanwhile"
		}
	}
	return f
}

func skewText(off time.Duration) string {
	switch {
	case off < 0:
		return off.Abs().String() + " behind this host's"
	case off > 0:
		return off.String() + " ahead of this host's"
	}
	return "not a second apart"
}

func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
