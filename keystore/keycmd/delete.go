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

// Delete removes the key from every store that may hold it, and reports each result. A key
// left behind in a former source would be forgotten there. Without yes a person is asked.
func (c CLI) Delete(ctx context.Context, p keystore.Profile, yes bool) error {
	if !yes {
		if !c.asks() {
			return usageError("This is not a terminal, so nobody can confirm the removal: add --yes. Nothing was removed.")
		}
		if !c.confirm(ctx, fmt.Sprintf("Remove the key of profile %s (%s) from every place paydesk knows? [y/N] ", p.Name, p.Environment)) {
			c.printErr("Nothing was removed.")
			return ErrReported
		}
	}
	var failed error
	// The profile's own source comes first.
	sources := append([]string{p.Source}, slices.DeleteFunc([]string{"keyring", "age"}, func(s string) bool { return s == p.Source })...)
	for _, source := range sources {
		words, done := deleteResult(p, source, c.Store(p.WithSource(source)).Delete(ctx, p.Name))
		c.printf("%-8s  %s", source, words)
		if !done {
			failed = ErrReported
		}
	}
	c.forgetWorked(p.Name)
	return failed
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
	var answer []byte
	var err error
	if c.Ask != nil {
		answer, err = c.Ask(ctx, c.Clean(question), false)
	} else {
		fmt.Fprint(c.Stderr, c.Clean(question), " ")
		answer, err = await(ctx, func() ([]byte, error) { return bufio.NewReader(c.In).ReadBytes('\n') })
	}
	reply := strings.ToLower(strings.TrimSpace(string(answer)))
	return err == nil && (reply == "y" || reply == "yes")
}
