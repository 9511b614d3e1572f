package sandbox

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// steps set how far the clock can be moved on at once.
var steps = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// openClock opens the choice of how far the clock is moved on.
func (m *Model) openClock() tea.Cmd {
	of := chooser("Clock", "Clock", steps, func(by time.Duration) []ui.Cell { return []ui.Cell{{Text: "+" + present.Lasted(by)}} },
		ui.Column{Title: "Move the clock on by", Width: 20, Grow: true})
	of.Says = func(_ time.Duration, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap("Payments settle, accounts expire and webhooks are retried as if the time had passed. The clock cannot be moved back.", w)...)
	}
	of.Commands = func(by time.Duration, _ bool) ui.Commands {
		return ui.Commands{{Key: ui.Bind("enter", "move on"), On: true, Do: func() tea.Cmd { return m.moveClock(by) }}}
	}
	return detail.NewChooser(m.Body, of).Open(1)
}

// moveClock moves the clock on, after a question where that may end more than one payment.
func (m *Model) moveClock(by time.Duration) tea.Cmd {
	box, n := m.sandbox, m.open()
	move := func() tea.Cmd {
		return m.act(func(ctx context.Context) error { return box.Forward(ctx, by) }, func(err error) tea.Cmd {
			return m.tell("The clock is now " + present.Lasted(m.view.Ahead) + " ahead.")(err)
		})
	}
	if n < 2 {
		return tea.Batch(move(), nav.Pop)
	}
	return m.ask(ui.Question{
		Title: "Move the clock on by " + present.Lasted(by) + "?",
		Lines: []string{present.Thousands(n) + " payments are not final: each of them may settle, fail or expire. The clock cannot be moved back."},
		Yes:   "Move on",
	}, move)
}

// openSwitches lists what the specification leaves open, to be set.
func (m *Model) openSwitches() tea.Cmd {
	of := chooser("Switches", "Switch", nil, switchCells,
		ui.Column{Title: "Switch", Width: 22}, ui.Column{Title: "Value", Width: 27, Grow: true})
	of.All = func() []sandbox.Switch { return m.view.Switches }
	of.Says = func(one sandbox.Switch, _ bool, w, _ int) []present.Line {
		accepts := strings.Join(one.Values, ", ")
		if one.Values == nil {
			accepts = anyWord
		}
		return m.facts(w, fact{rankKeep, "Decides", present.Sentence(one.Does)}, fact{rankWhere, "Accepts", accepts})
	}
	of.Commands = func(one sandbox.Switch, _ bool) ui.Commands {
		next := "next"
		if one.Values == nil {
			next = "type a word"
		}
		return ui.Commands{
			{Key: ui.Bind("enter", next, "enter", "right", "space"), On: true, Do: func() tea.Cmd { return m.cycle(one, 1) }},
			{Key: ui.Bind("←", "previous", "left"), On: one.Values != nil, Do: func() tea.Cmd { return m.cycle(one, -1) }},
			{Key: ui.Bind("x", "clear"), On: one.Value != one.Default, Do: func() tea.Cmd { return m.set(one, one.Default) }},
		}
	}
	return detail.NewChooser(m.Body, of).Open(0)
}

const anyWord = "a word of up to 64 characters" // what a switch without values accepts

func switchCells(w sandbox.Switch) []ui.Cell {
	value := visible(w.Value)
	if w.Value != w.Default {
		value += ", by default " + visible(w.Default)
	}
	return []ui.Cell{{Text: w.Name}, {Text: value}}
}

// visible makes an empty value visible.
func visible(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}

// cycle sets the next or previous value, or asks for a word.
func (m *Model) cycle(one sandbox.Switch, by int) tea.Cmd {
	if n := len(one.Values); n > 0 {
		i := slices.Index(one.Values, one.Value)
		return m.set(one, one.Values[(i+by+n)%n])
	}
	if by < 0 {
		return nil
	}
	f := ui.NewTextField(m.Theme, one.Name, one.Does, ui.Required(), ui.Limit(64), ui.Initial(one.Value))
	box := m.sandbox
	under := func(w int) []string {
		t := m.Theme
		lines := append([]string{"", t.Rule("Switch", "", w)}, t.FactLines("Accepts", anyWord, label, w)...)
		return append(lines, t.FactLines("Default", visible(one.Default), label, w)...)
	}
	return m.openEntry("Switch", f, under, "", func(ctx context.Context, word string) error { return box.SetSwitch(ctx, one.Name, word) })
}

// set sets a switch, or says why the sandbox does not take the value.
func (m *Model) set(one sandbox.Switch, value string) tea.Cmd {
	box := m.sandbox
	return m.act(func(ctx context.Context) error { return box.SetSwitch(ctx, one.Name, value) }, m.tell(""))
}
