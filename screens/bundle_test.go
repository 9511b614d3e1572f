package screens_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/consoletest"
	"paydesk/screens/requests"
	"paydesk/screens/screentest"
)

// Canaries are in all that a bundle is made of.
var canaries = []string{
	"CANARY", "4242424242424242", "4242 4242 4242 4242", "ada@example.org", "+44 20 7946 0000", "442079460000", "987.65", "98765",
}

const secretive = `-- default --
shop
-- config.toml --
[journal]
store = "postgres"
url = "postgres://paydesk@db.example/payments"
password_command = ["pass", "show", "CANARY-vault-path"]
-- profiles/shop.toml --
environment = "live"
base_url = "https://pay.example"
list_url = "https://list.example"
key = "command"
key_command = ["pass", "show", "CANARY-vault-path"]
-- profiles/file.toml --
environment = "test"
base_url = "https://pay.example"
list_url = "https://list.example"
key = "file"
key_file = "/secret/CANARY-vault-path"
`

// everything are sources with canaries in each.
func everything(t *testing.T) requests.Sources {
	t.Helper()
	path := t.TempDir()
	keystoretest.Write(t, path, strings.ReplaceAll(secretive, "/secret/", filepath.ToSlash(filepath.VolumeName(path))+"/secret/"))
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	a, err := j.Begin(t.Context(), ledger.Attempt{
		Kind: ledger.Initiate, Amount: screentest.Money(98765, "GBP"), Channel: api.ChannelCard, Card: "4242",
		Destination: ledger.Destination{Profile: "shop", Environment: "LIVE", Host: "pay.example"},
	}, ledger.Payer{Email: "ada@example.org", Phone: "+44 20 7946 0000"}, nil)
	must(t, err)
	must(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "CANARY 4242424242424242"}))
	log := &requests.Log{}
	log.Observer("shop")(api.Exchange{Operation: api.OpTransaction, Status: 404, Outcome: api.OutcomeRefused})
	said := "no such, " + strings.Join(canaries, " ")
	return requests.Sources{
		Version: "test", Now: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Config: path, Secret: consoletest.Key,
		Profile: keystore.Profile{Name: "shop"}, Journal: j,
		Doctor: func(context.Context, keystore.Profile) []keystore.Finding {
			return []keystore.Finding{
				{Name: "status path", State: keystore.Warning, Message: "it may be wrong. The service rejected the request (HTTP 404): " + said, Fix: "ask"},
				{Name: "reach", State: keystore.Failed, Message: "Bad. Details (HTTP 502): " + said},
				{Name: "key", State: keystore.Failed, Message: "for ada@example.org and +44 20 7946 0000: " + consoletest.Key},
				{Name: "SSH", State: keystore.OK, Message: "yes, from 192.0.2.77"},
			}
		},
		Requests: log,
		Reports:  func() []string { return []string{"crash-1.txt\npaydesk/ui.F\n\t/src/f.go:12"} },
		Terminal: []string{"size: 80×24", "colours: \x1b[2J"},
	}
}

func TestNothingSecretIsInTheBundle(t *testing.T) {
	text := requests.Bundle(t.Context(), everything(t))
	for _, s := range append(canaries, "192.0.2.77", "\x1b", consoletest.Key) {
		if strings.Contains(text, s) {
			t.Errorf("%q is in it:\n%s", s, text)
		}
	}
}
