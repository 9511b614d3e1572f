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

// version is set when a release is linked.
var version = "development"

func main() {
	if err := keystore.Harden(); err != nil { // before a key is in memory
		fmt.Fprintln(os.Stderr, "paydesk:", err)
	}
	log.SetOutput(io.Discard) // net/http logs what a server sends unasked, which would land on the screen
	os.Exit(cli.Run(os.Args[1:], cli.Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Version: version}))
}
