package config_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/config"
)

var sealing = config.Command{
	Name:     "serve",
	Seals:    true,
	Settings: []string{"data", "DATABASE_URL", "DIALWRIGHT_MASTER_KEY", "drain"},
}

func loadSealing(env map[string]string, args ...string) (config.Config, error) {
	return sealing.Load(args, func(name string) string { return env[name] }, new(bytes.Buffer))
}

func key(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func TestMasterKeysAreReadInEveryForm(t *testing.T) {
	t.Parallel()
	want := []string{
		base64.StdEncoding.EncodeToString(key(0xfb)),
		base64.StdEncoding.EncodeToString(key(0xfc)),
		base64.StdEncoding.EncodeToString(key(0xfd)),
	}
	given := want[0] + " , " + hex.EncodeToString(key(0xfc)) + "," + base64.RawURLEncoding.EncodeToString(key(0xfd)) +
		","
	c, err := loadSealing(map[string]string{"DIALWRIGHT_MASTER_KEY": given, "DATABASE_URL": "postgres://h/d"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.MasterKeys, want) {
		t.Fatalf("%v, want %v", c.MasterKeys, want)
	}
}

func TestAWrongMasterKeyIsNamedByItsPlaceOnly(t *testing.T) {
	t.Parallel()
	good := base64.StdEncoding.EncodeToString(key(1))
	for _, bad := range []string{"hunter2", good[:40], good + "AAAA", hex.EncodeToString(key(1)) + "00"} {
		_, err := loadSealing(map[string]string{
			"DIALWRIGHT_MASTER_KEY": good + "," + bad, "DATABASE_URL": "postgres://h/d",
		})
		if err == nil || !strings.Contains(err.Error(), "key 2") || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := loadSealing(map[string]string{
		"DIALWRIGHT_MASTER_KEY": " , ", "DATABASE_URL": "postgres://h/d",
	}); err == nil {
		t.Error("a list of no keys was accepted")
	}
}

func TestWithADatabaseURLTheKeyIsRequiredAndTheErrorOffersOne(t *testing.T) {
	t.Parallel()
	_, err := loadSealing(map[string]string{"DATABASE_URL": "postgres://h/d"}, "--drain", "soon")
	if err == nil {
		t.Fatal("accepted")
	}
	if !strings.Contains(err.Error(), "--drain") {
		t.Errorf("the other problem is not reported: %v", err)
	}
	line := regexp.MustCompile(`DIALWRIGHT_MASTER_KEY=(\S+)$`).FindStringSubmatch(err.Error())
	if line == nil {
		t.Fatalf("no line to copy in: %v", err)
	}
	c, err := loadSealing(map[string]string{"DATABASE_URL": "postgres://h/d", "DIALWRIGHT_MASTER_KEY": line[1]})
	if err != nil || len(c.MasterKeys) != 1 {
		t.Fatalf("the offered line is refused: %v", err)
	}
}

func TestOnTheEmbeddedDefaultProcessesStartingTogetherGetOneKey(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "data")
	keys := make([][]string, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			c, err := loadSealing(nil, "--data", dir)
			if err != nil {
				t.Error(err)
			}
			keys[i] = c.MasterKeys
		})
	}
	all.Wait()
	for _, k := range keys {
		if len(k) != 1 || !slices.Equal(k, keys[0]) {
			t.Fatalf("not one key for all: %v", keys)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "master.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was left behind: %v", entries)
	}
}

func TestTheFileStillOpensWhenTheEnvironmentSeals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before, err := loadSealing(nil, "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	fresh := base64.StdEncoding.EncodeToString(key(7))
	after, err := loadSealing(map[string]string{"DIALWRIGHT_MASTER_KEY": fresh}, "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{fresh, before.MasterKeys[0]}; !slices.Equal(after.MasterKeys, want) {
		t.Fatalf("%v, want %v", after.MasterKeys, want)
	}
}

func TestAKeyFileThatIsOpenToOthersEmptyOrSpoiltIsRefused(t *testing.T) {
	t.Parallel()
	for text, mode := range map[string]os.FileMode{
		base64.StdEncoding.EncodeToString(key(1)): 0o644,
		"":         0o600,
		"spoilt\n": 0o600,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "master.key")
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // regardless of the umask
			t.Fatal(err)
		}
		if _, err := loadSealing(nil, "--data", dir); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q with mode %v: %v", text, mode, err)
		}
	}
}

func TestNothingIsMadeWhenSomethingIsWrong(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := loadSealing(nil, "--data", dir, "--drain", "soon"); err == nil {
		t.Fatal("accepted")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Fatalf("the data directory was made: %v", err)
	}
}
