package journal

import (
	"context"
	"slices"
)

// despite is the key of a context's value.
type despite struct{}

// WithAllowedDuplicates is a context in which a payment may be sent although the attempts named look
// like it: a person was shown them all and wants it all the same (R44). Any other
// look-alike still stops it.
func WithAllowedDuplicates(ctx context.Context, shown ...ID) context.Context {
	return context.WithValue(ctx, despite{}, slices.Concat(AllowedDuplicates(ctx), shown))
}

// AllowedDuplicates lists the look-alikes that a person was shown and goes on despite; none in a
// context that [WithAllowedDuplicates] did not make.
func AllowedDuplicates(ctx context.Context) []ID {
	shown, _ := ctx.Value(despite{}).([]ID)
	return slices.Clone(shown)
}
