package keystore

import "strings"

// A Command is a program and its arguments. It is one text, its words parted by NUL,
// so that profiles can be compared.
type Command string

// NewCommand makes a Command of words, none of which holds NUL.
func NewCommand(words ...string) Command { return Command(strings.Join(words, "\x00")) }

// Words are the program and its arguments; none for no command.
func (c Command) Words() []string {
	if c == "" {
		return nil
	}
	return strings.Split(string(c), "\x00")
}

// String is for people: the words with blanks between them, not to be run.
func (c Command) String() string { return strings.Join(c.Words(), " ") }

// assign takes in a list of the file.
func (c *Command) assign(v any) bool {
	list, ok := v.([]any)
	if !ok {
		return false
	}
	var words []string
	for _, one := range list {
		word, ok := one.(string)
		if !ok || strings.Contains(word, "\x00") {
			return false
		}
		words = append(words, word)
	}
	*c = NewCommand(words...)
	return true
}
