package cli

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/collect"
)

// bashScript writes cobra's script for bash, with stand-ins for the functions of the package bash-completion, which may not be
// installed: without them each tab would print that a command was not found. What is typed is quoted: cobra's script would run a command
// in it.
func bashScript(root *cobra.Command, w io.Writer) error {
	var b strings.Builder
	if err := root.GenBashCompletionV2(&b, true); err != nil {
		return err
	}
	script := strings.NewReplacer("_get_comp_words_by_ref ", "__paydesk_words ", "_filedir", "__paydesk_files",
		"__complete ${args[*]}", `__complete $(printf '%q ' "${args[@]}")`, `requestComp="${requestComp} ''"`, ":").Replace(b.String())
	_, err := io.WriteString(w, script+bashAlone)
	return err
}

const bashAlone = `
__paydesk_words() {
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@"
        return
    fi
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<<"$line"
    [[ $line == *[[:blank:]] ]] && words+=("")
    cword=$((${#words[@]} - 1)) cur=${words[cword]} prev=${words[cword-1]}
}
__paydesk_files() {
    if declare -F _filedir >/dev/null; then
        _filedir "$@"
    else
        mapfile -t COMPREPLY < <(compgen -A "$([[ ${1-} == -d ]] && echo directory || echo file)" -- "$cur")
    fi
}
`

// completionCommand prints what makes a shell complete commands, options, profiles, references, aliases and IDs.
func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print a script that completes commands",
		Long: "There are scripts for bash, zsh, fish and PowerShell. They complete commands, options, profiles, references, aliases\n" +
			"and attempts, ask no service, need no key and write nothing. A team's server has 0.3 seconds, and password_command\n" +
			"is not run.\n\n" +
			"zsh looks in the folders of $fpath.",
		Example: "  paydesk completion bash > ~/.local/share/bash-completion/completions/paydesk\n" +
			"  paydesk completion zsh > \"${fpath[1]}/_paydesk\"\n" +
			"  paydesk completion fish > ~/.config/fish/completions/paydesk.fish\n" +
			"  paydesk completion powershell >> $PROFILE",
		Annotations: command.Takes(),
		ValidArgs:   []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(c *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return bashScript(c.Root(), p.Stdout())
			case "zsh":
				return c.Root().GenZshCompletion(p.Stdout())
			case "fish":
				return c.Root().GenFishCompletion(p.Stdout(), true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(p.Stdout())
			}
			return command.Wrong("There are scripts for " + command.Enumerate(c.ValidArgs) + "; see paydesk completion --help")
		},
	}
}

// completing reports whether a shell asks what the line that is being typed can go on with.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completionPatience bounds completing: a person waits for it between two keys.
const completionPatience = 700 * time.Millisecond

// complete answers a shell. It says nothing but what can follow, whatever goes wrong: cobra would repeat what was
// typed, which may be a card number or a key, and what is said would end up in the line.
func (p *program) complete(args []string) {
	if len(args) < 2 || command.RefuseSecrets(args[1:]) != nil {
		io.WriteString(p.Out, ":4\n") // cobra's code for nothing, not even files
		return
	}
	talk := os.Stderr // to which cobra writes, and to the file of BASH_COMP_DEBUG_FILE
	defer func() { os.Stderr = talk }()
	os.Unsetenv("BASH_COMP_DEBUG_FILE")
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = nowhere
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionPatience)
	defer cancel()
	p.Err = io.Discard
	root := p.Tree()
	root.TraverseChildren = true // behind an option too, commands are offered
	p.addCompletions(root)
	root.SetArgs(args)
	command.EachCommand(root, func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	})
	_ = root.ExecuteContext(ctx)
}

// A completer returns what can be typed, with a description after a tab.
type completer func(ctx context.Context, typed string) []string

// addCompletions tells cobra what each argument and option can be. Where nothing is known, it offers nothing:
// the names of files there are only misleading.
func (p *program) addCompletions(root *cobra.Command) {
	references, links, attempts := p.recorded(journal.PaymentNames), p.recorded(journal.LinkNames), p.recorded(journal.AttemptNames)
	undecided := attempts // a decision is taken back, too
	if p.Plain {          // all that is offered is read aloud
		undecided = p.recorded(journal.UndecidedNames)
	}
	profiles, events := p.completeProfiles, []string{"is:redelivered", "is:masked", "is:forwarded", "is:undelivered", "is:early"}
	for _, v := range webhook.Verdicts {
		events = append(events, "verdict:"+strings.ReplaceAll(string(v), " ", "-"))
	}
	arguments := map[string]completer{
		"status": references, "case": references, "authenticate": references, "finalize": references, "approve": references, "pin": references, "unpin": references,
		"link show": links, "activity show": attempts, "resolve": undecided,
		"profile show": profiles, "profile use": profiles, "profile delete": profiles,
	}
	options := map[string]completer{
		"to": p.completeTargets, "forward-to": p.completeTargets,
		"profile": profiles, "found": references, "link": links, "allow-duplicate": attempts,
		"background": words("light", "dark"), "until": words("final"),
		"currency": words(money.Codes()...), "channel": words(collect.TypedChannels()...),
	}
	command.EachCommand(root, func(c *cobra.Command) {
		if c.ValidArgs == nil && c.ValidArgsFunction == nil && !strings.HasSuffix(c.Use, " FILE") {
			c.ValidArgsFunction = offering(arguments[command.PathOf(c)], strings.Contains(c.Use, "…"))
		}
		ofEvents := strings.HasPrefix(command.PathOf(c), "webhook") || c.Name() == "listen"
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			of := options[f.Name]
			if ofEvents && f.Name == "where" {
				of = words(events...)
			}
			completeOption(c, f, of)
		})
	})
}

