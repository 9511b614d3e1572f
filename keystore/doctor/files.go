package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"paydesk/keystore"
)

// profile checks the configuration and the selected profile.
func (e Examination) profile() (p keystore.Profile, found bool, checks []Check) {
	chosen := Check{Name: "profile", State: Skipped, Message: "not checked: the configuration cannot be read"}
	c, err := keystore.Folder(e.Config).Load()
	if e.Config == "" {
		err = errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set")
	}
	if err != nil {
		words, do := strings.ReplaceAll(err.Error(), "\n", "; "), "correct the files at the lines named"
		if errors.Is(err, fs.ErrNotExist) {
			words, do = e.Config+" has no configuration", "open paydesk, which offers to create a profile, or name the folder with --config"
		}
		var unsafe *keystore.Problem
		if errors.As(err, &unsafe) {
			words, do = unsafe.Message, unsafe.Hint
		}
		return p, false, []Check{{"configuration", Failed, words, do}, chosen}
	}
	file := Check{Name: "configuration", State: OK, Message: e.Config + modeSuffix(e.Config) + onlyModes(runtime.GOOS)}
	if p, err = c.Select(e.Profile); err != nil {
		return p, false, []Check{file, {"profile", Failed, err.Error(),
			"name one of them with --profile, or make it the default: paydesk profile use NAME"}}
	}
	chosen.State, chosen.Message = OK, fmt.Sprintf("%s, environment %s; key source: %s", p.Name, p.Environment, p.Source)
	return p, true, []Check{file, chosen}
}

// modeSuffix returns the mode of a file in octal, for the end of a message.
func modeSuffix(path string) string {
	about, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return ""
	}
	return fmt.Sprintf(", mode %o", about.Mode().Perm())
}

// onlyModes says what the check of the file's owners leaves out on a system; "" for nothing.
func onlyModes(system string) string {
	return map[string]string{
		"windows": "; who else can change it is not checked on Windows",
		"darwin":  "; access lists (ACLs) are not checked on macOS",
	}[system]
}

// stateDir checks that the journal can be written, and that no other user can read it, because it
// records who paid what.
func (e Examination) stateDir(p keystore.Profile) Check {
	s := Check{Name: "journal folder", State: Failed}
	switch about, err := os.Stat(e.StateDir); {
	case p.Journal == "off":
		s.State, s.Message = Skipped, "this profile keeps no journal (journal = \"off\")"
	case e.StateDir == "":
		s.Message, s.Fix = "its folder is unknown", "set HOME, or XDG_STATE_HOME to an absolute path"
	case errors.Is(err, fs.ErrNotExist):
		return e.missingFolder(s)
	case err != nil:
		s.Message, s.Fix = e.StateDir+" cannot be accessed", "give this user access to the folders above it"
	case !about.IsDir():
		s.Message, s.Fix = e.StateDir+" is not a folder", "move it away"
	case runtime.GOOS != "windows" && about.Mode().Perm()&0o077 != 0:
		s.Message, s.Fix = fmt.Sprintf("others can read %s (mode %o)", e.StateDir, about.Mode().Perm()), "chmod 700 "+keystore.ShellQuote(e.StateDir)
	case !writable(e.StateDir):
		s.Message, s.Fix = "paydesk cannot write to "+e.StateDir, "chmod u+w "+keystore.ShellQuote(e.StateDir)+", or free space on its disk"
	default:
		s.State, s.Message = OK, e.StateDir+" is writable"+modeSuffix(e.StateDir)
	}
	return s
}

// mostNamed limits how many files of a folder are named.
const mostNamed = 20

// kept lists the files that paydesk has here, for whoever wants to leave none.
func (e Examination) kept() Check {
	var all []string
	for _, folder := range append([]string{e.Config, e.StateDir}, e.Elsewhere...) {
		var names []string
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				name, _ := filepath.Rel(folder, path)
				names = append(names, name)
			}
			return nil // what cannot be read is not named
		})
		if n := len(names); n > mostNamed {
			names = append(names[:mostNamed], fmt.Sprintf("and %d more", n-mostNamed))
		}
		if len(names) > 0 {
			all = append(all, folder+" has "+strings.Join(names, ", "))
		}
	}
	if len(all) == 0 {
		return Check{Name: "files", State: OK, Message: "paydesk has none on this host"}
	}
	return Check{Name: "files", State: OK, Message: strings.Join(all, "; ") + "; paydesk help configuration says how to remove them"}
}

// missingFolder checks that the folder can be created below the nearest one that exists. It does
// not create it: the doctor changes nothing.
func (e Examination) missingFolder(s Check) Check {
	at := filepath.Dir(e.StateDir)
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	if !writable(at) {
		s.Message, s.Fix = e.StateDir+" does not exist and cannot be created in "+at, "create it for this user with mode 700"
		return s
	}
	s.State, s.Message = OK, e.StateDir+" does not exist yet; it is created when something is written"
	return s
}

// writable writes a file: modes alone reveal neither full disks nor read-only ones.
func writable(folder string) bool {
	f, err := os.CreateTemp(folder, ".paydesk-*")
	if err != nil {
		return false
	}
	_, err = f.WriteString("paydesk\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name())) == nil
}
