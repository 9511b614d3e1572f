package screens_test

import "time"

const (
	// soon is how long a program may take to end once it is told from outside.
	soon = 2 * time.Second
	// byItself is how long it has for that before it is broken off in what it does and says.
	byItself = 1900 * time.Millisecond
)
