package keycmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"paydesk/keystore"
)

// delete removes the key from every store that paydesk knows for the profile, and says
// of each what came of it (R76).
func (d CLI) delete(ctx context.Context, o options) int {
	p, ok := d.profile(o)
	if !ok {
		return exitUsage
	}
	if !o.yes {
		if !d.atTerminal() {
			d.printErr("Nobody can be asked here whether to remove the key: say --yes. Nothing was removed.")
			return exitUsage
		}
		if !d.confirm(ctx, fmt.Sprintf("Remove the key of profile %s (%s) from every place paydesk knows? [y/N] ", p.Name, p.Environment)) {
			d.printErr("Nothing was removed.")
			return exitFailed
		}
	}
	status := 0
	stores := d.Sources(filepath.Dir(o.config))
	for _, source := range sourcesToClear(p) {
		words, done := deleteResult(p, source, stores(withSource(p, source)).Delete(ctx, p.Name))
		d.printf("%-8s  %s", source, words)
		if !done {
			status = exitFailed
		}
	}
	d.forgetWorked(p.Name)
	return status
}

// sourcesToClear are the sources that may hold the key, the profile's own first.
func sourcesToClear(p keystore.Profile) []string {
	all := []string{p.Source}
	for _, s := range []string{"keyring", "age"} {
		if s != p.Source {
			all = append(all, s)
		}
	}
	return all
}

// deleteResult words what came of removing a key; done is false when it may still be there.
func deleteResult(p keystore.Profile, source string, err error) (words string, done bool) {
	switch {
	case err == nil:
		return "the key is removed", true
	case source == "ask":
		return "the key is kept nowhere", true
	case errors.Is(err, keystore.ErrNotFound):
		return "there was no key", true
	case errors.Is(err, keystore.ErrNoKeyring) && source != p.Source:
		return "there is no keyring on this host", true
	}
	return "not removed: " + err.Error(), false
}

// confirm asks a question that only y answers.
func (d CLI) confirm(ctx context.Context, question string) bool {
	fmt.Fprint(d.Stderr, d.Clean(question), " ")
	answer, err := await(ctx, func() ([]byte, error) { return bufio.NewReader(d.In).ReadBytes('\n') })
	said := strings.ToLower(strings.TrimSpace(string(answer)))
	return err == nil && (said == "y" || said == "yes")
}
