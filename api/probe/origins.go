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
	skewed = 2 * time.Minute // above this a notice is due (R49)
	soon   = 21 * 24 * time.Hour
)

// An origin is one of the two, or both when they are the same.
type origin struct {
	line, address string // the name of its line in the profile, and what stands there
	through       string // the proxy
	contact       api.PingResult
	err           error
}

// origins reaches both at once and tells of them one after the other; reached says
// whether each was, by its line.
func origins(ctx context.Context, c api.Config) (all []Finding, reached map[string]bool) {
	list := []*origin{{line: "base_url", address: c.BaseURL}}
	if host(c.ListURL) != host(c.BaseURL) {
		list = append(list, &origin{line: "list_url", address: c.ListURL})
	}
	var each []func(context.Context)
	for _, o := range list {
		each = append(each, func(ctx context.Context) { o.reach(ctx, c) })
	}
	every(ctx, each)
	reached = map[string]bool{}
	for _, o := range list {
		all = append(all, o.proxy())
		all = append(all, o.connection()...)
		reached[o.line] = o.err == nil
	}
	if len(list) == 1 {
		reached["list_url"] = reached["base_url"]
	}
	return append(all, clock(list)), reached
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

func (o *origin) reach(ctx context.Context, c api.Config) {
	if o.through, o.err = api.ProxyFor(o.address); o.err == nil {
		o.contact, o.err = api.Ping(ctx, c, o.address)
	}
}

// proxy tells by which road an origin is asked (R57).
func (o *origin) proxy() Finding {
	f := Finding{Name: "proxy of " + o.line, State: OK}
	switch {
	case o.through != "":
		f.Words = "asked through the proxy " + o.through + ", named in the environment (HTTPS_PROXY, NO_PROXY); it sees the name of the host, not the key"
	case strings.HasPrefix(o.address, "http://"):
		f.Words = "none: http is for this machine only"
	default:
		f.Words = "none is named for it in the environment (HTTPS_PROXY)"
	}
	return f
}

// connection tells whether an origin is reached, and then what of its encryption.
func (o *origin) connection() []Finding {
	reach := Finding{Name: "reach " + o.line, State: OK}
	safe := Finding{Name: "TLS of " + o.line, State: Skipped, Words: "not looked at, because there is no connection"}
	var f *api.Failure
	switch {
	case o.err == nil:
		reach.Words = fmt.Sprintf("%s answers (HTTP %d, asked without the key)", hostOnly(o.address), o.contact.HTTP)
		return []Finding{reach, o.encryption()}
	case errors.As(o.err, &f) && f.Kind == api.KindTLS:
		reach.Words = hostOnly(o.address) + " takes connections"
		safe.State, safe.Words, safe.Do = Failed, capital(f.Detail.Line(0))+".", cure(f.Detail.Line(0), o.line)
		return []Finding{reach, safe}
	case errors.As(o.err, &f):
		reach.Words, reach.Do = hostOnly(o.address)+": "+said(f), o.remedy(f)
	default:
		reach.Words = o.err.Error()
	}
	reach.State = Failed
	return []Finding{reach, safe}
}

// hostOnly is an address as a person names it.
func hostOnly(address string) string {
	_, rest, _ := strings.Cut(host(address), "://")
	return api.Clean(rest).Line(0)
}

func (o *origin) remedy(f *api.Failure) string {
	switch {
	case o.through != "":
		return "the proxy may not be reached, or may not let this host through: ask who runs it, or correct HTTPS_PROXY or NO_PROXY"
	case f.Kind == api.KindDNS:
		return "check the spelling of " + o.line + ", and that this host has a network and a name server"
	case f.Kind == api.KindConnect, f.Kind == api.KindTimeout:
		return "check the network and its firewall, whether a proxy is needed (HTTPS_PROXY), and " + o.line
	}
	return "check that " + o.line + " is the address of the service"
}

// encryption tells of a certificate that was good.
func (o *origin) encryption() Finding {
	f := Finding{Name: "TLS of " + o.line, State: OK}
	if o.contact.TLS == "" {
		f.Words = "none: plain HTTP, which never leaves this machine"
		return f
	}
	left := time.Until(o.contact.Until)
	f.Words = fmt.Sprintf("%s, certificate by %s, good for %d more days", o.contact.TLS, o.contact.Issuer.Line(80), int(left/(24*time.Hour)))
	if left < soon {
		f.State, f.Do = Warning, "tell who runs the service that its certificate ends on "+o.contact.Until.UTC().Format(time.DateOnly)
	}
	return f
}

// cures are what to do about what is wrong with an encryption, by a piece of its words.
var cures = []struct{ words, do string }{
	{"has expired", "check the clock of this host; if it is right, tell who runs the service"},
	{"another name", "check that LINE names the host as its certificate does"},
	{"signed by itself", "check that LINE is right; a service with such a certificate, or a proxy that opens the encryption, is not to be trusted with a key"},
	{"nobody this machine trusts", "if a company's authority signs here, have it installed on this host (or named in SSL_CERT_FILE); otherwise somebody stands in between"},
	{"too old", "tell who runs the service; paydesk does not speak older versions"},
	{"does not speak TLS", "check the port in LINE; a plain HTTP server answers there"},
}

func cure(words, line string) string {
	for _, c := range cures {
		if strings.Contains(words, c.words) {
			return strings.ReplaceAll(c.do, "LINE", line)
		}
	}
	return "tell who runs the service; the key is not sent over this"
}

// clock compares the clocks of the origins with ours (R49).
func clock(list []*origin) Finding {
	f := Finding{Name: "clock", State: Skipped, Words: "not compared, because no answer told its time"}
	for _, o := range list {
		if o.err != nil || !o.contact.HasAhead {
			continue
		}
		off := o.contact.Ahead.Round(time.Second)
		switch {
		case off.Abs() <= skewed:
			if f.State == Skipped {
				f.State, f.Words = OK, fmt.Sprintf("within 2 minutes of the service's (%s)", apart(off))
			}
		default:
			f.State, f.Words = Warning, fmt.Sprintf("the clock of %s is %s", hostOnly(o.address), apart(off))
			f.Do = "set the clock of this host (timedatectl); times of expiry are shown corrected meanwhile"
		}
	}
	return f
}

func apart(off time.Duration) string {
	switch {
	case off < 0:
		return off.Abs().String() + " behind this host's"
	case off > 0:
		return off.String() + " ahead of this host's"
	}
	return "not a second apart"
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
