package raw

import "paydesk/screens/present"

// Command implements [ui.Commander]: what the command of the same subject prints for programs.
func (m *Model) Command() []string {
	switch a := m.about; {
	case a.Reference != "":
		return present.CommandOn(string(a.Reference), "status", "--json")
	case a.Link != "":
		return present.CommandOn(string(a.Link), "link", "show", "--json")
	case a.Attempt != "":
		return []string{"activity", "show", "--json", string(a.Attempt)}
	}
	return nil
}
