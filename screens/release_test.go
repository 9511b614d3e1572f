//go:build unix

package screens_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What .ci/release allows is told from the words of a licence; those of another beside them must not hide.
func TestALicenceIsKnownByItsWords(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("this machine has no bash")
	}
	const (
		mit     = "MIT License\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy of this software"
		bsd     = "Redistributions of source code must retain the above copyright\n"
		endorse = "Neither the name of the author nor those of its\ncontributors may be used"
		apache  = "          Apache License\n   Version 2.0, January 2004\n   http://www.apache.org/licenses/"
		isc     = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without\nfee is hereby granted"
		gpl     = "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"
		mpl     = "Mozilla Public License Version 2.0"
	)
	for text, want := range map[string]string{
		mit: "MIT", bsd: "BSD-2-Clause", bsd + endorse: "BSD-3-Clause", apache: "Apache-2.0",
		isc + ", provided that the above": "ISC", isc + ". THE SOFTWARE IS PROVIDED": "0BSD",
		mit + "\n" + bsd: "MIT BSD-2-Clause", mit + "\n" + gpl: "MIT ?", gpl: "?", mpl: "?",
		"GNU Affero General\nPublic License": "?", "All rights reserved.": "?", "": "?",
		"https://creativecommons.org/licenses/by-sa/4.0/": "?", "Common Development and Distribution License": "?",
	} {
		file := filepath.Join(t.TempDir(), "LICENSE")
		must(t, os.WriteFile(file, []byte(text), 0o600))
		out, err := exec.Command("../.ci/release", "named", file).CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}
