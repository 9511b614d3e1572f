// Paydesk is a console for a payment-collection service, and commands that do the same without a screen: see
// paydesk --help.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"paydesk/keystore"
	"paydesk/screens/cli"
)

// Set when a release is linked; commit is the whole hash, and date that of the commit, in RFC 3339. A build without
// them says what go noted of it: see cli.Env.
var version, commit, date = "development", "", ""

func main() {
	if err := keystore.Harden(); err != nil { // before a key is in memory
		fmt.Fprintln(os.Stderr, "paydesk:", err)
	}
	log.SetOutput(io.Discard) // net/http logs what a server sends unasked, which would land on the screen
	os.Exit(cli.Run(os.Args[1:], cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Version: version, Commit: commit, Date: date,
	}))
}
