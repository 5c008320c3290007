package main

import (
	"context"
	"fmt"
	"runtime/debug"
)

// version is set by the linker in make build.
var version string

func init() {
	if version == "" {
		info, _ := debug.ReadBuildInfo()
		version = versionOf(info)
	}
}

// versionOf returns the version that the go command stored in the binary: the version of an installed module, else the
// commit of the build.
func versionOf(info *debug.BuildInfo) string {
	if info == nil {
		return "dev"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	var revision, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if revision == "" {
		return "dev"
	}
	return revision + dirty
}

func isVersion(arg string) bool { return arg == "--version" || arg == "-version" || arg == "-v" }

func printVersion(_ context.Context, p *process) error {
	_, err := fmt.Fprintln(p.stdout, "dialwright", version)
	return err
}
