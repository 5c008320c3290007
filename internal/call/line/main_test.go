package line_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs many tests at once, because they wait for conversations most of their time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
