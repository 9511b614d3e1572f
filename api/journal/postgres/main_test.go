package postgres_test

import (
	"flag"
	"os"
	"testing"

	"paydesk/api/timely"
)

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait for the server
	timely.SpareDisk()
	os.Exit(m.Run())
}
