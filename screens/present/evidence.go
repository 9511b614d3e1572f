package present

import (
	"cmp"

	"paydesk/api"
	"paydesk/api/gate"
)

// evidenceSources are the words for the sources of evidence.
var evidenceSources = map[gate.Source]string{
	gate.ByProfile: "The profile declares", gate.ByKey: "The key prefix is for",
	gate.ByHost: "The payment host is", gate.ByList: "The list host is", gate.ByLink: "A new link was made in",
}

// Evidence words what one source says about the environment: the source, what it says, and what that means.
func Evidence(e gate.Evidence) (source, word, means string) {
	means = "proves nothing"
	switch e.Says {
	case api.LiveMode:
		means = "live"
	case api.TestMode:
		means = "not live"
	}
	return evidenceSources[e.By], Plain(cmp.Or(e.Word, "nothing")), means
}
