package screens

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A route without a case would end the program when somebody goes there.
func TestEveryRouteHasAScreen(t *testing.T) {
	routes, err := os.ReadFile("nav/nav.go")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^func \((\w+)\) route\(\)`).FindAllStringSubmatch(string(routes), -1)
	for _, r := range all {
		if !strings.Contains(string(cases), "\tcase nav."+r[1]+":\n") {
			t.Errorf("build has no case for nav.%s", r[1])
		}
	}
	if len(all) < 20 {
		t.Errorf("only %d routes were found", len(all))
	}
}
