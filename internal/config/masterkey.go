package config

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	masterKeyVar = "DIALWRIGHT_MASTER_KEY"

	// masterKeyFile is the key file in the data directory, for the embedded database.
	masterKeyFile = "master.key"
	masterKeySize = 32
)

func setMasterKeys(c *Config, v string) (err error) {
	c.MasterKeys, err = parseMasterKeys(v)
	if err == nil && v != "" && len(c.MasterKeys) == 0 {
		err = errors.New("contains no key")
	}
	return err
}

// parseMasterKeys reads a comma list of keys, each in hex or in base64 (either alphabet,
// padded or not), and returns them in standard base64. Errors name a key by its number in
// the list, never by its text.
func parseMasterKeys(v string) ([]string, error) {
	var keys, problems []string
	i := 0
	for item := range strings.SplitSeq(v, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		i++
		if key := decodeMasterKey(item); key != nil {
			keys = append(keys, base64.StdEncoding.EncodeToString(key))
		} else {
			problems = append(problems, fmt.Sprintf("key %d is not 32 bytes in base64 or hex", i))
		}
	}
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "; "))
	}
	return keys, nil
}

// decodeMasterKey returns nil if v is not a key. 64 hex digits would be 48 bytes of
// base64, so the two forms cannot be confused.
func decodeMasterKey(v string) []byte {
	if key, err := hex.DecodeString(v); err == nil && len(key) == masterKeySize {
		return key
	}
	for _, enc := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
	} {
		if key, err := enc.DecodeString(v); err == nil && len(key) == masterKeySize {
			return key
		}
	}
	return nil
}

func newMasterKey() string {
	key := make([]byte, masterKeySize)
	_, _ = rand.Read(key) // never fails
	return base64.StdEncoding.EncodeToString(key)
}

// errNoMasterKey returns an error that contains a new key, in a line to copy.
func errNoMasterKey() error {
	return fmt.Errorf("%s: required with a database of your own, to encrypt secrets at rest. Keep this new one and "+
		"use it: %s=%s", masterKeyVar, masterKeyVar, newMasterKey())
}

// keyFile adds the keys in the data directory's file to MasterKeys. It creates the file
// if there is no key at all. Keys from the environment come first: the first key seals,
// and the keys in the file still open the values that they sealed.
func (c *Config) keyFile() error {
	path := filepath.Join(c.Data, masterKeyFile)
	keys, err := readKeyFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if len(c.MasterKeys) > 0 {
			return nil
		}
		if err := writeKeyFile(path); err != nil {
			return err
		}
		keys, err = readKeyFile(path) // another process may have been first; all read the same keys
	}
	if err != nil {
		return err
	}
	c.MasterKeys = append(c.MasterKeys, keys...)
	return nil
}

func readKeyFile(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the master key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("other users can read the master key %s: run chmod 600 on it", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the master key: %w", err)
	}
	keys, err := parseMasterKeys(strings.ReplaceAll(string(text), "\n", ","))
	if err != nil {
		return nil, fmt.Errorf("read the master key: %s: %w", path, err)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("read the master key: %s is empty", path)
	}
	return keys, nil
}

// writeKeyFile creates the complete file or no file, and never replaces a file. It writes
// the text under another name and links it to the final name, which fails if the final
// name exists.
func writeKeyFile(path string) error {
	dir := filepath.Dir(path)
	// Other users may enter the directory, as the database's user must, but not list it.
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	f, err := os.CreateTemp(dir, masterKeyFile+".new-") // with mode 0600
	if err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	defer os.Remove(f.Name()) //nolint:errcheck // a leftover is a key that seals nothing
	_, err = f.WriteString(newMasterKey() + "\n")
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the master key: %w", err)
	}
	return nil
}
