package screens_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages of the project each may import. A name that ends in /*
// stands for each package below it. Data flows one way: nothing is here that is not drawn.
var arrows = map[string][]string{
	".":                   {"keystore", "screens/cli"},
	"screens/cli":         {"api", "api/*", "api/journal/postgres", "keystore", "screens", "screens/*", "screens/cli/*", "ui", "ui/terminal"},
	"screens/cli/command": {"api", "api/*", "api/journal/postgres", "keystore", "screens", "screens/cli/output", "screens/nav", "screens/payment", "screens/present", "screens/requests", "ui", "ui/terminal"},
	"screens/cli/*":       {"api", "api/*", "api/journal/*", "keystore", "screens", "screens/attempt", "screens/cli/command", "screens/cli/output", "screens/links", "screens/present", "screens/report", "screens/requests", "ui", "ui/terminal"}, // a noun: none knows another
	"screens/cli/payment": {"api", "api/*", "screens/cli/command", "screens/cli/output", "screens/collect", "screens/links", "screens/payment", "screens/present", "screens/report", "ui", "ui/terminal"},
	"screens/cli/output":  {"api", "api/export", "api/journal", "api/ledger", "api/listing", "api/money", "api/session", "api/webhook", "keystore", "screens/report", "ui"},
	"screens/cli/clitest": {"api/sandbox", "api/sandbox/faulttest", "api/timely", "keystore", "keystore/keystoretest", "screens/cli", "screens/cli/command", "screens/cli/output"},
	"api":                 {"api/card", "api/money"},
	"api/card":            {},
	"api/money":           {},
	"api/text":            {},                                                                               // characters and patterns of text: any package may but the sandbox
	"api/webhook":         {"api", "api/card", "api/httpserver", "api/money", "api/query", "api/statefile"}, // a hint, kept and compared with the status
	"api/export":          {"api", "api/card", "api/statefile"},                                             // how rows become files, whatever they are of
	"api/query":           {"api/money"},
	"api/listing":         {"api", "api/card", "api/journal", "api/ledger", "api/money", "api/query", "api/statefile"},
	"api/servicetest":     {"api", "api/money"},
	"api/session":         {"api", "api/card", "api/journal", "api/ledger", "api/listing", "api/money", "api/webhook"},
	"api/browser":         {"api", "api/httpserver"},
	"api/httpserver":      {},
	"api/ledger":          {"api", "api/card", "api/money"}, // what is known, and what may be done next: rules without I/O
	"api/journal":         {"api", "api/card", "api/ledger", "api/money", "api/query", "api/statefile"},
	"api/statefile":       {},                 // how files beside each other are kept
	"api/sandbox":         {"api/httpserver"}, // it must be able to disagree with the client
	"keystore":            {"api"},
	"ui":                  {"api/card", "api/money"}, // widgets know values, not servers
	"ui/termtest":         {"ui/terminal"},
	"ui/terminal":         {},
	"screens":             {"api", "api/journal", "api/ledger", "api/listing", "api/sandbox", "api/session", "api/webhook", "keystore", "screens/*", "ui", "ui/terminal"},
	"screens/requests":    {"api", "api/journal", "api/ledger", "api/session", "keystore", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/activity":    {"api", "api/export", "api/journal", "api/ledger", "api/query", "api/session", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/detail":      {"api", "api/export", "api/session", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/links":       {"api", "api/journal", "api/ledger", "api/money", "api/query", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/list":        {"api/journal", "api/query", "screens/detail", "screens/present", "screens/report", "ui"}, // rows of anything
	"screens/payment":     {"api", "api/card", "api/journal", "api/ledger", "api/money", "api/session", "screens/detail", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/inbox":       {"api", "api/card", "api/ledger", "api/query", "api/webhook", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/attempt":     {"api", "api/export", "api/ledger", "api/listing", "screens/detail", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/report":      {"api", "api/export", "api/journal", "api/ledger", "api/listing", "api/money", "api/session", "api/webhook", "keystore", "screens/present", "ui"}, // what is said, by whomever
	"screens/nav":         {"api", "api/ledger", "keystore", "ui"},
	"screens/lock":        {"api", "api/journal", "api/session", "keystore", "screens/detail", "screens/nav", "screens/present", "ui"},
	"screens/present":     {"api", "api/journal", "api/ledger", "api/listing", "api/query", "api/session", "ui"},
	"screens/consoletest": {"api", "api/journal", "api/ledger", "api/listing", "api/sandbox", "api/sandbox/faulttest", "api/statefile", "api/timely", "api/webhook", "keystore", "screens", "screens/*", "ui", "ui/termtest"},
	"screens/screentest":  {"api", "api/ledger", "api/money", "api/session", "api/statefile", "screens/nav", "ui", "ui/termtest"},
	"screens/keys":        {"api", "keystore", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},
	"screens/*":           {"api", "api/card", "api/journal", "api/ledger", "api/money", "api/query", "api/session", "screens/detail", "screens/nav", "screens/present", "screens/report", "ui"},

	// The service's list, page by page or all that a scan has read of it.
	"screens/transactions": {"api", "api/card", "api/export", "api/journal", "api/ledger", "api/listing", "api/query", "screens/detail", "screens/list", "screens/nav", "screens/present", "screens/report", "ui"},

	// The sandbox from the inside: only its values, and the way to the first payment.
	"screens/sandbox": {"api", "api/card", "api/money", "api/sandbox", "api/webhook", "screens/detail", "screens/nav", "screens/present", "ui"},

	// The journal of a team, on a server.
	"api/journal/postgres":        {"api/journal", "api/ledger", "api/statefile"},
	"api/journal/postgres/pgtest": {"api/timely"},

	// For tests alone. The checker knows nothing of what it checks.
	"api/session/simulationtest": {},
	"api/timely":                 {},
	"api/query/querytest":        {"api/query"},
	"api/sandbox/faulttest":      {"api/sandbox"},
	"keystore/keystoretest":      {"api/timely"},
}

// allowed returns what a package may import: its own line, or that of its parent's
// children.
func allowed(pkg string) ([]string, bool) {
	if to, ok := arrows[pkg]; ok {
		return to, true
	}
	to, ok := arrows[path.Dir(pkg)+"/*"]
	return to, ok
}

func TestPackagesImportOnlyAlongTheArrows(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg, _ := filepath.Rel("..", filepath.Dir(file))
		pkg = filepath.ToSlash(pkg)
		to, drawn := allowed(pkg)
		if !drawn {
			t.Errorf("%s: package %s is not in the picture", file, pkg)
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			own, is := strings.CutPrefix(name, "paydesk/")
			if !is {
				continue
			}
			seen++
			shared := own == "api/text" && pkg != "api/sandbox"
			if !shared && !slices.Contains(to, own) && !slices.Contains(to, path.Dir(own)+"/*") {
				t.Errorf("%s: %s may not import %s", file, pkg, own)
			}
		}
		return nil
	})
	must(t, err)
	if seen < 50 {
		t.Fatalf("only %d imports were looked at", seen)
	}
}
