package screens_test

import (
	"context"
	"encoding/base64"
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
	"paydesk/ui"
)

// A multiplexer may keep a copied text from the terminal, which the console cannot see.
func TestACopySaysWhatAMultiplexerOnTheWayNeeds(t *testing.T) {
	for name, m := range map[string]struct {
		by           ui.Clipboard
		says, help   string
		plain, bound bool // sent as it is, and in a device control string
	}{
		"none":   {ui.Clipboard{}, "The reference was sent to your terminal's clipboard.", "", true, false},
		"bare":   {ui.Clipboard{None: true}, "Not copied: this terminal has no clipboard.", "", false, false},
		"tmux":   {ui.Clipboard{Tmux: true}, "Reference: sent to the clipboard, if tmux passes it on.", "set -g set-clipboard on", true, false},
		"screen": {ui.Clipboard{Screen: true}, "Reference: sent to the clipboard, if screen passes it on.", "screen passes a copied text on", false, true},
		"either": {ui.Clipboard{Tmux: true, Screen: true}, "Reference: sent to the clipboard, if tmux passes it on.", "set -g set-clipboard on", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				c.Press("l").Type("XHCQVX9BB5").Press("enter").Sees("Payment")
				before := len(c.Bytes())
				c.Press("y").Sees(m.says)
				sent := string(c.Bytes()[before:])
				plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("XHCQVX9BB5")) + "\a"
				bound := "\x1bP" + plain + "\x1b\\"
				if strings.Contains(sent, bound) != m.bound || strings.Contains(strings.ReplaceAll(sent, bound, ""), plain) != m.plain {
					t.Errorf("sent %q", sent)
				}
				if c.Press("?"); m.help != "" {
					c.Sees(m.help)
				} else {
					c.WaitsUntilGone("set-clipboard", "screen passes")
				}
			}, consoletest.Themed(func(t *ui.Theme) { t.Clipboard = m.by }))
		})
	}
}

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
