package main

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module       = "github.com/dialwright/dialwright/"
	architecture = "../../ARCHITECTURE.md"
)

// rows reads the import order from the page's table. It returns the row number of each package, from the top.
func rows(t *testing.T, page string) map[string]int {
	t.Helper()
	_, table, found := strings.Cut(page, "\n| Package | Owns |\n|---|---|\n")
	if !found {
		t.Fatalf("%s has no table of packages", architecture)
	}
	name := regexp.MustCompile("`([^`]+)`")
	order := make(map[string]int)
	row := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		names := name.FindAllStringSubmatch(strings.Split(line, "|")[1], -1)
		if len(names) == 0 {
			t.Errorf("%s: this row names no package: %s", architecture, line)
		}
		for _, match := range names {
			if _, twice := order[match[1]]; twice {
				t.Errorf("%s names %s twice", architecture, match[1])
			}
			order[match[1]] = row
		}
		row++
	}
	return order
}

// imports lists the direct imports of the product's packages below path, without the imports of their tests.
func imports(t *testing.T, path string) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+path).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		all[strings.TrimPrefix(fields[0], module)] = fields[1:]
	}
	return all
}

func TestImportsFollowTheArchitecturePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	order := rows(t, string(page))
	packages := imports(t, "...")
	for _, pkg := range slices.Sorted(maps.Keys(order)) {
		if _, exists := packages[pkg]; !exists {
			t.Errorf("%s names %s, which is no package", architecture, pkg)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		from, listed := order[pkg]
		if !listed {
			t.Errorf("%s does not name %s: add it to the row that fits its imports", architecture, pkg)
			continue
		}
		for _, path := range packages[pkg] {
			imported, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			if to, listed := order[imported]; listed && to <= from {
				t.Errorf("%s imports %s, which is not in a row below it in %s", pkg, imported, architecture)
			}
		}
	}
}

func TestViewsKnowNeitherHTTPNorSQL(t *testing.T) {
	t.Parallel()
	for pkg, imported := range imports(t, "views/...") {
		for _, path := range imported {
			if path == "net/http" || strings.HasPrefix(path, "github.com/jackc/pgx") {
				t.Errorf("%s imports %s", pkg, path)
			}
		}
	}
}
