package sandbox

import (
	"net/http"
)

const controlPath = "/_sandbox/"

func (s *Sandbox) control(r *http.Request) answer {
	return nowhere.refuse(404, "There is nothing at this path.")
}

func controlTemplate(string) string { return controlPath }
