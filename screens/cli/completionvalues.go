package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/keystore/keycmd"
	"paydesk/screens/cli/command"
)

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
		all = offer(all, name, string(profile.Environment)+", "+command.HostOf(profile.BaseURL))
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
			if api.Reference(n.Name).LooksLikeCard() {
				continue // a shell would keep it in its history
			}
			all = offer(all, n.Name, strings.TrimSpace(n.About+"  "+n.At.Local().Format("2006-01-02 15:04")))
		}
		return all
	}
}

// glance finds names in the journal's file, or in a team's. The password command of a team's is not run: it may ask a person for
// something, and whoever presses tab expects no question.
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
	return keycmd.Await(ctx, func() ([]journal.Named, error) {
		return postgres.Glance(ctx, command.TeamConfig(j), at, of, typed, maxOffered)
	})
}

// completeEvents offers the terms of a query with words that are known, for the verdicts and kinds of events.
func completeEvents(context.Context, string) (all []string) {
	for _, v := range webhook.Verdicts {
		all = append(all, "verdict:"+strings.ReplaceAll(string(v), " ", "-"))
	}
	return append(all, "is:redelivered", "is:masked", "is:forwarded", "is:undelivered", "is:early")
}

// completeTargets offers the targets that the profile names.
func (p *program) completeTargets(context.Context, string) (all []string) {
	_, profile, err := p.Selected()
	if err != nil {
		return nil
	}
	for _, u := range profile.WebhookTargets.All() {
		if strings.Trim(u, urlChars) == "" && command.RefuseSecrets([]string{u}) == nil {
			all = append(all, u+"\twebhook_targets of "+profile.Name)
		}
	}
	return all
}

// urlChars are the characters of a URL that mean nothing else to a shell.
const urlChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/._-"

// offer adds a value that may be typed. One that a shell could take for something else, or a person for a card
// number or a key, is not offered.
func offer(all []string, value, about string) []string {
	special := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c))
	}
	if value == "" || value[0] == '-' || strings.ContainsFunc(value, special) || command.RefuseSecrets([]string{value}) != nil {
		return all
	}
	return append(all, value+"\t"+api.Clean(about).Line(0))
}
