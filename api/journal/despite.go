package journal

import (
	"context"
	"slices"
)

// despite is the key of a context's value.
type despite struct{}

// Despite is a context in which a payment may be sent although the attempts named look
// like it: a person was shown them all and wants it all the same (R44). Any other
// look-alike still stops it.
func Despite(ctx context.Context, shown ...ID) context.Context {
	return context.WithValue(ctx, despite{}, slices.Concat(Acknowledged(ctx), shown))
}

// Acknowledged lists the look-alikes that a person was shown and goes on despite; none in a
// context that [Despite] did not make.
func Acknowledged(ctx context.Context) []ID {
	shown, _ := ctx.Value(despite{}).([]ID)
	return slices.Clone(shown)
}
