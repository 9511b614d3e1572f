package browser

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
)

// errNoBrowser means that this machine has no program that opens URLs.
var errNoBrowser = errors.New("this machine has no program that opens a browser")

// openLimit limits how long the program may take to hand the URL over, not how long the browser runs.
const openLimit = 5 * time.Second

// inherited are the variables a browser needs to find its display and its user. No others are
// passed on, so that no secret is. BROWSER is not among them: xdg-open runs it as a command line.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY",
	"XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_DATA_HOME", "XDG_DATA_DIRS",
	"XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "DESKTOP_SESSION", "KDE_FULL_SESSION", "KDE_SESSION_VERSION",
	"DBUS_SESSION_BUS_ADDRESS", "SystemRoot", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
}

// opener is the program that opens URLs, by absolute path, and the arguments before the URL. On macOS it
// reads a script instead, because everybody can see arguments there.
func opener(system string, getenv func(string) string) []string {
	switch system {
	case "darwin":
		return []string{"/usr/bin/osascript", "-"}
	case "windows":
		return []string{filepath.Join(getenv("SystemRoot"), "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"}
	case "freebsd": // where its ports install it
		return []string{"/usr/local/bin/xdg-open"}
	}
	return []string{"/usr/bin/xdg-open"}
}

// Open opens a URL in the browser of this machine, without a shell; the program that does it has 5 s. It
// accepts what [api.ParseAddress] accepts: https URLs, and http ones on loopback. Its errors do not quote
// the URL.
//
// The URL of a challenge authorises a payment, and other users can see the arguments of a program. So
// where connections tell whose they are, the program is given the URL of a [Page] that leads on to it,
// and serves this user alone.
func Open(ctx context.Context, address string) error {
	a, err := api.ParseAddress(address)
	if err != nil {
		return err
	}
	return open(ctx, runtime.GOOS, opener(runtime.GOOS, os.Getenv), a)
}

// A door is a [Page] that leads on to a URL. Its path needs no token, since only our user gets in.
const (
	doorPath     = "/"
	doorLifetime = time.Minute // how long a browser may take to start and to follow
)

func open(ctx context.Context, system string, program []string, a api.Address) error {
	switch {
	case system == "darwin": // an address has no quotes and no backslashes
		return run(ctx, program, `open location "`+a.String()+`"`)
	case !peersKnown:
		return run(ctx, append(program, a.String()), "")
	}
	onward := content{http.StatusSeeOther, "Location", a.String(), ""}
	door, err := serve(context.WithoutCancel(ctx), doorPath, onward, doorLifetime) // the browser may outlast the screen
	if err != nil {
		return errors.New("the browser could not be opened")
	}
	go func() {
		<-door.Done()
		door.Close()
	}()
	err = run(ctx, append(program, door.Address()), "")
	if err != nil {
		door.stop()
	}
	return err
}

// Missing returns an error where this machine has no program that opens a browser.
func Missing() error { return missing(opener(runtime.GOOS, os.Getenv)[0]) }

func missing(program string) error {
	if about, err := os.Stat(program); err != nil || !filepath.IsAbs(program) || !about.Mode().IsRegular() {
		return errNoBrowser
	}
	return nil
}

// run starts a program with only the inherited variables, a text to read or none, and without output.
func run(ctx context.Context, command []string, input string) error {
	if err := missing(command[0]); err != nil {
		return err
	}
	limited, stop := context.WithTimeout(ctx, openLimit)
	defer stop()
	c := exec.CommandContext(limited, command[0], command[1:]...)
	c.Env = []string{}
	if input != "" {
		c.Stdin = strings.NewReader(input)
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	err := c.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return errors.New("the browser did not respond within 5 s; if nothing appears, open the URL by hand")
	}
	return errors.New("the browser could not be opened") // the error would quote the URL
}

// Unavailable returns why no browser can be opened for the person at this terminal, on an operating
// system as [runtime.GOOS] names it; "" when one can.
func Unavailable(system string, getenv func(string) string) string {
	switch {
	case overSSH(getenv):
		return "You are connected over SSH; a browser would open on this host, not on yours."
	case system != "darwin" && system != "windows" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "":
		return "This host has no display."
	}
	return ""
}

// overSSH reports whether the person sits at another machine.
func overSSH(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
}

// TunnelCommand is the ssh command that forwards a loopback port of this host to the machine that a
// person connected from; "" without SSH. HOST stands for the host's address when that is unknown.
func TunnelCommand(port int, getenv func(string) string) string {
	if !overSSH(getenv) {
		return ""
	}
	to := "HOST"
	if parts := strings.Fields(getenv("SSH_CONNECTION")); len(parts) == 4 { // client, its port, server, its port
		if ip, err := netip.ParseAddr(parts[2]); err == nil {
			to = ip.Unmap().WithZone("").String()
		}
		if n, err := strconv.ParseUint(parts[3], 10, 16); err == nil && n != 22 {
			to = "-p " + strconv.FormatUint(n, 10) + " " + to
		}
	}
	p := strconv.Itoa(port)
	return "ssh -L " + p + ":127.0.0.1:" + p + " " + to
}

// Unguarded returns why another user of this machine might fetch a page that is served here; "" where only this user
// can.
func Unguarded() string {
	switch {
	case !peersKnown:
		return "This system does not tell whose a connection is: other users of it who learn the URL could open the page first."
	case underWindows():
		return "Any program of Windows that learns the URL could open the page first."
	}
	return ""
}
