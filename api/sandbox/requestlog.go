package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A loggedWriter is an answer while it is written, and what the log says of it.
type loggedWriter struct {
	http.ResponseWriter
	log     func(string)
	started time.Time
	method  string
	path    string // a template: nothing of what was asked
	fault   string
	status  int // 0 while there is none
}

// loggedWriter begins the line of a request.
func (s *Sandbox) loggedWriter(w http.ResponseWriter, r *http.Request) *loggedWriter {
	return &loggedWriter{ResponseWriter: w, log: s.log, started: time.Now(), method: knownMethod(r.Method), path: template(r.URL.Path)}
}

// WriteHeader notes the status.
func (w *loggedWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap leads [http.ResponseController] to the connection.
func (w *loggedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// writeLine writes the line.
func (w *loggedWriter) writeLine() {
	if w.log == nil {
		return
	}
	status := "-"
	if w.status != 0 {
		status = strconv.Itoa(w.status)
	}
	words := []string{w.started.Format("15:04:05.000"), w.method, w.path, status, time.Since(w.started).Round(time.Microsecond).String()}
	if w.fault != "" {
		words = append(words, "fault "+w.fault)
	}
	w.log(strings.Join(words, " "))
}

// knownMethod names the usual methods; another may say anything.
func knownMethod(method string) string {
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	if slices.Contains(known, method) {
		return method
	}
	return "OTHER"
}

// template names the place of a path without what is particular in it.
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
