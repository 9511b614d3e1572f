package cli_test

import (
	"testing"

	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
)

func TestTheStatusOfAnUnknownPaymentIsRefused(t *testing.T) {
	h := clitest.New(t)
	h.Run("status", "UNKNOWN1").Is(cli.Refused).Prints("UNKNOWN1\tNOT FOUND\t")
}
