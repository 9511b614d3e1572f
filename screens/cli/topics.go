package cli

import (
	"embed"
	"fmt"
	"strings"

	"paydesk/api"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/shape"
)

// A topic is help about something that concerns several commands.
type topic struct {
	name, short string
	text        func() string
}

// topics are in the order of the help.
var topics = []topic{
	{"configuration", "Profiles, settings, key, variables and folders", manualText("configuration")},
	{"console", "Screens, keys, live profiles and terminals", manualText("console")},
	{"safety", "What is guarded, and what to do when something fails", manualText("safety")},
	{"journal", "Records, backups, and a team's journal", manualText("journal")},
	{"query", "The language of every search", manualText("query")},
	{"webhooks", "What a webhook is worth, and how it gets here", manualText("webhooks")},
	{"sandbox", "The service on this machine, and its faults", manualText("sandbox")},
	{"exit-codes", "What each exit code means", exitCodeTopic},
	{"json", "The objects of --json; help json OBJECT for one", jsonTopic},
}

// manualFiles are the texts of topics in which nothing is computed. Empty lines separate their paragraphs; one that
// begins with a blank is kept as it is.
//
//go:embed manual/*.txt
var manualFiles embed.FS

// manualText is the text of a topic. It is always there: it is part of the program.
func manualText(name string) func() string {
	return func() string {
		text, err := manualFiles.ReadFile("manual/" + name + ".txt")
		if err != nil {
			panic(err)
		}
		return string(text)
	}
}

// Topics are the names of the topics of help, in their order.
func Topics() (names []string) {
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}

// topicNamed is the topic that the arguments of help name, or an object of the topic json.
func topicNamed(args []string) (topic, bool) {
	for _, t := range topics {
		if len(args) == 1 && args[0] == t.name {
			return t, true
		}
	}
	if len(args) == 2 && args[0] == "json" {
		text := shape.Described(args[1])
		return topic{text: func() string { return text }}, text != ""
	}
	return topic{}, false
}

func topicEntries() (all []entry) {
	for _, t := range topics {
		all = append(all, entry{"help " + t.name, t.short})
	}
	return all
}

func topicText(t topic, width int) string {
	h := helpText{width: width}
	h.paragraphs(t.text())
	return h.String()
}

func exitCodeTopic() string {
	return "How paydesk ends, for scripts. With --json the last line is " + string(shape.RefusalSchema) + `: the reason as its code, what
happened, what was sent and what to do next.

` + reasonLines() + `

Of several references the gravest code counts: 6 before 10, 9, 2, 1, 5, 7 and 8. status ends with 8 while a payment is
not final.

Send again only after 2, 5, 9 and 10, and after "Nothing was sent" on stderr. After 6 look first, with
paydesk status, transactions or activity, and record what you found with paydesk resolve.`
}

// reasonLines are the exit codes with the reasons for each, as text that is kept as it is.
func reasonLines() string {
	lines := []string{"  0      done"}
	for _, r := range command.Reasons {
		lines = append(lines, fmt.Sprintf("  %-5d  %-17s  %s", r.Exit, r.Name, r.Words))
	}
	return strings.Join(append(lines, "  128+n  stopped            signal n stopped it"), "\n")
}

func jsonTopic() string {
	return `--json prints one object a line on stdout (JSON Lines), and nothing else there. If the command does not end with 0, the last
says why (paydesk help exit-codes). Each begins with the name and version of its schema; within a version members are
only added. What is not known is left out: such members are marked with ?.

amount is a decimal string in major units, minor the same in minor units, and exponent the number of decimals. Without
a known currency there is no amount, and minor is what the service said. Times are RFC 3339. means, in a status, is one of ` +
		strings.Join(api.StateWords(), ", ") + `.

A payment has been paid where status.success is true, and nowhere else:

  paydesk status REF --json | jq -e .status.success

paydesk help json status describes one. The objects are ` + command.Enumerate(shape.Objects()) + "."
}
