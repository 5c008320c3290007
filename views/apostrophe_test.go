package views_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts have one kind of apostrophe: the straight one.
func TestApostrophes(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"*.templ", "*/*.templ"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no templates: %v", err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(source), "\n") {
				if strings.Contains(line, "’") {
					t.Errorf("%s:%d: %s", file, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
}
