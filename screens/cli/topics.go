package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/screens/cli/shape"
)

// A topic is help about something that concerns several commands.
type topic struct {
	name, short string
	text        func() string
}

// topics are in the order of the help.
var topics = []topic{
	{"configuration", "The file with the profiles, and every setting in it", manualText("configuration")},
	{"keys", "Where the secret key comes from, and where it never goes", manualText("keys")},
	{"console", "The rooms and keys of the console, and what unlocks live", manualText("console")},
	{"messages", "What to do when something goes wrong", manualText("messages")},
	{"journal", "What is recorded, where it is kept, and how to back it up", manualText("journal")},
	{"query", "How to search transactions, activity, links and webhooks", manualText("query")},
	{"webhooks", "What a webhook is worth, and how it gets here", webhookTopic},
	{"sandbox", "The whole service on this machine, to try and to test", manualText("sandbox")},
	{"safety", "What paydesk never does, and what it asks first", manualText("safety")},
	{"exit-codes", "What each exit code means, and which to act on", exitCodeTopic},
	{"json", "The objects that --json prints, with every member", jsonTopic},
	{"terminals", "What the console needs of a terminal, and plain mode", manualText("terminals")},
	{"platforms", "What differs on macOS and on Windows", manualText("platforms")},
	{"environment", "The variables and files that count", manualText("environment")},
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

// topicNamed is the topic that the arguments of help name.
func topicNamed(args []string) (topic, bool) {
	for _, t := range topics {
		if len(args) == 1 && args[0] == t.name {
			return t, true
		}
	}
	return topic{}, false
}

func topicEntries() (all []entry) {
	for _, t := range topics {
		all = append(all, entry{"help " + t.name, t.short})
	}
	return all
}

// topicList names the topics in a paragraph that is kept as it is.
func topicList() string {
	lines := []string{"The topics:\n"}
	for _, t := range topics {
		lines = append(lines, "  "+t.name+strings.Repeat(" ", 14-len(t.name))+t.short)
	}
	return strings.Join(lines, "\n")
}

func writeTopic(w io.Writer, t topic, width int) error {
	h := helpText{width: width}
	h.paragraphs(t.text())
	_, err := io.WriteString(w, h.String())
	return err
}

func exitCodeTopic() string {
	var h helpText
	h.width = pipedHelp
	h.entries(codeEntries([]Code{
		Done, Failed, Usage, NoTerminal, Defect, Refused, Unresolved, PaymentFailed, NotFinal, Duplicate, Locked,
	}))
	return "How paydesk ends, for scripts. The help of each command lists those that it can end with.\n\n" +
		strings.TrimRight(h.String(), "\n") + `

With --json the last line on stdout is then an object of the schema ` + string(shape.RefusalSchema) + `: what happened, what was sent, what
to do next, and one of these as its code:

` + reasonLines() + `

Of several references the gravest code counts: 6 before 10, 9, 2, 1, 5, 7 and 8. While a payment is not final, status
ends with 8, with or without --until final.

Send again only after 2, 5, 9 and 10, of which nothing was carried out, and after what stderr calls "Nothing was sent".
After 6 it may have been carried out: look first, with paydesk status, paydesk transactions or paydesk activity,
and record what you found with paydesk resolve.

A signal while something is being sent is waited out; 128+n then stands beside what stderr says about the answer.`
}

// reasonLines are the reasons of refusals with the exit code of each, as text that is kept as it is.
func reasonLines() string {
	var lines []string
	for _, r := range append(slices.Clone(reasons), reason{"stopped", 128, "a signal stopped it", ""}) {
		code := strconv.Itoa(int(r.exit))
		if r.exit == 128 {
			code = "128+n"
		}
		lines = append(lines, fmt.Sprintf("  %-5s  %-17s  %s", code, r.name, r.words))
	}
	return strings.Join(lines, "\n")
}

func jsonTopic() string {
	return `With --json a command prints one object a line (JSON Lines), and nothing else on stdout; talk is on stderr. Where a
command does not end with 0, its last object is a refusal, which says why: see paydesk help exit-codes. Each object
begins with the name and version of its schema. Within a version members are only added: ignore those that you do
not know. A member that is not known is left out; those marked with ? can be.

Amounts are decimal strings, because readers make floats of numbers: amount is in major units, minor the same as a whole
number of minor units, exponent the number of decimals. Where the currency is not known there is no amount, and minor
is what the service said. Times are RFC 3339 with their zone.

A payment has been paid where status.success is true, and nowhere else:

  paydesk status REF --json | jq -e .status.success

means, in a status, is one of ` + strings.Join(api.StateWords(), ", ") + `.

` + strings.TrimRight(shape.Members(), "\n")
}
