package journal

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
)

// A team is the database of a team's journal. It implements [Team].
type team struct {
	*postgres.DB
	config postgres.Config
	dir    string // where outcomes wait that could not be written
}

// RolesSQL implements [Team].
func (t team) RolesSQL() string { return postgres.RolesSQL(t.config) }

// Init implements [Team].
func (t team) Init(ctx context.Context) error { return t.said(postgres.Init(ctx, t.config)) }

// Migrate implements [Team].
func (t team) Migrate(ctx context.Context) (from, to int, err error) {
	from, to, err = postgres.Migrate(ctx, t.config)
	return from, to, t.said(err)
}

// Report implements [Team].
func (t team) Report(ctx context.Context) (postgres.Report, error) {
	r, err := postgres.Status(ctx, t.config)
	return r, t.said(err)
}

// Open implements [Team].
func (t team) Open(key journal.KeyFile) *journal.Journal {
	return journal.NewShared(t.DB, journal.Options{Dir: t.dir, KeyFile: string(key), Retention: forever})
}

// Copy implements [Team].
func (t team) Copy(ctx context.Context, file string) (postgres.Copied, error) {
	return postgres.Copy(ctx, t.config, file)
}

// said is an error in words for the operator.
func (t team) said(err error) error {
	if err == nil {
		return nil
	}
	return command.Refuse(command.WhyJournal, t.Problem(err), "")
}

// A place is where the journal that the configuration names is: a file of this user, or the database of a team.
type place struct {
	folder   string // of the file; of a team's journal, where outcomes wait that could not be written
	keepDays int
	key      journal.KeyFile
	team     *team // nil for a file
}

// config is the configuration, for a command that needs no profile. Without a configuration the journal is a file.
func (p Commands) config() (*keystore.Config, error) {
	if p.Global.Config == "" {
		return &keystore.Config{}, nil
	}
	return p.Settings()
}

func (p Commands) place() (place, error) {
	c, err := p.config()
	if err != nil {
		return place{}, err
	}
	at := place{keepDays: cmp.Or(c.KeepDays, 90)}
	if at.folder, err = p.folder(); !c.Journal.Shared() {
		at.key = journal.KeyIn(at.folder)
		return at, err
	}
	to := command.TeamConfig(c.Journal)
	db, err := postgres.Open(to)
	if err != nil {
		return at, command.Exit(command.Usage, fmt.Errorf("%s: [journal] %w", p.Global.Config, err))
	}
	at.key, at.team = journal.KeyFile(c.Journal.KeyFile), &team{DB: db, config: to, dir: at.folder}
	return at, nil
}

// folder is that of a journal in a file.
func (p Commands) folder() (string, error) {
	folder, err := journal.Dir(p.Global.State, p.Getenv)
	if err != nil {
		err = command.Wrong("the journal folder is unknown; name it with --state-dir.")
	}
	return folder, err
}

// open is the journal, of which nothing is deleted.
func (a place) open() *journal.Journal {
	if a.team != nil {
		return a.team.Open(a.key)
	}
	return journal.New(journal.Options{Dir: a.folder, Retention: forever})
}

// teamCommand is a command for a team's journal, with its database and the file of its key.
func (p Commands) teamCommand(c *cobra.Command, do func(ctx context.Context, commands Upkeep, t Team, key journal.KeyFile) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, _ []string) error {
		at, err := p.place()
		switch {
		case err != nil:
			return err
		case at.team == nil:
			return command.Wrong("The journal is a file: [journal] in the configuration names no database of a team (store = \"postgres\"); " +
				"see paydesk help configuration.")
		}
		return do(c.Context(), Upkeep{Out: p.Words(), State: at.folder}, at.team, at.key)
	}
	return c
}

func (p Commands) initCommand() *cobra.Command {
	printSQL, fresh := false, false
	c := p.teamCommand(&cobra.Command{
		Use: "init", Short: "Create a team's journal in PostgreSQL",
		Long: "The key of its hashes is made too. What is there already stays as it is.\n\n" +
			"--print-sql prints what the administrator of the database runs first: one role owns the schema, and one is for\n" +
			"consoles. Run init, migrate and copy as a user with the first.",
		Example: "  paydesk journal init --print-sql | psql payments\n  paydesk journal init",
	}, func(ctx context.Context, commands Upkeep, t Team, key journal.KeyFile) error {
		if printSQL {
			_, err := io.WriteString(p.Stdout(), t.RolesSQL())
			return err
		}
		return commands.Init(ctx, t, key, fresh)
	})
	c.Flags().BoolVar(&printSQL, "print-sql", false, "print the SQL of the roles, and change nothing")
	c.Flags().BoolVar(&fresh, "fresh", false, "make a new key although this user has a journal, which then cannot be copied")
	return c
}

func (p Commands) migrateCommand() *cobra.Command {
	return p.teamCommand(&cobra.Command{
		Use: "migrate", Short: "Upgrade a team's journal to this version of paydesk",
		Long:    "There is no way back: older consoles then send nothing, and newer ones send nothing before.",
		Example: "  paydesk journal migrate",
	}, func(ctx context.Context, commands Upkeep, t Team, _ journal.KeyFile) error {
		return commands.Migrate(ctx, t)
	})
}

func (p Commands) copyCommand() *cobra.Command {
	from := ""
	c := p.teamCommand(&cobra.Command{
		Use: "copy --from FILE", Short: "Copy a user's journal into a team's empty journal",
		Long: "A backup of it will do. Every row is checked before; all is written in one transaction or not at all, read back and\n" +
			"compared. The file stays as it is. Acknowledge what it lost first.\n\n" +
			"Import the key of the file before paydesk journal init.",
		Example: "  paydesk journal key import ~/.local/state/paydesk/journal.key\n  paydesk journal init\n" +
			"  paydesk journal copy --from ~/.local/state/paydesk/journal.db",
	}, func(ctx context.Context, commands Upkeep, t Team, key journal.KeyFile) error {
		return commands.Copy(ctx, t, from, key)
	})
	c.Flags().StringVar(&from, "from", "", "the `FILE` of the journal, or a backup of it")
	return c
}
