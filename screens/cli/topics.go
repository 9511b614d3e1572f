package cli

import (
	"io"
	"strings"

	"paydesk/screens/cli/shape"
)

// A topic is help about something that concerns several commands.
type topic struct {
	name, short string
	text        func() string
}

// topics are in the order of the help.
var topics = []topic{
	{"exit-codes", "What each exit code means, and which to act on", exitCodeTopic},
	{"json", "The objects that --json prints, with every member", jsonTopic},
	{"query", "How --where filters transactions, activity and links", func() string { return queryTopic }},
	{"safety", "What a command never does, and what it asks first", func() string { return safetyTopic }},
	{"webhooks", "What a webhook is worth, and how it gets here", webhookTopic},
	{"environment", "The variables and files that count", func() string { return environmentTopic }},
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

Of several references the gravest code counts: 6 before 10, 9, 2, 1, 5, 7 and 8. While a payment is not final, status
ends with 0, unless --until final waits for it.

Send again only after 2, 5, 9 and 10, of which nothing was carried out, and after what stderr calls "Nothing was sent".
After 6 it may have been carried out: look first, with paydesk status, paydesk transactions or paydesk activity,
and record what you found with paydesk resolve.

A signal while something is being sent is waited out; 128+n then stands beside what stderr says about the answer.`
}

func jsonTopic() string {
	return `With --json a command prints one object a line (JSON Lines), and nothing else on stdout; talk is on stderr. Each object
begins with the name and version of its schema. Within a version members are only added: ignore those that you do
not know. A member that is not known is left out; those marked with ? can be.

Amounts are decimal strings, because readers make floats of numbers: amount is in major units, minor the same as a whole
number of minor units, exponent the number of decimals. Where the currency is not known there is no amount, and minor
is what the service said. Times are RFC 3339 with their zone.

A payment has been paid where status.success is true, and nowhere else:

  paydesk status REF --json | jq -e .status.success

` + strings.TrimRight(shape.Members(), "\n")
}

const queryTopic = `--where takes the language of the search in the console. Every term has to be met, and letter case does not matter. A term
that cannot be understood is marked on stderr, and ends with 2 before anything is requested.

  failed gbp >100            FAILED, in GBP, over 100.00
  status:failed,pending      either of the two
  -status:successful         all but these
  amount:100..250  >=12.50   amounts in major units, compared exactly
  id:5e62*  id:*7a3f         an ID that begins so, ends so
  5e62                       any text has it
  12.50                      any text has it, or the amount is it
  "failed again"             text as it is, blanks included
  day:2026-11-20..  day:7d   from that day on, the last seven days

transactions has the fields status, currency, amount and id; the service's list has no dates. activity and links have
reference, alias, outcome, operator, day and more; email: and phone: find a customer by the whole value. Those of webhook
list are in paydesk help webhooks.

Quote a query for the shell: < and > would redirect, and blanks separate arguments.

  paydesk transactions --all --where 'failed gbp >100' --csv
  paydesk activity --where 'day:7d outcome:unresolved'`

const safetyTopic = `A command has the guards of the screens, and writes the same journal.

Nothing is sent before it is in the journal. A payment, a link and a finalization are sent once; what may have been
carried out is UNRESOLVED, ends with 6, and no command sends it again. Only questions are repeated.

What looks like a payment or a link sent before is held back, and ends with 9. stderr says like which; when it is
really another, pass that one's ID with --allow-duplicate.

Before something is sent, the facts are shown and a person says yes; --yes says it for test profiles. Where real money
moves, a person at a terminal types the profile's name and the amount, whatever the arguments are. Without a
terminal nothing is sent there, and the command ends with 10.

Nothing is asked unless stdin, stdout and stderr are terminals, so that a script never hangs on a question.

No argument is a secret: every user of a machine can see arguments, and shells record them. Keys come from the source of
their profile, cards from a prompt or, in test profiles, from stdin. An argument that looks like a key or a card
number is refused without being repeated, and completion does not offer one.

ctrl+c while something is being sent waits for its answer, and says so. The second one stops waiting; it is
UNRESOLVED then.

Only the service's two spellings of success are ever called success.`

const environmentTopic = `Options come before variables, and variables before the configuration.

  PAYDESK_PROFILE        the profile, where --profile names none
  PAYDESK_SECRET_KEY     the key, for profiles with key = "env"
  XDG_CONFIG_HOME        paydesk/config.toml is in it; else in ~/.config
  XDG_STATE_HOME         paydesk/journal.db is in it; else in ~/.local/state
  CREDENTIALS_DIRECTORY  of systemd, for key_file
  HTTPS_PROXY, NO_PROXY  a proxy for https; --no-proxy goes without
  NO_COLOR, CLICOLOR     no colours
  COLORFGBG              whether the background is light or dark
  TERM, LANG, LC_ALL     what the terminal can show
  SSH_CONNECTION         slows drawing down, and is recorded with what is sent

The system has other folders on macOS and Windows: paydesk config path prints them.

In a pipe, rows have no heading, no colours, and tabs between the columns. --json and --csv print the same on a
terminal as in a pipe.`
