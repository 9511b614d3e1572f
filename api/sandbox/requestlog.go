package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A loggedWriter records what the log says about a request.
type loggedWriter struct {
	http.ResponseWriter
	log     func(string)
	started time.Time
	method  string
	path    string // a template: nothing from the request itself
	fault   string
	status  int // 0 before the response
}

func (s *Sandbox) loggedWriter(w http.ResponseWriter, r *http.Request) *loggedWriter {
	return &loggedWriter{
		ResponseWriter: w, log: s.options.Log, started: time.Now(),
		method: knownMethod(r.Method), path: template(r.URL.Path),
	}
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
// connection.
func (w *loggedWriter) writeLine() {
	if w.log == nil {
		return
	}
	status := "-"
	if w.status != 0 {
		status = strconv.Itoa(w.status)
	}
	took := time.Since(w.started).Round(time.Microsecond).String()
	words := []string{w.started.Format("15:04:05.000"), w.method, w.path, status, took}
	if w.fault != "" {
		words = append(words, "fault "+w.fault)
	}
	w.log(strings.Join(words, " "))
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
	if op, _, is := findOperation(path); is {
		return op.path
	}
	return "(nothing here)"
}
