// Package command has what every command of paydesk stands on.
//
//   - program.go: a run, its global options, and what it prints and says;
//   - scope.go: groups of commands, which global options a command takes, what a usage line names, and the name that was meant;
//   - arguments.go: secrets in arguments, and values with a check;
//   - connect.go, keys.go: the configuration, the key and the doctor, a session, and what was recorded;
//   - ask.go, confirm.go: how a person is asked before anything is sent;
//   - signals.go: ctrl+c, and the answers that it waits for;
//   - exit.go: the exit codes and reasons, and the one place that decides them;
//   - refusal.go: why a command does not end with 0, on stderr and as its last object.
package command
