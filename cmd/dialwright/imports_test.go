package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/dialwright/dialwright/"

// storeys is the order of ARCHITECTURE.md from the ground up: a package may
// import what stands on a lower storey, never its own or a higher one (a folder
// and its subfolders stand together).
var storeys = [][]string{
	{"internal/fault", "internal/testwait", "migrations", "static"},
	{"internal/config", "internal/compress", "internal/export", "internal/phone", "internal/hours", "internal/carrier", "internal/messaging/cloud", "internal/messaging/sandbox", "internal/page", "internal/reference", "internal/peer", "internal/sheet", "internal/wire", "internal/guard"},
	{"internal/postgres", "internal/check", "internal/conversation", "internal/browsertest"},
	{"internal/account"},
	{"internal/webhook", "internal/upload"},
	{"internal/project", "internal/suppression"},
	{"internal/call", "internal/messaging"},
	{"internal/campaign"},
	{"internal/erasure"},
	{"views", "internal/worker"},
	{"api", "web"},
	{"cmd"},
}

func storey(pkg string) int {
	return slices.IndexFunc(storeys, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return inside(pkg, name) })
	})
}

func inside(pkg, name string) bool { return pkg == name || strings.HasPrefix(pkg, name+"/") }

// imports lists the direct imports of our packages below path.
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

func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	all := imports(t, "...")
	if len(all) < 15 {
		t.Fatalf("only %d packages listed", len(all))
	}
	for pkg, imported := range all {
		from := storey(pkg)
		if from < 0 {
			t.Errorf("%s has no storey: give it one here and in ARCHITECTURE.md", pkg)
			continue
		}
		for _, path := range imported {
			below, ours := strings.CutPrefix(path, module)
			if !ours || sameFolder(pkg, below) {
				continue
			}
			if to := storey(below); to >= from {
				t.Errorf("%s (storey %d) imports %s (storey %d)", pkg, from, below, to)
			}
		}
	}
}

// sameFolder is true within one entry of storeys: views/layout may import views/ui.
func sameFolder(a, b string) bool {
	return slices.ContainsFunc(storeys, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return inside(a, name) && inside(b, name) })
	})
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
