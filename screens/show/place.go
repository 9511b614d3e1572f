package show

import "strings"

// A Place is where a payment would be made: what every confirmation names.
type Place struct {
	Environment string // TEST, LIVE or SANDBOX
	Host        string
}

// Live reports whether real money would move.
func (p Place) Live() bool { return p.Environment == "LIVE" }

// String is "TEST · payments.example".
func (p Place) String() string { return strings.Trim(p.Environment+" · "+p.Host, " ·") }
