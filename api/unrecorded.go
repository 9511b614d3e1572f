package api

import "context"

type unrecordedContext struct{}

// Unrecorded returns a context in which a status is requested for a webhook that anybody may have made up: whoever
// remembers what was looked up remembers nothing of it but what it says about the key.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, unrecordedContext{}, true)
}

// IsUnrecorded reports whether a context is one of [Unrecorded].
func IsUnrecorded(ctx context.Context) bool { return ctx.Value(unrecordedContext{}) != nil }
