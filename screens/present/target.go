package present

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// A Target tells where a request would go: every confirmation names it.
type Target struct {
	Environment string // TEST, LIVE or SANDBOX
	Host        string
	Gate        Gate // nil if sending is never blocked
}

// A Gate decides whether anything can be sent.
type Gate interface {
	// Check returns why nothing can be sent now, or nil. It reads the clock.
	Check() error
	// Live reports whether real money may move, whatever the profile declares.
	Live() bool
}

// DeclaredLive reports whether the profile declares a live environment.
func (t Target) DeclaredLive() bool { return api.ModeOf(t.Environment) == api.LiveMode }

// Live reports whether real money may move, by the profile or by any other evidence.
func (t Target) Live() bool { return t.DeclaredLive() || t.Gate != nil && t.Gate.Live() }

// Closes returns what a confirmation that is asked now checks before it accepts a yes: [Target.Closed], and that no real money
// has come to be at stake since, for which more has to be typed.
func (t Target) Closes() func() string {
	live := t.Live()
	return func() string {
		if !live && t.Live() {
			return "Real money may move now: leave with esc and ask again."
		}
		return t.Closed()
	}
}

// Closed says why nothing can be sent there now, and what to do about it; "" when it can be.
func (t Target) Closed() string {
	if t.Gate == nil {
		return ""
	}
	err := t.Gate.Check()
	if err == nil {
		return ""
	}
	p := Error(err, Reading)
	return strings.TrimSpace(p.What + " " + p.Next)
}

// String is "TEST · payments.example".
func (t Target) String() string { return strings.Trim(t.Environment+" · "+t.Host, " ·") }

// Elsewhere words in what a destination differs from the one that is connected, "" when in
// nothing: such an attempt may be one of this service that was sent under another name.
func Elsewhere(here, there ledger.Destination) string {
	var from, through string
	if there.Profile != "" && there.Profile != here.Profile {
		from = "from profile " + Plain(there.Profile)
	}
	address := here.HasSameAddress(there)
	switch {
	case !here.IsSameService(there):
		through = "to another service (" + Target{Environment: Plain(there.Environment), Host: Plain(there.Host)}.String() + ")"
	case !address:
		through = "through another address (" + Plain(there.Host) + ") with the same key"
	case here.HasOtherKey(there):
		through = "with another key to the same address"
	}
	return JoinWords(", ", from, through)
}

// evidenceSources are the words for the sources of evidence.
var evidenceSources = map[session.EvidenceSource]string{
	session.ByProfile: "The profile declares", session.ByKey: "The key prefix is for",
	session.ByHost: "The payment host is", session.ByList: "The list host is", session.ByLink: "A new link was made in",
}

// Evidence words what one source says about the environment: the source, what it says, and what that means.
func Evidence(e session.Evidence) (source, word, means string) {
	means = "proves nothing"
	switch e.Says {
	case api.LiveMode:
		means = "live"
	case api.TestMode:
		means = "not live"
	}
	return evidenceSources[e.By], Plain(cmp.Or(e.Word, "nothing")), means
}
