package cli

import (
	"runtime/debug"
	"testing"

	"paydesk/screens/cli/command"
)

func TestTheVersionTellsItsCommit(t *testing.T) {
	const commit, at = "0123456789abcdef0123456789abcdef01234567", "2026-11-23T06:00:00Z"
	noted := func(settings ...debug.BuildSetting) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{Settings: settings}, true }
	}
	revision, time := debug.BuildSetting{Key: "vcs.revision", Value: commit}, debug.BuildSetting{Key: "vcs.time", Value: at}
	for _, c := range []struct {
		name  string
		env   command.Env
		noted func() (*debug.BuildInfo, bool)
		want  string
	}{
		{"a release", command.Env{Commit: commit, Date: at}, noted(debug.BuildSetting{Key: "vcs.revision", Value: "another"}), "commit 0123456789ab, " + at},
		{"a clone", command.Env{}, noted(revision, time, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "commit 0123456789ab, " + at},
		{"a clone with changes", command.Env{}, noted(revision, time, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "commit 0123456789ab, " + at + ", with changes"},
		{"a copy", command.Env{}, noted(), "commit not known"},
		{"another compiler", command.Env{}, func() (*debug.BuildInfo, bool) { return nil, false }, "commit not known"},
	} {
		if got := (&program{Program: &command.Program{Env: c.env}}).buildCommit(c.noted); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
