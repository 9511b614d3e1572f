package command

import (
	"strings"

	"github.com/spf13/cobra"
)

// A Word of a usage line is an argument or an option: "REF", or "--amount".
type Word struct {
	Name           string
	Optional, Many bool // in brackets, and with dots
}

// IsOption reports whether it is an option, and no argument.
func (w Word) IsOption() bool { return strings.HasPrefix(w.Name, "--") }

// A Need of a command is one of the ways that its usage line has between parentheses, or a word alone.
type Need struct {
	Ways [][]Word
	Open bool // there are others, so that the command itself asks for one
}

// Needs are what the usage line of a command names, in its order.
func Needs(c *cobra.Command) (all []Need) {
	inside, before := false, ""
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(c.Use))[1:] {
		w, last := Word{strings.Trim(word, "[]…"), strings.HasPrefix(word, "["), strings.Contains(word, "…")}, len(all)-1
		switch isValue := strings.HasPrefix(before, "--") && !w.IsOption(); {
		case word == "(" || word == ")":
			if inside = word == "("; inside {
				all = append(all, Need{Ways: make([][]Word, 1)})
			}
		case word == "|" && inside:
			all[last].Ways = append(all[last].Ways, nil)
		case word == "…":
			all[last].Open = true
		case word == "|" || isValue:
		case inside:
			way := len(all[last].Ways) - 1
			all[last].Ways[way] = append(all[last].Ways[way], w)
		default:
			all = append(all, Need{Ways: [][]Word{{w}}})
		}
		before = word
	}
	return all
}
