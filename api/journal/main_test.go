package journal_test

import (
	"os"
	"testing"
)

// The test binary is also the other consoles that the tests run and kill.
func TestMain(m *testing.M) {
	if at := os.Getenv(consoleEnv); at != "" {
		console(at)
		return
	}
	if at := os.Getenv(writerEnv); at != "" {
		writer(at)
		return
	}
	code := m.Run()
	if largeDir != "" {
		os.RemoveAll(largeDir)
	}
	os.Exit(code)
}
