package keystore

import (
	"cmp"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"paydesk/api/pattern"
)

// Limits of a profile.
const (
	maxCommandWords = 16
	maxMinutes      = 480 // minutes
)

// credentialPrefix marks a KeyFile that systemd provides (LoadCredential=).
const credentialPrefix = "$CREDENTIALS_DIRECTORY/"

// referencePlaceholder stands for the reference of a payment in a path.
const referencePlaceholder = "{reference}"

// only reports whether text is 1 to most bytes, all of them in chars.
func only(text string, most int, chars string) bool {
	return text != "" && len(text) <= most && strings.Trim(text, chars) == ""
}

const (
	lowerCase  = "abcdefghijklmnopqrstuvwxyz0123456789" // with digits
	upperCase  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	nameChars  = lowerCase + upperCase + "_-"
	tokenChars = nameChars + "!#$%&'*+.^`|~" // of a token, as a header is named (RFC 9110)
)

// secretLike matches the secret keys of the service, and the same words in another order or with dashes.
var secretLike = pattern.Lazy(`(?i)\b(sk_|sk-(test|live)-|(test|live)[_-]sk[_-])[a-z0-9_-]{8,}`)

// keyArgument matches an argument that may be a key, or an option that would take one.
var keyArgument = pattern.Lazy(`(?i)^\W*(sk|pk)[_-](test|live)[_-]|^\W*(test|live)[_-](sk|pk)[_-]|\bsk_[a-z0-9_-]{8,}|^--?[a-z-]*(key|secret|token|password|passphrase)[a-z-]*(=|$)`)

// MayBeKey reports whether an argument may be a key, or an option that would take one.
func MayBeKey(arg string) bool { return keyArgument().MatchString(arg) }

// Check returns what is wrong with each setting of the profile. The keys of the map are the
// TOML names of the settings ("name" for the profile's name). The messages never quote a
// value, because it may be a secret key in the wrong place.
func (p Profile) Check() map[string]string {
	wrong := map[string]string{}
	check := func(part, value, words string) {
		if secretLike().MatchString(value) {
			words = "must not contain a secret key; keys are kept in the keyring"
		}
		if words != "" {
			wrong[part] = words
		}
	}
	check("name", p.Name, checkName(p.Name))
	check("environment", string(p.Environment), unless(p.Environment == Test || p.Environment == Live, `must be "test" or "live"`))
	check("base_url", p.BaseURL, checkOrigin(p.BaseURL))
	check("list_url", p.ListURL, checkOrigin(p.ListURL))
	check("key", p.Source, p.checkSource())
	check("key_command", string(p.KeyCommand), p.checkCommand())
	check("key_file", p.KeyFile, p.checkKeyFile())
	check("ca_file", p.CAFile, unless(p.CAFile == "" || absolute(p.CAFile), "must be an absolute path, such as /etc/ssl/shop.pem"))
	check("unlock_minutes", "", unless(1 <= p.UnlockMinutes && p.UnlockMinutes <= maxMinutes, "must be a number of minutes from 1 to 480"))
	check("idle_lock", "", unless(0 <= p.IdleLock && p.IdleLock <= maxMinutes, "must be a number of minutes from 0 (never) to 480"))
	switch {
	case p.Journal != "on" && p.Journal != "off":
		wrong["journal"] = `must be "on" or "off"`
	case p.Journal == "off" && p.Environment == Live:
		wrong["journal"] = `must be "on" for live payments; only a test profile may turn it off`
	}
	_, sized := parseMegabytes(p.Mirror)
	check("mirror", p.Mirror, unless(sized, `must be "off", or a size from "1 MB" to "99999 MB"`))
	p.checkWebhooks(check)
	check("key_header", p.KeyHeader, checkHeader(p.KeyHeader))
	check("authenticate_path", p.AuthenticatePath, checkPath(p.AuthenticatePath))
	check("status_path", p.StatusPath, checkPath(p.StatusPath))
	return wrong
}

