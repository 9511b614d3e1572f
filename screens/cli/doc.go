// Package cli is the command line of paydesk: the console, and commands for scripts, cron and people who
// work without a screen. A command drives the same session, gate, recorder and watch as the screens do, so
// that the same guards hold and the same journal is written.
//
//   - run.go: one run of paydesk, plain mode, and the exit code it ends with;
//   - line.go: the commands, and how a line is read before one of them runs;
//   - help.go: help, in the order of a person's questions, its topics, and the manual page;
//   - completion.go: what a shell offers;
//   - console.go, sandbox.go: the screens, and the sandbox behind the demo.
//
// Package command has what every command stands on. Each noun has a package of its own, which imports command and no other noun
// (payment alone reads links). Package output prints, and has the JSON objects that other programs depend on. plain.go is plain mode.
//
// stdout is data and stderr is talk. A command asks only where all three streams are a terminal, or in plain mode.
package cli
