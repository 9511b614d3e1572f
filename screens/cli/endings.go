package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// endings are the codes of each command for its help, beside 0, 1, 2 and 4, with which every command can end.
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
	"version":             {},
}

// pathOf is the name of a command below paydesk: "link create".
func pathOf(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return below
}
