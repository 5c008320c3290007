package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every file that a page for developers names exists.
func TestFilesThatThePagesNameExist(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`((?:api|web|views|cmd|internal|migrations|static|tools)/[\\w./-]+\\.\\w+)`")
	root := filepath.Join("..", "..")
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		paths := named.FindAllSubmatch(text, -1)
		if len(paths) == 0 {
			t.Errorf("%s names no file", page)
		}
		for _, path := range paths {
			if _, err := os.Stat(filepath.Join(root, string(path[1]))); errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s names %s, which is not there", page, path[1])
			}
		}
	}
}
