package webhook

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"paydesk/api/statefile"
	"paydesk/api/text"
)

var validPath = text.Pattern(`^/hooks/[a-z2-7]{26}$`)

func isPath(path string) bool { return validPath().MatchString(path) }

// newPath makes a path of 130 random bits.
func newPath() string { return "/hooks/" + strings.ToLower(rand.Text()) }

// Path is the secret path of a profile, "/hooks/" and 26 letters and digits. It is made at first use and kept in the folder;
// without a folder it is another one each time.
func Path(dir, profile string) (string, error) {
	if dir == "" {
		return newPath(), nil
	}
	file := pathFile(dir, profile)
	path, err := loadPath(dir, file)
	return path, statefile.Explain("file with the address for webhooks", file, err)
}

// HasPath reports whether [Path] was used for a profile, so that it makes none.
func HasPath(dir, profile string) bool {
	_, err := os.Stat(pathFile(dir, profile))
	return dir != "" && err == nil
}

func pathFile(dir, profile string) string {
	return filepath.Join(dir, "webhook-path-"+url.PathEscape(profile))
}

// loadPath reads a path, or makes one. Of several consoles that do so at once one makes it.
func loadPath(dir, file string) (string, error) {
	if err := statefile.MakeDir(dir); err != nil {
		return "", err
	}
	path, err := readPath(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	release, err := statefile.LockDir(filepath.Join(dir, FileName+".lock"))
	if err != nil {
		return "", err
	}
	defer release()
	path, err = readPath(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	if err := statefile.WriteFile(file, []byte(newPath()+"\n")); err != nil {
		return "", err
	}
	return readPath(file)
}

// Announce records where a receiver listens, which need not be the address of its profile, so that [Announced] finds it.
// forget takes that back.
func Announce(dir, profile, address string) (forget func(), err error) {
	if dir == "" {
		return func() {}, nil
	}
	file := addressFile(dir, profile)
	return func() {
		if last, _ := readLine(file); last == address { // and not another's since
			_ = os.Remove(file)
		}
	}, statefile.WriteFile(file, []byte(address+"\n"))
}

// Announced is the address of a receiver that was announced and answers at the path of its profile; "" for none.
func Announced(ctx context.Context, dir, profile string) string {
	path, err := readPath(pathFile(dir, profile))
	address, _ := readLine(addressFile(dir, profile))
	if err != nil || address == "" || Probe(ctx, "http://"+address+path) != Ours {
		return ""
	}
	return address
}

func addressFile(dir, profile string) string {
	return filepath.Join(dir, "webhook-address-"+url.PathEscape(profile))
}

// readLine reads a file that only this user reads.
func readLine(file string) (string, error) {
	if err := statefile.CheckMode(file, 0o600); err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	return strings.TrimSpace(string(text)), err
}

func readPath(file string) (string, error) {
	path, err := readLine(file)
	if err == nil && !isPath(path) {
		path, err = "", statefile.Reason("The file with the address for webhooks is damaged. Remove it, and give the sender the new URL that is then made.")
	}
	return path, err
}