// completeOption says what the value of an option can be: files and folders where its help calls it so.
func completeOption(c *cobra.Command, f *pflag.Flag, of completer) {
	value, _ := pflag.UnquoteUsage(f)
	switch {
	case value == "" || value == "FILE":
	case value == "FOLDER":
		_ = c.MarkFlagDirname(f.Name)
	default:
		if _, own := c.GetFlagCompletionFunc(f.Name); !own {
			_ = c.RegisterFlagCompletionFunc(f.Name, offering(of, true))
		}
	}
}

// offering makes a completer one of cobra's: for the first argument alone, or for each.
func offering(of completer, each bool) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if of == nil || len(args) > 0 && !each {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all := slices.DeleteFunc(of(c.Context(), typed), func(s string) bool {
			word, _, _ := strings.Cut(s, "\t")
			return !strings.HasPrefix(word, typed) || slices.Contains(args, word)
		})
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// words offers the same to every user.
func words(all ...string) completer {
	return func(context.Context, string) []string { return slices.Clone(all) }
}

// completeHelp offers the commands and topics, and the objects of the topic json.
func completeHelp(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var all []string
	if of, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
		for _, s := range of.Commands() {
			if s.IsAvailableCommand() {
				all = append(all, s.Name()+"\t"+s.Short)
			}
		}
	}
	for _, t := range topics {
		if len(args) == 0 {
			all = append(all, t.name+"\t"+t.short)
		}
	}
	if len(args) == 1 && args[0] == "json" {
		all = output.Objects()
	}
	return offering(words(all...), true)(c, nil, typed)
}

// maxOffered bounds the values that a shell is offered, the newest first.
const maxOffered = 100

// completeProfiles offers the profiles of the configuration.
func (p *program) completeProfiles(context.Context, string) (all []string) {
	c, err := keystore.Folder(p.Global.Config).Load()
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
		profile := c.Profiles[name]
		all = offer(all, name, string(profile.Environment)+", "+profile.Host(), nameChars)
	}
	return all
}

// teamPatience bounds the answer of a team's journal, with its connection.
const teamPatience = 300 * time.Millisecond

// recorded offers names out of the journal, which is neither created nor checked nor written for it.
func (p *program) recorded(of journal.Names) completer {
	return func(ctx context.Context, typed string) (all []string) {
		c, profile, err := p.Selected()
		if err != nil || profile.Journal == "off" {
			return nil
		}
		found, _ := p.glance(ctx, c.Journal, command.DestinationOf(profile), of, typed)
		for _, n := range found {
			all = offer(all, n.Name, strings.TrimSpace(n.About+"  "+n.At.Local().Format("2006-01-02 15:04")), nameChars)
		}
		return all
	}
}

// glance finds names in the journal's file, or in a team's. The password command of a team's is not run: it may ask a person for
// something, and a person who presses tab expects no question.
func (p *program) glance(ctx context.Context, j keystore.Journal, at ledger.Destination, of journal.Names, typed string) ([]journal.Named, error) {
	if !j.Shared() {
		folder, err := journal.Dir(p.Global.State, p.Getenv)
		if err != nil {
			return nil, err
		}
		return journal.Glance(ctx, folder, at, of, typed, maxOffered)
	}
	if j.PasswordCommand != "" {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, teamPatience)
	defer stop()
	return command.Await(ctx, func() ([]journal.Named, error) {
		team := command.SharedJournal(j)(journal.Options{})
		defer team.Close()
		return team.Glance(ctx, at, of, typed, maxOffered)
	})
}

// completeTargets offers the targets that the profile names.
func (p *program) completeTargets(context.Context, string) (all []string) {
	_, profile, err := p.Selected()
	if err != nil {
		return nil
	}
	for _, u := range profile.WebhookTargets.All() {
		all = offer(all, u, "webhook_targets of "+profile.Name, urlChars)
	}
	return all
}

// The characters of names and of URLs that mean nothing else to a shell.
const (
	nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	urlChars  = nameChars + ":/"
)

// offer adds a value that may be typed, of some characters. One that a shell could take for something else, or a person for a card
// number or a key, is not offered: the shell would keep it in its history.
func offer(all []string, value, about, chars string) []string {
	if value == "" || value[0] == '-' || strings.Trim(value, chars) != "" || command.RefuseSecrets([]string{value}) != nil {
		return all
	}
	return append(all, value+"\t"+api.Clean(about).Line(0))
}
