package screens_test

import (
	"testing"

	"paydesk/screens/consoletest"
)

func TestTheListIsWalkedToItsLastPageAndBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t").Sees("Page 1 of 61 · rows 1–20 of 1,204").Golden("transactions/first")
		c.Press("n").Sees("Page 2 of 61 · rows 21–40 of 1,204")
		c.Press("]").Sees("Page 61 of 61 · rows 1,201–1,204 of 1,204").Golden("transactions/last")
		c.Press("n").Sees("Page 61 of 61")
		c.Press("p").Sees("Page 60 of 61")
		c.Press("[").Sees("Page 1 of 61")
		c.Press(":").Type("30").Press("enter").Sees("Page 30 of 61 · rows 581–600 of 1,204")
	})
}

func TestARowShowsItsRawObject(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t").Press("down", "enter").Sees(`"amount":`, `"currency":`, `"status":`).Golden("transactions/detail")
		c.Press("esc").Sees("Page 1 of 61")
	})
}

func TestAFilterSaysWhatItSearched(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t", "n").Press("/").Type("jpy").Sees("1,204").Golden("transactions/filter")
	})
}
