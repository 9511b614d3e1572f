package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// codeWords say what each exit code means.
var codeWords = map[Code]string{
	Done:          "done",
	Failed:        "failed; stderr says why",
	Usage:         "wrong arguments or configuration; nothing was requested",
	NoTerminal:    "no terminal that the console could use",
	Defect:        "a defect of paydesk; it says where its report is",
	Refused:       "refused by the service, or what was named is unknown",
	Unresolved:    "UNRESOLVED or a MISMATCH: look before anything is sent again",
	PaymentFailed: "the payment ended without success",
	NotFinal:      "the payment is not final, or was not in time; or the list changed while it was read",
	Duplicate:     "held back: it looks like a duplicate",
	Locked:        "locked: live is read-only here, or what the journal lost was not acknowledged",
}

// everyCommand are the codes that every command can end with.
var everyCommand = []Code{Done, Failed, Usage, Defect}

// endings are the further codes of each command, for its help.
var endings = map[string][]Code{
	"":                    {NoTerminal, Unresolved},
	"demo":                {NoTerminal, Unresolved},
	"sandbox":             {},
	"status":              {Refused, Unresolved, PaymentFailed, NotFinal},
	"transactions":        {Refused},
	"validate":            {Refused},
	"authenticate":        {Refused, Unresolved},
	"finalize":            {Refused, Unresolved, PaymentFailed, Duplicate, Locked},
	"collect":             {Refused, Unresolved, PaymentFailed, NotFinal, Duplicate, Locked},
	"link":                {},
	"link create":         {Refused, Unresolved, Duplicate, Locked},
	"link list":           {},
	"link show":           {Refused, Unresolved},
	"activity":            {},
	"activity show":       {Refused, Unresolved},
	"resolve":             {Refused},
	"case":                {Refused, Unresolved},
	"profile":             {},
	"profile list":        {},
	"profile show":        {},
	"profile add":         {},
	"profile use":         {},
	"profile delete":      {},
	"config":              {},
	"config path":         {},
	"config check":        {},
	"key":                 {},
	"key set":             {},
	"key show":            {},
	"key delete":          {},
	"doctor":              {},
	"bundle":              {},
	"journal":             {},
	"journal backup":      {},
	"journal restore":     {},
	"journal acknowledge": {Locked},
	"journal status":      {},
	"journal audit":       {Unresolved},
	"journal init":        {},
	"journal migrate":     {},
	"journal copy":        {},
	"journal key":         {},
	"journal key export":  {},
	"journal key import":  {},
	"webhook":             {},
	"webhook list":        {},
	"webhook show":        {Refused},
	"webhook replay":      {Refused},
	"webhook path":        {},
	"listen":              {},
	"help":                {},
	"completion":          {},
	"man":                 {},
}

// pathOf is the name of a command below paydesk: "link create".
func pathOf(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return below
}

// codesOf are the codes that a command can end with, in order.
func codesOf(c *cobra.Command) []Code {
	codes := slices.Concat(everyCommand, endings[pathOf(c)])
	slices.Sort(codes)
	return codes
}
