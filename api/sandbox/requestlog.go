package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A loggedWriter records what the log says about a request.
type loggedWriter struct {
	http.ResponseWriter
	request *http.Request
	started time.Time
	fault   string
	status  int // 0 before the response
}

// WriteHeader records the status.
func (w *loggedWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the connection.
func (w *loggedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// writeLine writes the line when the request has ended, also when a fault dropped its
// connection. Nothing from the request itself is in it: the path is a template.
func (w *loggedWriter) writeLine(log func(string)) {
	if log == nil {
		return
	}
	status := "-"
	if w.status != 0 {
		status = strconv.Itoa(w.status)
	}
	took := time.Since(w.started).Round(time.Microsecond).String()
	method, path := knownMethod(w.request.Method), template(w.request.URL.Path)
	words := []string{w.started.Format("15:04:05.000"), method, path, status, took}
	if w.fault != "" {
		words = append(words, "fault "+w.fault)
	}
	log(strings.Join(words, " "))
}

// knownMethod returns OTHER for an unusual method, which could contain any text.
func knownMethod(method string) string {
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	if slices.Contains(known, method) {
		return method
	}
	return "OTHER"
}

// template is a path with placeholders for its variable parts.
func template(path string) string {
	switch {
	case strings.HasPrefix(path, bankPath):
		return bankPath + "{reference}"
	case strings.HasPrefix(path, linkPath):
		return linkPath + "{alias}"
	case strings.HasPrefix(path, controlPath):
		return controlTemplate(path)
	}
	op, _ := findOperation(path)
	return cmp.Or(op.path, "(nothing here)")
}
