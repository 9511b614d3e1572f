package keystore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"paydesk/api"
)

// A Journal locates the journal of all profiles: a file of this user, or a database that a team shares.
type Journal struct {
	Store           string // "sqlite" or "postgres"; "" is sqlite
	URL             string // of the database, without a password
	Schema          string // of the team in that database
	PasswordCommand List   // prints the password; none where .pgpass has it, or the database requires none
	KeyFile         string // has the key of the team's hashes
}

// Shared reports whether the journal is a team's database.
func (j Journal) Shared() bool { return j.Store == "postgres" }

// settings returns the settings of a store in the order in which the manual has them, with the name of
// their table before theirs.
func (j *Journal) settings(table string) []setting {
	all := []setting{
		{table + "store", &j.Store, unless(j.Store == "" || j.Store == "sqlite" || j.Shared(), `must be "sqlite" or "postgres"`)},
		{table + "url", &j.URL, j.checkURL()},
		{table + "schema", &j.Schema, unless(j.Schema == "" || isSchema(j.Schema), "must be 1 to 41 lower-case letters, digits and _, and not begin with a digit")},
		{table + "password_command", &j.PasswordCommand, checkWords(j.PasswordCommand.All(), `["pass", "show", "paydesk/journal"]`)},
		{table + "key_file", &j.KeyFile, unless(j.KeyFile == "" || absolute(j.KeyFile), "must be an absolute path, such as /home/ada/.config/paydesk/journal.key")},
	}
	if j.Shared() {
		return all
	}
	for i, s := range all[1:] {
		all[1+i].wrong = unless(s.value() == "", `belongs to a team's journal: add store = "postgres", or remove it`)
	}
	return all
}

// withDefaults sets the empty settings of a team's journal; folder is the configuration folder.
func (j Journal) withDefaults(folder string) Journal {
	if j.Shared() {
		j.Schema = cmp.Or(j.Schema, "paydesk")
		j.KeyFile = cmp.Or(j.KeyFile, filepath.Join(folder, "journal.key"))
	}
	return j
}

// isSchema reports whether a name can name a schema without quotes.
func isSchema(name string) bool {
	return only(name, 41, lowerCase+"_") && !strings.Contains("0123456789", name[:1])
}

// checkURL says what is wrong with the URL of the database. What the connection has to be, such as its TLS, is
// judged where it is made. A URL may name several hosts, for which [url.Parse] is too strict.
func (j Journal) checkURL() string {
	if j.URL == "" {
		return "must be the address of the database, such as postgres://paydesk@db.example/payments"
	}
	_, rest, ok := strings.Cut(j.URL, "://")
	authority, query := rest, ""
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		authority = rest[:at]
		_, query, _ = strings.Cut(rest[at:], "?")
	}
	user := authority[:max(0, strings.LastIndex(authority, "@"))]
	options, err := url.ParseQuery(query)
	switch {
	case strings.Contains(user, ":"), options.Has("password"), options.Has("sslpassword"):
		return "must not contain a password: keep it in .pgpass, or name a program that prints it with password_command"
	case !ok || !strings.HasPrefix(j.URL, "postgres://") && !strings.HasPrefix(j.URL, "postgresql://"):
		return "must begin with postgres://, such as postgres://paydesk@db.example/payments"
	case !api.IsVisible(j.URL) || err != nil || strings.Contains(rest, "#"):
		return "must be a valid URL in ASCII, without spaces, such as postgres://paydesk@db.example/payments"
	case authority == "" && !options.Has("host"):
		return "must name a host, such as postgres://paydesk@db.example/payments, or the folder of a socket with ?host="
	}
	return ""
}

// Shareable returns the settings of the journal's store as lines, for others to read, without what may say where its
// password or its key is kept.
func (j Journal) Shareable() []string { return shareable(j.settings("")) }

// Password runs password_command, as a key command is run, and returns the first line that it prints; "" where
// there is no command.
func (j Journal) Password(ctx context.Context) (password string, err error) {
	if j.PasswordCommand == "" {
		return "", nil
	}
	c := &command{words: j.PasswordCommand.All(), limit: CommandLimit, of: printedPassword}
	err = c.run(ctx, func(line []byte) error {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) > maxPassword || !printable(string(line)) {
			return fmt.Errorf("a password must have at most %d bytes, all of them printable", maxPassword)
		}
		password = string(line)
		return nil
	})
	return password, err
}

const maxPassword = 1000 // bytes

// printedPassword is the password of the journal's database.
var printedPassword = printedSecret{"password", "password", "password_command under [journal]", "run it by hand to see, or keep the password in .pgpass", 1}
