package keystore

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/text"
)

// Limits of a profile.
const (
	maxCommandWords = 16
	maxMinutes      = 480 // minutes
)

// credentialPrefix marks a KeyFile that systemd provides (LoadCredential=).
const credentialPrefix = "$CREDENTIALS_DIRECTORY/"

// only reports whether text is 1 to most bytes, all of them in chars.
func only(text string, most int, chars string) bool {
	return text != "" && len(text) <= most && strings.Trim(text, chars) == ""
}

const (
	lowerCase = "abcdefghijklmnopqrstuvwxyz0123456789" // with digits
	upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	nameChars = lowerCase + upperCase + "_-"
)

// secretLike matches the secret keys of the service, and the same words in another order or with dashes.
var secretLike = text.Pattern(`(?i)\b(sk_|sk-(test|live)-|(test|live)[_-]sk[_-])[a-z0-9_-]{8,}`)

// keyArgument matches an argument that may be a key, or an option that would take one.
var keyArgument = text.Pattern(`(?i)^\W*(sk|pk)[_-](test|live)[_-]|^\W*(test|live)[_-](sk|pk)[_-]|\bsk_[a-z0-9_-]{8,}|^--?[a-z-]*(key|secret|token|password|passphrase)[a-z-]*(=|$)`)

// MayBeKey reports whether an argument may be a key, or an option that would take one. A plain word is neither: each start would wait
// for the pattern to be compiled.
func MayBeKey(arg string) bool {
	return strings.ContainsAny(arg, "_-") && keyArgument().MatchString(arg)
}

// Check returns what is wrong with each setting of the profile. The keys of the map are the
// TOML names of the settings ("name" for the profile's name). The messages never quote a
// value, because it may be a secret key in the wrong place.
func (p Profile) Check() map[string]string {
	return wrongSettings(append(p.settings(), setting{"name", &p.Name, checkName(p.Name)}))
}

// checkName says what is wrong with the name of a profile.
func checkName(name string) string {
	if secretLike().MatchString(name) {
		return "must not contain a secret key"
	}
	return unless(only(name, 32, lowerCase+"_-"), "must be 1 to 32 lower-case letters, digits, - and _")
}

// checkListURL says what is wrong with the address of the list, unless that is said of the same address of payments.
func (p Profile) checkListURL() string {
	if p.ListURL == p.BaseURL {
		return ""
	}
	return checkOrigin(p.ListURL)
}

// checkSource rejects a live key from the environment, where every program started from the
// same shell can find it, unless the profile allows it.
func (p Profile) checkSource() string {
	switch {
	case !slices.Contains(SourceNames(), p.Source):
		return "must be one of " + strings.Join(SourceNames(), ", ")
	case p.Source == "env" && p.Environment == Live && !p.AllowEnvKey:
		return `must not be "env" for live payments unless allow_env_key = true`
	}
	return ""
}

func (p Profile) checkJournal() string {
	switch {
	case p.Journal != "on" && p.Journal != "off":
		return `must be "on" or "off"`
	case p.Journal == "off" && p.Environment == Live:
		return `must be "on" for live payments; only a test profile may turn it off`
	}
	return ""
}

func (p Profile) checkCommand() string {
	if p.KeyCommand == "" && p.Source != "command" {
		return ""
	}
	return cmp.Or(unless(p.KeyCommand != "", expectedCommand(keySample)), checkWords(p.KeyCommand.All(), keySample))
}

// keySample is a command that prints a key, in TOML.
const keySample = `["pass", "show", "paydesk/test"]`

// checkWords says what is wrong with a command; none is right. sample is one that would do.
func checkWords(words []string, sample string) string {
	switch {
	case len(words) == 0:
	case len(words) > maxCommandWords:
		return expectedCommand(sample)
	case slices.ContainsFunc(words, func(w string) bool { return !printable(w) }):
		return "must contain only printable characters"
	case words[0] == "" || strings.Contains(words[0], "/") && !filepath.IsAbs(words[0]):
		return "must begin with the name or absolute path of a program; no shell is used"
	}
	return ""
}

func expectedCommand(sample string) string {
	return "must be a program and its arguments, 1 to 16 strings, such as " + sample
}

func (p Profile) checkKeyFile() string {
	name, credential := strings.CutPrefix(p.KeyFile, credentialPrefix)
	switch {
	case p.KeyFile == "" && p.Source != "file":
	case credential && p.Source == "age":
		return "must be an absolute path for age"
	case credential && only(name, 64, nameChars+".") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "-"):
	case !absolute(p.KeyFile):
		return "must be an absolute path, or $CREDENTIALS_DIRECTORY/NAME"
	}
	return ""
}

// absolute reports whether s is an absolute path of printable characters.
func absolute(s string) bool { return filepath.IsAbs(s) && printable(s) }

// printable reports whether s is valid UTF-8 with printable characters only.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func unless(ok bool, words string) string {
	if ok {
		return ""
	}
	return words
}

// words returns the text of an error; "" for none.
func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// checkOrigin says what is wrong with the base URL of a service. The client checks it again;
// this check lets a form report the error early.
func checkOrigin(s string) string {
	_, err := api.ParseOrigin(s)
	return words(err)
}
