package screens_test

import "fmt"

// sscan reads blank-separated words.
func sscan(line string, into ...any) (int, error) { return fmt.Sscan(line, into...) }
