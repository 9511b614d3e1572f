//go:build linux && secretservice

package command_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"paydesk/keystore/keystoretest"
)

// Run it by .ci/secret-service, in a session of its own: it locks the keyring in the
// end.
func TestTheCommandsOnARealSecretService(t *testing.T) {
	h := newHost(t, "keyring", service(t))
	h.Env["DBUS_SESSION_BUS_ADDRESS"] = os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	steps := func(want string, status int, piped string, args ...string) {
		t.Helper()
		said, got := h.run(piped, args...)
		for piece := range strings.SplitSeq(want, "|") {
			if !strings.Contains(said, piece) || got != status {
				t.Errorf("%v ended with %d, want %d and %q: %s", args, got, status, piece, said)
			}
		}
	}
	steps("failed   key source|there is no key for this profile|paydesk key set --profile shop", 1, "", "doctor")
	steps("…0042 of profile shop is stored in the keyring, for http://127.0.0.1:", 0, canary+"\n", "set")
	steps("source       keyring|key          …0042", 0, "", "show")
	steps("ok       keyring|ok       key source           keyring has the key …0042|ok       key accepted", 0, "", "doctor")
	config := h.ConfigFolder()
	ours := keystoretest.Read(t, config)
	theirs := strings.ReplaceAll(ours, "http://127.0.0.1:", "http://127.0.0.2:")
	keystoretest.Write(t, config, theirs)
	steps("not used: the key was given for http://127.0.0.1:|and this profile would send it to http://127.0.0.2:", 1, "", "show")
	steps("failed   key source|skipped  key accepted", 1, "", "doctor")
	keystoretest.Write(t, config, ours)
	steps("key          …0042", 0, "", "show")
	steps("keyring   the key was removed", 0, "", "delete", "--yes")
	steps("keyring   there was no key", 0, "", "delete", "--yes")
	lock := exec.Command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
		"org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
	if out, err := lock.CombinedOutput(); err != nil {
		t.Fatalf("dbus-send: %v: %s", err, out)
	}
	steps("warning  keyring|failed   key source|the keyring is locked", 1, "", "doctor")
}