// checkName says what is wrong with the name of a profile.
func checkName(name string) string {
	if secretLike().MatchString(name) {
		return "must not contain a secret key"
	}
	return unless(only(name, 32, lowerCase+"_-"), "must be 1 to 32 lower-case letters, digits, - and _")
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

func (p Profile) checkCommand() string {
	if p.KeyCommand == "" && p.Source != "command" {
		return ""
	}
	return cmp.Or(unless(p.KeyCommand != "", expectedCommand(keySample)), checkWords(p.KeyCommand.Words(), keySample))
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

// usedHeaders are headers that HTTP itself uses, or that make Go's transport repeat a POST. The client
// does not put the key into one of them either.
var usedHeaders = []string{
	"idempotency-key", "x-idempotency-key", "host", "content-length", "content-type", "content-encoding",
	"transfer-encoding", "connection", "accept", "accept-encoding", "user-agent", "trailer", "upgrade", "te",
	"expect", "cookie",
}

// checkHeader says what is wrong with the header that carries the key.
func checkHeader(name string) string {
	switch {
	case !only(name, 64, tokenChars):
		return "must be the name of a header, such as X-Api"
	case slices.Contains(usedHeaders, strings.ToLower(name)):
		return "must not be a header that HTTP itself uses; the service has one for keys, such as X-Api"
	}
	return ""
}

// checkOrigin says what is wrong with the base URL of a service. The client checks it again;
// this check lets a form report the error early.
func checkOrigin(s string) string {
	u, err := url.Parse(s)
	switch {
	case s == "":
		return "must be a URL, such as https://payments.example"
	case !plainASCII(s) || err != nil:
		return "must be a valid URL: in ASCII, without spaces, such as https://payments.example"
	case strings.ContainsAny(s, "?#"):
		return "must have no ? and no #: it is an address without a query or fragment"
	case u.User != nil:
		return "must have no @: it is an address without a user or password"
	case u.Scheme != "https" && u.Scheme != "http":
		return "must begin with https://"
	case u.Hostname() == "" || strings.HasSuffix(u.Host, ":"):
		return "must name a host, such as https://payments.example"
	case !isHost(u.Hostname()):
		return "must name a host: by its name, such as payments.example, or by its IP address without a zone (%)"
	case !isPort(u.Port()):
		return "must have a valid port: from 1 to 65535, or none"
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return "must begin with https:// (http:// is for this machine only, such as http://127.0.0.1:8080)"
	case hasDotSegment(u.Path):
		return "must have a plain path: without . or .."
	}
	return ""
}

// checkPath says what is wrong with the path of an operation.
func checkPath(s string) string {
	path, _, _ := strings.Cut(s, "?")
	u, err := url.Parse("https://payments.example" + strings.ReplaceAll(path, referencePlaceholder, "a"))
	switch {
	case !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//"):
		return "must begin with one /"
	case !plainASCII(s) || strings.Contains(s, "#"):
		return "must contain only ASCII characters, no spaces and no #"
	case strings.Count(s, referencePlaceholder) != 1:
		return "must contain {reference} exactly once"
	case err != nil || hasDotSegment(u.Path):
		return "must be a path such as /api/payment/transactions/{reference}"
	}
	return ""
}

// plainASCII reports whether s is printable ASCII that all URL parsers read alike.
func plainASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' })
}

func hasDotSegment(path string) bool {
	parts := strings.Split(path, "/")
	return slices.Contains(parts, ".") || slices.Contains(parts, "..")
}

// isHost reports whether host is an IP address, or a name of labels that are neither empty nor longer
// than names can be (RFC 1035). A zone (RFC 6874) means something on one machine only.
func isHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	ok := len(host) <= 253 && !strings.ContainsAny(host, ":%")
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		ok = ok && label != "" && len(label) <= 63
	}
	return ok
}

// isPort reports whether s is "" or a port that can be connected to.
func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
