// Package testtool finds the programs that a test runs beside the product.
package testtool

import (
	"os"
	"os/exec"
	"testing"
)

// Find returns the path of a program. Without it the test is skipped. With CI=true it fails.
func Find(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	Need(tb, err)
	return path
}

// Need skips a test if what it needs is not there. With CI=true the test fails.
func Need(tb testing.TB, err error) {
	tb.Helper()
	if err != nil && os.Getenv("CI") == "true" {
		tb.Fatal(err)
	}
	if err != nil {
		tb.Skip(err)
	}
}
