package inbound

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ErrNoBrowser says that this machine has no program that opens addresses.
var ErrNoBrowser = errors.New("this machine has no program that opens addresses in a browser")

const openLimit = 5 * time.Second

// inherited are the variables a browser needs to find its display and its user; no
// others are handed on, so that no secret is (R72).
var inherited = []string{
	"PATH", "HOME", "USER", "LANG", "LC_ALL", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY",
	"XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "DBUS_SESSION_BUS_ADDRESS",
	"BROWSER", "SystemRoot", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
}

// opener is the program that opens addresses, by absolute path, and the arguments
// before the address.
func opener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"/usr/bin/open"}
	case "windows":
		return []string{`C:\Windows\System32\rundll32.exe`, "url.dll,FileProtocolHandler"}
	}
	return []string{"/usr/bin/xdg-open"}
}

// OpenBrowser hands an address to the browser of this machine as one argument,
// without a shell (R90). The address must be one that was checked: http or https.
func OpenBrowser(ctx context.Context, address string) error {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return errors.New("only http and https addresses are opened")
	}
	program := opener()
	if _, err := os.Stat(program[0]); err != nil {
		return ErrNoBrowser
	}
	ctx, stop := context.WithTimeout(ctx, openLimit)
	defer stop()
	c := exec.CommandContext(ctx, program[0], append(program[1:], address)...)
	c.Env = []string{}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	if err := c.Run(); err != nil {
		return errors.New("the browser could not be opened") // the error would name the address
	}
	return nil
}

// BrowserHere reports whether a browser can be opened for the person at this
// terminal, and if not, why.
func BrowserHere(getenv func(string) string) (ok bool, why string) {
	switch {
	case overSSH(getenv):
		return false, "You are here over SSH, and a browser would open on this host, not on yours."
	case runtime.GOOS != "darwin" && runtime.GOOS != "windows" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "":
		return false, "There is no display here."
	}
	return true, ""
}

func overSSH(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
}

// TunnelLine is the command that brings a loopback port of this host to the machine
// a person came from over SSH; "" when they are not here over SSH (R92).
func TunnelLine(port int, getenv func(string) string) string {
	if !overSSH(getenv) {
		return ""
	}
	host := "HOST" // what the person knows this host by
	if parts := strings.Fields(getenv("SSH_CONNECTION")); len(parts) == 4 && net.ParseIP(parts[2]) != nil {
		host = parts[2]
	}
	p := strconv.Itoa(port)
	return "ssh -L " + p + ":127.0.0.1:" + p + " " + host
}
