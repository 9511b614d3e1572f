package api

import (
	"net/http"
	"net/url"

	"paydesk/api/card"
)

// isRedirect reports whether a status sends the client to another address. None is followed: see
// [Config.client].
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirectWords say where a response from one of the configured origins redirects to, and which setting
// of the profile names that origin. A path is not repeated: it may hold what was typed.
func (c *Client) redirectWords(origin *url.URL, location string) string {
	setting := "base_url"
	if origin == c.list {
		setting = "list_url"
	}
	to, err := origin.Parse(location)
	switch {
	case location == "":
		return setting + " redirects without saying where to"
	case err != nil || to.Host == "":
		return setting + " redirects to something that is not a web address"
	case to.Scheme == origin.Scheme && to.Host == origin.Host:
		return setting + " redirects to another path of the same host"
	}
	return setting + " redirects to " + card.Redact(redactor{key: c.key.Expose(), sent: &c.sent}.redact(to.Scheme+"://"+to.Host))
}
