//go:build !windows

package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/keystore/keystoretest"
)

// planted makes a configuration below a folder that a test then alters.
func planted(t *testing.T) (top, path string) {
	t.Helper()
	top = private(t)
	return top, keystoretest.Write(t, filepath.Join(top, "a", "b"), "-- profiles/test.toml --\n"+required+"key = \"command\"\nkey_command = [\"true\"]\n")
}

// refused fails unless the configuration is neither read nor written, with a way out.
func refused(t *testing.T, name, path, words, hint string) {
	t.Helper()
	_, err := Folder(path).Load()
	var p *Problem
	if !errors.As(err, &p) || !errors.Is(err, ErrUnsafe) || !strings.HasPrefix(p.Message, "the configuration was not read: ") ||
		!strings.Contains(p.Message, words) || !strings.Contains(p.Hint, hint) {
		t.Errorf("%s: %v", name, err)
	}
	if err := Folder(path).Remove("test"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("%s: written: %v", name, err)
	}
}

func TestAConfigurationThatOthersCanReplaceIsNotRead(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"everybody": 0o777, "everybody, from outside": 0o703} {
		for _, below := range []string{"", "a", "a/b"} {
			top, path := planted(t)
			folder := filepath.Join(top, below)
			must(t, os.Chmod(folder, mode))
			refused(t, name, path, "others can change "+folder+" (mode ", "run: chmod go-w "+folder)
			refused(t, name+", not there yet", filepath.Join(path, "new"), "others can change "+folder, "chmod go-w")
			must(t, os.Chmod(folder, os.ModeSticky|mode))
			if _, err := Folder(path).Load(); err != nil {
				t.Errorf("%s, sticky: %v", name, err)
			}
		}
	}
}

func TestAConfigurationIsReachedThroughLinksOfOnesOwn(t *testing.T) {
	top, path := planted(t)
	t.Chdir(top)
	for name, to := range map[string]string{"absolute": path, "relative": "a/b", "up": "a/../a/./b"} {
		must(t, os.Symlink(to, name))
		if _, err := Folder(name).Load(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, os.Symlink("a", "folder"))
	if _, err := Folder("folder/b").Load(); err != nil {
		t.Error(err)
	}
	if err := os.Chmod("a", 0o777); err != nil { // what a link leads through counts as well
		t.Fatal(err)
	}
	for _, name := range []string{"absolute", "relative", "up", "folder/b"} {
		refused(t, name, name, "others can change "+filepath.Join(top, "a"), "chmod go-w")
	}
	must(t, os.Symlink("round", "round"))
	refused(t, "round", "round", "lead nowhere", "name the file itself")
}

// TestAConfigurationOfSomebodyElseIsNotRead needs root, who alone can give files away.
func TestAConfigurationOfSomebodyElseIsNotRead(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	for _, below := range []string{"", "a", "a/b", "a/b/profiles", "a/b/profiles/test.toml"} {
		top, path := planted(t)
		theirs := filepath.Join(top, below)
		must(t, os.Chown(theirs, 65534, 65534))
		refused(t, below, path, theirs+" belongs to user 65534", "chown 0 "+theirs)
	}
	top, path := planted(t)
	link := filepath.Join(top, "link")
	must(t, errors.Join(os.Symlink(path, link), os.Lchown(link, 65534, 65534)))
	refused(t, "link", link, link+" is a symbolic link of user 65534", "name the file that it leads to")
}

func TestCertificatesThatOthersCanChangeAreNotTrusted(t *testing.T) {
	_, path := planted(t)
	authorities := filepath.Join(private(t), "ca.pem")
	p := usual
	p.CAFile = authorities
	must(t, errors.Join(Folder(path).Edit(p), os.Chmod(filepath.Dir(authorities), 0o777)))
	if _, err := Folder(path).Load(); !errors.Is(err, ErrUnsafe) || !strings.HasPrefix(err.Error(), "ca_file of profile test cannot be trusted: others can change "+filepath.Dir(authorities)) {
		t.Error(err)
	}
}
