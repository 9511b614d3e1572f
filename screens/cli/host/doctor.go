// Package host has the commands for this machine: doctor checks it, bundle reports on it.
package host

import (
	"github.com/spf13/cobra"

	"paydesk/keystore/doctor"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Doctor checks what works on this host.
func (p Commands) Doctor() *cobra.Command {
	return p.Command(&cobra.Command{
		Use: "doctor", Short: "Check what works on this host",
		Long: "Check what works on this host, and say what to do about the rest: configuration, folders, keyring and key, terminal,\n" +
			"and service. Nothing is changed; only read-only requests are sent. It ends with 1 if a check failed; warnings do not\n" +
			"count.",
		Example: "  paydesk doctor\n  paydesk doctor --json | jq -r '.steps[] | select(.state == \"failed\") | .do'",
		RunE: func(c *cobra.Command, _ []string) error {
			if p.Global.Config == "" {
				return command.WrongConfig(command.ErrNoConfigFolder)
			}
			report := p.KeyCommands().Doctor(c.Context(), p.Global.Profile)
			if err := p.printReport(report); err != nil {
				return err
			}
			if n := report.Count(doctor.Failed); n > 0 {
				return &command.Refusal{Reason: command.WhyFailed, Problem: present.Problem{What: present.Count(n, "check", "checks") + " failed."}, Said: true}
			}
			return nil
		},
	})
}

// maxReportWidth is the width of a report, and its width where the output is not a terminal.
const maxReportWidth = 100

func (p Commands) printReport(r doctor.Report) error {
	if p.Data.Format != output.JSON {
		w := command.WidthOf(p.Out)
		if w == 0 {
			w = maxReportWidth
		}
		return r.WriteText(p.Out, min(w, maxReportWidth))
	}
	o := shape.Doctor{
		Schema: shape.DoctorSchema, Profile: r.Profile,
		Failed: r.Count(doctor.Failed), Warnings: r.Count(doctor.Warning),
	}
	for _, c := range r.Checks {
		o.Steps = append(o.Steps, shape.Step(c))
	}
	return p.Data.Object(o)
}
