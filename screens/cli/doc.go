// Package cli is the command line of paydesk: the console, and commands for scripts, cron and people who
// work without a screen. A command drives the same session, gate, recorder and watch as the screens do, so
// that the same guards hold and the same journal is written.
//
//   - program.go: one run of paydesk, with the flags of every command;
//   - tree.go: the commands; one file each, or one for a noun;
//   - scope.go: groups of commands, and which options a command does not take;
//   - arguments.go, nearest.go: secrets in arguments, what is missing or wrong with them, and the name that was meant;
//   - connect.go: the profile, its key and a session; what was recorded, without a key;
//   - ask.go, confirm.go: how a person is asked before anything is sent;
//   - signals.go: ctrl+c, and what is waited for;
//   - exit.go: the exit codes and reasons, and the one place that decides them;
//   - refusal.go: why a command does not end with 0, on stderr and as its last object;
//   - transactions.go: the service's list, a page of it; wholelist.go, listrows.go, listtotals.go: all of it, and what is
//     printed of it;
//   - listen.go, listenrows.go: webhooks as they arrive; webhook.go and webhook*.go: those that did, and the doctor's check;
//   - help.go, topics.go, man.go: help, in the order of a person's questions, and the manual page;
//   - completion.go, completionvalues.go: what a shell offers;
//   - console.go: the screens.
//
// Package output prints, and package shape has the JSON objects that other programs depend on.
//
// stdout is data and stderr is talk. Nothing is asked unless all three streams are a terminal, or plain mode
// asks.
package cli
