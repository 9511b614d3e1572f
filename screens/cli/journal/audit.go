package journal

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
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
			"here, once, with the same reference.\n\n" +
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
	if strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		read = exportOfJSON
	}
	all, err := read(strings.NewReader(string(text)))
	if err != nil {
		return nil, command.Wrong("The file " + present.Plain(file) + " is no export with paydesk_attempt: " + err.Error())
	}
	return all, nil
}

// exportOfCSV reads the columns reference and paydesk_attempt.
func exportOfCSV(in io.Reader) (all []journal.Exported, err error) {
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, errors.New("it is neither CSV nor JSON Lines")
	}
	reference, attempt := -1, -1
	for i, name := range rows[0] {
		switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) {
		case "reference", "paymentreference", "payment_reference":
			reference = i
		case journal.AttemptKey:
			attempt = i
		}
	}
	if reference < 0 || attempt < 0 {
		return nil, errors.New("it has no columns reference and paydesk_attempt")
	}
	for _, row := range rows[1:] {
		all = append(all, journal.Exported{Reference: api.Reference(row[reference]), Attempt: ledger.ID(row[attempt])})
	}
	return all, nil
}

// exportOfJSON reads objects that have reference, and paydesk_attempt themselves or in metaData, as the service is sent it.
func exportOfJSON(in io.Reader) (all []journal.Exported, err error) {
	lines := json.NewDecoder(in)
	for {
		var row struct {
			Reference string    `json:"reference"`
			Attempt   ledger.ID `json:"paydesk_attempt"`
			MetaData  []struct {
				Key   string `json:"key"`
				Value string `json:"value"`
			} `json:"metaData"`
		}
		switch err := lines.Decode(&row); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, errors.New("it is neither CSV nor JSON Lines")
		}
		for _, m := range row.MetaData {
			if m.Key == journal.AttemptKey {
				row.Attempt = ledger.ID(m.Value)
			}
		}
		all = append(all, journal.Exported{Reference: api.Reference(row.Reference), Attempt: row.Attempt})
	}
}
