package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestAJournalIsBackedUpAndBroughtBack(t *testing.T) {
	h := clitest.New(t)
	j, err := journal.Open(t.Context(), journal.Options{Dir: h.StateDir()})
	must(t, err)
	defer j.Close()
	if runtime.GOOS == "windows" {
		j.Close() // what a console has open is not set aside there
	}
	file := filepath.Join(h.Home, "backup")
	for _, step := range []struct {
		args string
		code command.Code
		says string
	}{
		{"backup " + file, command.Done, "0 attempts, 0 unresolved, with 0 facts. Every row of the copy was checked."},
		{"backup " + file, command.Failed, "There is a file of this name already"},
		{"restore " + file, command.Usage, "Add --yes to put the backup in place"},
		{"restore " + file + " --yes", command.Done, "journal.db.replaced-"},
		{"backup " + file + "2", command.Done, "It lacks what the journal lacks, which was not acknowledged: Records"},
		{"restore --yes " + filepath.Join(h.StateDir(), "journal.db"), command.Usage, "is the journal itself; nothing was changed"},
		{"restore --yes " + file + "x", command.Failed, "There is no such file"},
		{"--state-dir " + h.StateDir() + "x backup " + file + "x", command.Failed, "There is no journal to back up"},
		{"backup --yes " + file, command.Usage, "see paydesk journal backup --help"},
		{"backup", command.Usage, "paydesk journal backup takes FILE"},
		{"forget " + file, command.Usage, "needs one of its commands: acknowledge, audit, backup, copy, init, key, restore and status; see paydesk journal --help"},
		{"backup " + file + " WRONG", command.Usage, "takes FILE"},
		{"--WRONG backup", command.Usage, "unknown option"},
		{"backup --profile shop " + file, command.Usage, "--profile does not belong to paydesk journal backup"},
		{"--help", command.Done, "journal.key is in no backup"},
	} {
		r := h.Run(strings.Fields("journal " + step.args)...).Is(step.code).Lacks("WRONG")
		if !strings.Contains(r.Out+r.Err, step.says) {
			t.Errorf("%s: %s%s", step.args, r.Out, r.Err)
		}
	}
}

func TestWhatOnlyLooksAtAJournalCreatesNone(t *testing.T) {
	h := clitest.New(t)
	h.Run("journal", "acknowledge").Is(command.Done).Says("Nothing is to be acknowledged")
	h.Run("journal", "status").Is(command.Done).Prints("Journal\t"+filepath.Join(h.StateDir(), "journal.db"), "Attempts\tnone yet\n")
	h.Run("journal", "status", "--json").Is(command.Done).Prints(`"store":"sqlite"`, `"exists":false`, `"keep_days":90`, `"problems":[]`)
	if _, err := os.Stat(h.StateDir()); !os.IsNotExist(err) {
		t.Errorf("it was created: %v", err)
	}
}

func TestTheStatusOfAJournalSaysWhatItHolds(t *testing.T) {
	h := clitest.New(t)
	_, _ = record(h)
	h.Configure("[journal]\nkeep_days = 14\n")
	h.Run("journal", "status").Is(command.Done).Prints("Store\tsqlite\n", "Version\t", "Size\t", "Attempts\t", "Oldest\t20", "Newest\t20", "Kept\t14 days\n")
	h.Run("journal", "status", "--json").Is(command.Done).Prints(`"exists":true`, `"bytes":`, `"keep_days":14`, `"problems":[]`)
	if runtime.GOOS == "windows" {
		return
	}
	must(t, os.Chmod(filepath.Join(h.StateDir(), "journal.db"), 0o644))
	h.Run("journal", "status").Is(command.Failed).Says("other users can read it", "chmod 600")
	h.Run("journal", "status", "--json").Is(command.Failed).Prints(`"problems":["The journal is disabled`)
}

func TestAnAuditComparesTheJournalWithItsFactsAndAnExport(t *testing.T) {
	h := clitest.New(t)
	h.Run("journal", "audit").Is(command.Failed).Says("no journal to audit")
	_, attempts := record(h)
	h.Run("journal", "audit").Is(command.Done).Prints("Facts\t", "Head\t", "Differs\t0 things")
	h.Run("journal", "audit", "--json").Is(command.Done).Prints(`"schema":"paydesk.audit/1"`, `"head":"`, `"differs":[]`)
	export := filepath.Join(h.Home, "payments")
	audit := func(rows string) clitest.Result {
		must(t, os.WriteFile(export, []byte(rows), 0o600))
		return h.Run("journal", "audit", "--provider", export)
	}
	audit("reference,paydesk_attempt\nR1,\nR2,zzzzzzzzzz\n").Is(command.Unresolved).Says("the payment R2 of attempt zzzzzzzzzz, which is not here")
	audit(`{"reference":"R1","metaData":{}}` + "\n" + `{"reference":"R2","metaData":{"paydesk_attempt":"zzzzzzzzzz"}}` + "\n").Is(command.Unresolved).Says("the payment R2 of attempt zzzzzzzzzz, which is not here")
	for row, says := range map[string]string{
		`{"reference":"REF","paydesk_attempt":"ID","currency":"NGN","amount":400000}`:                                          "",
		`{"reference":"REF","metaData":{"paydesk_attempt":"ID"}}`:                                                              "",
		"payment_reference,paydesk_attempt,currency,amount_major\nREF,ID,ngn,4000.00\n":                                        "",
		"reference,paydesk_attempt,currency,amount\nREF,ID,NGN,4000.01\n":                                                      "Of the export's amounts 1 cannot be compared, such as 4000.01 for the payment REF",
		"reference,paydesk_attempt,currency,amount_major\nREF,ID,NGN,4 thousand\n":                                             "such as 4 thousand for the payment REF",
		"reference,paydesk_attempt,amount\nREF,ID,400000\n":                                                                    "such as 400000 for the payment REF",
		"reference,paydesk_attempt,currency,amount\nREF,ID,NGN,400001\n":                                                       "The service has 4,000.01 NGN for the payment REF of attempt ID, which is 4,000.00 NGN here.",
		"reference,paydesk_attempt,currency,amount_major\nREF,ID,GBP,4000\n":                                                   "The service has 4,000.00 GBP for the payment REF of attempt ID, which is 4,000.00 NGN here.",
		`{"reference":"REF","paydesk_attempt":"ID"}` + "\n" + `{"reference":"REF","metaData":{"paydesk_attempt":"ID"}}` + "\n": "The service has 2 payments of attempt ID.",
		"reference,paydesk_attempt\nOTHER,ID\n":                                                                                "the payment OTHER of attempt ID, which has the reference REF here",
	} {
		fill := strings.NewReplacer("REF", "XHCQVX9BB5", "ID", attempts[0])
		if r := audit(fill.Replace(row)); says == "" {
			r.Is(command.Done)
		} else {
			r.Is(command.Unresolved).Says(fill.Replace(says))
		}
	}
	must(t, os.WriteFile(export, []byte("a,b\n1,2\n"), 0o600))
	h.Run("journal", "audit", "--provider", export).Is(command.Usage).Says("The file "+export+" is no export", "no columns reference and paydesk_attempt")
}
