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
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/statefile"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

func (p Commands) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Print where the journal is, and whether it works",
		Long: "It says what the journal holds, and whether a team's server keeps what is written. Any problem ends with 1. Nothing\n" +
			"is created.",
		Example: "  paydesk journal status\n  paydesk journal status --json | jq -r '.problems[]'",
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := p.journalStatus(c.Context())
			if err != nil {
				return err
			}
			if p.Data.Show(o, journalPairs(o)...); len(o.Problems) > 0 {
				return command.Toward(command.WhyJournal, strings.Join(o.Problems, "\n"), "paydesk help journal", "says what can be done")
			}
			return nil
		},
	}
}

// journalStatus examines the journal that the configuration names.
func (p Commands) journalStatus(ctx context.Context) (output.Journal, error) {
	at, err := p.place()
	o := output.Journal{Store: "sqlite", KeepDays: at.keepDays, Problems: []string{}}
	switch {
	case err != nil:
		return o, err
	case at.db != nil:
		return teamStatus(ctx, o, at), nil
	}
	return fileStatus(ctx, o, at), nil
}

// fileStatus examines the journal in a folder, and creates none.
func fileStatus(ctx context.Context, o output.Journal, at place) output.Journal {
	j := at.open()
	defer j.Close()
	o.Name = j.Path()
	_, closed := os.Stat(o.Name)
	if errors.Is(closed, fs.ErrNotExist) {
		o.Exists = new(false)
		o.Problems = append(o.Problems, lossesOf(j)...)
		return o
	}
	if closed == nil {
		o.Exists = new(true)
	}
	err := j.Check(ctx)
	switch cause := statefile.CauseOf(err); {
	case err == nil:
	case errors.Is(err, journal.ErrLoss):
		o.Problems = lossesOf(j)
	case closed == nil && (cause == statefile.ReadOnly || cause == statefile.Forbidden): // a person who reads a copy of it sends nothing
		o.ReadOnly, o.Problems = true, lossesOf(j)
	default:
		o.Problems = append(o.Problems, err.Error())
	}
	s, err := j.Statistics(ctx)
	if err != nil {
		if len(o.Problems) == 0 {
			o.Problems = append(o.Problems, err.Error())
		}
		return o
	}
	o.Facts, o.Head, _ = j.Head(ctx)
	o.Version, o.Bytes, o.Attempts, o.Oldest, o.Newest = s.Version, s.Size, &s.Attempts, output.Time(s.Oldest), output.Time(s.Newest)
	return o
}

// teamStatus examines a team's journal.
func teamStatus(ctx context.Context, o output.Journal, at place) output.Journal {
	o.Store = "postgres"
	o.Name = at.db.Name()
	r, err := postgres.Status(ctx, at.config)
	if err != nil {
		o.Problems = append(o.Problems, at.db.Problem(err))
		return o
	}
	o.Problems = append(o.Problems, r.Problems...)
	o.Server = &output.JournalServer{
		Version: r.Server, Role: r.Role, SynchronousCommit: r.SynchronousCommit, ReadOnly: r.ReadOnly, ClockMilliseconds: r.Ahead.Milliseconds(),
	}
	if r.Version > 0 { // otherwise there is none, or this user may not see it
		o.Exists = new(true)
		o.Version, o.Attempts, o.Oldest, o.Newest = r.Version, &r.Attempts, output.Time(r.Oldest), output.Time(r.Newest)
	}
	if len(o.Problems) == 0 { // as a console begins
		j := at.open()
		defer j.Close()
		if err := j.Check(ctx); err != nil {
			o.Problems = append(o.Problems, err.Error())
		}
		o.Facts, o.Head, _ = j.Head(ctx)
		rows, err := j.Unreadable(ctx)
		if err != nil && len(o.Problems) == 0 {
			o.Problems = append(o.Problems, err.Error())
		}
		for _, row := range rows {
			o.Problems = append(o.Problems, "Damaged or changed by another program: "+row+". Have it restored from a backup.")
		}
	}
	return o
}

func journalPairs(o output.Journal) [][2]string {
	unless := func(none bool, words string) string {
		if none {
			return ""
		}
		return words
	}
	held := unless(o.Exists == nil || *o.Exists, "none yet")
	if o.Attempts != nil {
		held = strconv.Itoa(*o.Attempts)
	}
	pairs := [][2]string{
		{"Journal", o.Name}, {"Store", o.Store}, {"Version", unless(o.Version == 0, strconv.Itoa(o.Version))}, {"Size", unless(o.Bytes == 0, fmt.Sprintf("%d bytes", o.Bytes))},
		{"Attempts", held}, {"Oldest", output.Stamp(o.Oldest)}, {"Newest", output.Stamp(o.Newest)}, {"Facts", unless(o.Facts == 0, strconv.FormatInt(o.Facts, 10))}, {"Head", o.Head},
		{"Writing", unless(!o.ReadOnly, "read-only: nothing is sent from here")}, {"Kept", present.Count(o.KeepDays, "day", "days")},
	}
	if s := o.Server; s != nil {
		pairs = append(pairs, [2]string{"Server", "PostgreSQL " + s.Version}, [2]string{"Role", s.Role}, [2]string{"Commits", "synchronous_commit = " + s.SynchronousCommit},
			[2]string{"Writing", unless(!s.ReadOnly, "read-only")}, [2]string{"Clock", clockWords(s.ClockMilliseconds)})
	}
	return pairs
}

