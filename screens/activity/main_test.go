package activity

import (
	"os"
	"testing"

	"paydesk/api/timely"
)

func TestMain(m *testing.M) {
	timely.SpareDisk()
	os.Exit(m.Run())
}
