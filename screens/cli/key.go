package cli

import (
	"context"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"paydesk/api/browser"
	"paydesk/api/probe"
	"paydesk/keystore"
	"paydesk/keystore/keycmd"
)

// keyCommand manages the key of a profile.
func (p *program) keyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Manage the secret key of a profile", DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			p.stop.release()
			path, _ := keystore.DefaultPath()
			env, envErr := keystore.FromEnv() // unset before any child process starts
			// A folder that is unknown stays "": the commands that need it say so, and the others still work.
			return exit(Code(keycmd.CLI{
				In: p.In, Out: p.Out.(*os.File), Stderr: p.Err,
				Config: path, Profile: p.Getenv("PAYDESK_PROFILE"), State: p.folder(),
				Browser: browser.Unavailable(runtime.GOOS, p.Getenv),
				Sources: func(folder string) func(keystore.Profile) keystore.Store {
					return keystore.Sources(keystore.SourceOptions{Folder: folder, Env: env, EnvErr: envErr})
				},
				Verify: func(ctx context.Context, to keystore.Profile, k keystore.Key) error {
					return probe.CheckKey(ctx, p.client(to, k))
				},
				Network: p.network,
				Clean:   oneLine,
			}.Run(args)), nil)
		},
	}
}
