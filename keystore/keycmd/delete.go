package keycmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"paydesk/keystore"
)

// delete removes the key from every store that may hold it, and reports each result. A key
// left behind in a former source would be forgotten there.
func (c CLI) delete(ctx context.Context, o options, p keystore.Profile) int {
	if !o.yes {
		if !c.atTerminal() {
			c.printErr("This is not a terminal, so nobody can confirm the removal: add --yes. Nothing was removed.")
			return exitUsage
		}
		if !c.confirm(ctx, fmt.Sprintf("Remove the key of profile %s (%s) from every place paydesk knows? [y/N] ", p.Name, p.Environment)) {
			c.printErr("Nothing was removed.")
			return exitFailed
		}
	}
	status := 0
	stores := c.stores(o)
	// The profile's own source comes first.
	sources := append([]string{p.Source}, slices.DeleteFunc([]string{"keyring", "age"}, func(s string) bool { return s == p.Source })...)
	for _, source := range sources {
		words, done := deleteResult(p, source, stores(p.WithSource(source)).Delete(ctx, p.Name))
		c.printf("%-8s  %s", source, words)
		if !done {
			status = exitFailed
		}
	}
	c.forgetWorked(p.Name)
	return status
}

// deleteResult describes the result of removing a key; done is false if the key may still be
// there.
func deleteResult(p keystore.Profile, source string, err error) (words string, done bool) {
	switch {
	case err == nil:
		return "the key was removed", true
	case source == "ask":
		return "the key is stored nowhere", true
	case errors.Is(err, keystore.ErrNotFound):
		return "there was no key", true
	case errors.Is(err, keystore.ErrNoKeyring) && source != p.Source:
		return "there is no keyring on this host", true
	}
	return "not removed: " + err.Error(), false
}

// confirm asks a question and returns true only for yes. The end of the input and a signal count
// as no.
func (c CLI) confirm(ctx context.Context, question string) bool {
	fmt.Fprint(c.Stderr, c.Clean(question), " ")
	answer, err := await(ctx, func() ([]byte, error) { return bufio.NewReader(c.In).ReadBytes('\n') })
	reply := strings.ToLower(strings.TrimSpace(string(answer)))
	return err == nil && (reply == "y" || reply == "yes")
}