// clockWords say how the clock of a server is, in milliseconds that it is ahead.
func clockWords(ms int64) string {
	if ms < 0 {
		return fmt.Sprintf("%d ms behind this machine's", -ms)
	}
	return fmt.Sprintf("%d ms ahead of this machine's", ms)
}

// Check says how the journal is: of one in a file what it lost, or why it cannot be read. Its folder has a check of its own.
func (p Commands) Check(ctx context.Context, of keystore.Profile) []keystore.Finding {
	c, err := p.config()
	if err != nil || of.Journal == "off" {
		return nil
	}
	check := keystore.Finding{Name: "journal", State: keystore.Failed, Fix: "paydesk journal status; until then nothing is sent"}
	if c.Journal.Shared() {
		check.Name = "team's journal"
	}
	o, err := p.journalStatus(ctx)
	switch check.Message = strings.Join(o.Problems, " "); {
	case err != nil && c.Journal.Shared():
		check.Message = err.Error()
	case len(o.Problems) > 0:
	case err != nil || !c.Journal.Shared():
		return nil
	default:
		check.State, check.Message, check.Fix = keystore.OK, o.Name+" keeps what is written", ""
	}
	return []keystore.Finding{check}
}

func (p Commands) auditCommand() *cobra.Command {
	provider := ""
	c := command.Ends(&cobra.Command{
		Use: "audit", Short: "Check the journal, also against an export of the service",
		Long: "It checks each fact, its place in the chain, and that each attempt matches its facts. Nothing is changed.\n" +
			"Keep the number and head that it prints: a later audit of the same journal has both in its chain.\n\n" +
			"--provider FILE is an export of the service, as CSV or JSON Lines: each payment there with a paydesk_attempt must be\n" +
			"here, once, with the same reference. Where it has currency and amount (in minor units) or amount_major, the amount is\n" +
			"compared too, and one that is missing or cannot be read is a difference.\n\n" +
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
	if _, err := os.Stat(j.Path()); at.db == nil && errors.Is(err, fs.ErrNotExist) {
		return command.Sentence("There is no journal to audit in " + at.folder + ".")
	}
	a, err := j.Audit(ctx, exported)
	if err != nil {
		return err
	}
	for _, l := range a.Losses {
		a.Differs = append(a.Differs, present.Plain(l.Words()))
	}
	o := output.Audit{Facts: a.Facts, Head: a.Head, Attempts: a.Attempts, Payments: a.Payments, Differs: []string{}}
	for _, words := range slices.Concat(a.Differs, a.ExportDiffers) { // an export may have a key in place of a reference
		o.Differs = append(o.Differs, api.MaskSecrets(words, nil))
	}
	export := ""
	if provider != "" {
		o.Exported, export = &a.Exported, present.Count(len(exported), "payment", "payments")+", "+present.Thousands(a.Exported)+" with an attempt"
	}
	p.Data.Show(o, [][2]string{
		{"Facts", strconv.FormatInt(o.Facts, 10)}, {"Head", o.Head}, {"Attempts", strconv.Itoa(o.Attempts)}, {"Looked up", strconv.Itoa(o.Payments)},
		{"Export", export}, {"Differs", present.Count(len(o.Differs), "thing", "things")},
	}...)
	switch words := strings.Join(o.Differs, "\n"); {
	case len(a.Differs) > 0: // it is not known what was done, whatever an export says
		return command.Toward(command.WhyUnresolved, words, "paydesk help journal", "says how a backup is put in place")
	case len(a.ExportDiffers) > 0:
		return command.Toward(command.WhyMismatch, words, "paydesk activity", "lists what was sent from here, and paydesk status shows how a payment stands")
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
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
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
		names[i] = strings.ToLower(strings.TrimSpace(name))
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

// exported is a payment of an export. Its amount is in minor units, as in the service's list, unless it says amount_major. The ID of an
// attempt has no capitals, and some programs write them.
func exported(values map[string]string) journal.Exported {
	e := journal.Exported{Reference: api.Reference(values["reference"]), Attempt: ledger.ID(strings.ToLower(values[journal.AttemptKey]))}
	c, foreign := money.ParseCurrency(values["currency"])
	minor := cmp.Or(values["amount_minor"], values["amount"])
	n, noMinor := strconv.ParseInt(minor, 10, 64)
	a, noMajor := money.Parse(values["amount_major"], c)
	switch {
	case foreign != nil || noMinor != nil && noMajor != nil:
		if e.Unread = cmp.Or(minor, values["amount_major"]); e.Unread == "" && values["currency"] != "" {
			e.Unread = "no amount"
		}
	case noMinor == nil:
		e.Amount = money.Amount{Minor: n, Currency: c}
	default:
		e.Amount = a
	}
	return e
}
