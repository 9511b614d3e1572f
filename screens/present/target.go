package present

import (
	"strings"

	"paydesk/api/gate"
)

// A Target is where a payment would be made: what every confirmation names.
type Target struct {
	Environment string // TEST, LIVE or SANDBOX
	Host        string
	Gate        Gate // what may be closed against sending; nil where nothing is
}

// A Gate knows whether anything can be sent.
type Gate interface {
	// Check says why nothing can be sent now, nil when it can. It looks at the clock.
	Check() error
	// Live reports whether real money may move, whatever the environment is called.
	Live() bool
}

// DeclaredLive reports whether the profile says that real money would move.
func (p Target) DeclaredLive() bool { return gate.ModeOf(p.Environment) == gate.Live }

// Live reports whether real money would move, for all that is known.
func (p Target) Live() bool { return p.DeclaredLive() || p.Gate != nil && p.Gate.Live() }

// Closed says why nothing can be sent there now, "" when it can: what a confirmation asks
// before it takes a yes.
func (p Target) Closed() string {
	if p.Gate == nil {
		return ""
	}
	err := p.Gate.Check()
	if err == nil {
		return ""
	}
	t := Error(err, Reading)
	return strings.TrimSpace(t.What + " " + t.Next)
}

// String is "TEST · payments.example".
func (p Target) String() string { return strings.Trim(p.Environment+" · "+p.Host, " ·") }
