package journal

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

func (p Commands) auditCommand() *cobra.Command {
	provider := ""
	c := command.Ends(&cobra.Command{
		Use: "audit", Short: "Check the journal, also against an export of the service",
		Long: "Each fact is checked, its place in the chain, and that each attempt is what its facts amount to. Nothing is changed.\n" +
			"Keep the number and head that it prints: a later audit of the same journal has both in its chain.\n\n" +
			"--provider FILE is an export of the service, as CSV or JSON Lines: each payment there with a paydesk_attempt must be\n" +
			"here, once, with the same reference. Where it has currency and amount (in minor units) or amount_major, the amount is\n" +
			"compared too, and one that cannot be read is a difference.\n\n" +
			"Each difference is a line, and ends with 6.",
		Example: "  paydesk journal audit\n  paydesk journal audit --provider payments.csv",
		RunE:    func(c *cobra.Command, _ []string) error { return p.auditJournal(c.Context(), provider) },
	}, command.Unresolved)
	c.Flags().StringVar(&provider, "provider", "", "compare with an export of the service in `FILE`")
	return c
}

func (p Commands) auditJournal(ctx context.Context, provider string) error {
	exported, err := readExport(provider)
	if err != nil {
		return err
	}
	at, err := p.place()
	if err != nil {
		return err
	}
	j := at.open()
	defer j.Close()
	if _, err := os.Stat(j.Path()); at.db == nil && err != nil {
		return command.Sentence("There is no journal to audit in " + at.folder + ".")
	}
	a, err := j.Audit(ctx, exported)
	if err != nil {
		return err
	}
	for _, l := range a.Losses {
		a.Differs = append(a.Differs, present.Plain(l.Words()))
	}
	o := output.Audit{Schema: output.AuditSchema, Facts: a.Facts, Head: a.Head, Attempts: a.Attempts, Payments: a.Payments, Differs: append([]string{}, a.Differs...)}
	err = p.Data.Show(o, [][2]string{
		{"Facts", strconv.FormatInt(o.Facts, 10)}, {"Head", o.Head},
		{"Attempts", strconv.Itoa(o.Attempts)}, {"Looked up", strconv.Itoa(o.Payments)}, {"Differs", present.Count(len(o.Differs), "thing", "things")},
	}...)
	if err != nil {
		return err
	}
	if len(a.Differs) > 0 {
		return command.Exit(command.Unresolved, command.Sentence(strings.Join(a.Differs, "\n")))
	}
	return nil
}

// readExport reads the payments of an export of the service; none without a file.
func readExport(file string) ([]journal.Exported, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, command.Unreadable(file, err)
	}
	read := exportOfCSV
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		read = exportOfJSON
	}
	all, err := read(text)
	if err != nil {
		return nil, command.Wrong("The file " + present.Plain(file) + " is no export with paydesk_attempt: " + err.Error())
	}
	return all, nil
}

var errNoExport = errors.New("it is neither CSV nor JSON Lines")

// exportOfCSV reads the columns reference and paydesk_attempt, and where they are there currency and an amount.
func exportOfCSV(text []byte) (all []journal.Exported, err error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, errNoExport
	}
	names := rows[0]
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		if names[i] == "paymentreference" || names[i] == "payment_reference" {
			names[i] = "reference"
		}
	}
	if !slices.Contains(names, "reference") || !slices.Contains(names, journal.AttemptKey) {
		return nil, errors.New("it has no columns reference and paydesk_attempt")
	}
	for _, row := range rows[1:] {
		values := map[string]string{}
		for i, name := range names {
			values[name] = row[i]
		}
		all = append(all, exported(values))
	}
	return all, nil
}

// exportOfJSON reads the same members; paydesk_attempt may be in metaData, where it was sent.
func exportOfJSON(text []byte) (all []journal.Exported, err error) {
	lines := json.NewDecoder(bytes.NewReader(text))
	lines.UseNumber()
	for {
		var row map[string]any
		switch err := lines.Decode(&row); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, errNoExport
		}
		if sent, is := row["metaData"].(map[string]any); is && row[journal.AttemptKey] == nil {
			row[journal.AttemptKey] = sent[journal.AttemptKey]
		}
		values := map[string]string{}
		for name, v := range row {
			if v != nil {
				values[name] = fmt.Sprint(v)
			}
		}
		all = append(all, exported(values))
	}
}

// exported is a payment of an export. Its amount is in minor units, as in the service's list, unless it says amount_major.
func exported(values map[string]string) journal.Exported {
	e := journal.Exported{Reference: api.Reference(values["reference"]), Attempt: ledger.ID(values[journal.AttemptKey])}
	c, foreign := money.ParseCurrency(values["currency"])
	minor := cmp.Or(values["amount_minor"], values["amount"])
	n, noMinor := strconv.ParseInt(minor, 10, 64)
	a, noMajor := money.Parse(values["amount_major"], c)
	switch {
	case foreign != nil || noMinor != nil && noMajor != nil:
		e.Unread = cmp.Or(minor, values["amount_major"])
	case noMinor == nil:
		e.Amount = money.Amount{Minor: n, Currency: c}
	default:
		e.Amount = a
	}
	return e
}
