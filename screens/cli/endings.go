package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// everyCommand are the codes that every command can end with.
var everyCommand = []Code{Done, Failed, Usage, Defect}

// endings are the further codes of the commands that have some, for their help.
var endings = map[string][]Code{
	"":                    {NoTerminal, Unresolved},
	"demo":                {NoTerminal, Unresolved},
	"status":              {Refused, Unresolved, PaymentFailed, NotFinal},
	"transactions":        {Refused, NotFinal},
	"validate":            {Refused},
	"authenticate":        {Refused, Unresolved},
	"finalize":            {Refused, Unresolved, PaymentFailed, Duplicate, Locked},
	"collect":             {Refused, Unresolved, PaymentFailed, NotFinal, Duplicate, Locked},
	"link create":         {Refused, Unresolved, Duplicate, Locked},
	"link show":           {Refused, Unresolved},
	"activity show":       {Refused, Unresolved},
	"resolve":             {Refused},
	"case":                {Refused, Unresolved},
	"journal acknowledge": {Locked},
	"journal audit":       {Unresolved},
	"webhook show":        {Refused},
	"webhook replay":      {Refused},
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
