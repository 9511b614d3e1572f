package ui

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAFactHasItsValueInAColumn(t *testing.T) {
	theme := NewTheme(false)
	for _, c := range []struct{ label, value, want string }{
		{"Host", "shop.example", "Host      shop.example"},
		{"Reference", "", "Reference -"},
		{"A label that is too long", "x", "A label t…x"},
	} {
		if got := ansi.Strip(theme.Fact(c.label, c.value, 10)); got != c.want {
			t.Errorf("%q", got)
		}
	}
	got := theme.FactLines("Why", "no usable answer came", 5, 16)
	for i := range got {
		got[i] = ansi.Strip(got[i])
	}
	if want := []string{"Why  no usable", "     answer came"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestABindingShowsItsKey(t *testing.T) {
	if b := Bind("r", "check now"); !slices.Equal(b.Keys(), []string{"r"}) || b.Help().Key != "r" || b.Help().Desc != "check now" {
		t.Errorf("%+v", b)
	}
	if b := Bind("↓", "next", "down", "j"); !slices.Equal(b.Keys(), []string{"down", "j"}) || b.Help().Key != "↓" {
		t.Errorf("%+v", b)
	}
}
