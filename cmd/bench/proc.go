package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// What the kernel knows of a process, read from /proc (proc(5)): Linux only.

// clockTicks per second are the unit of the times in /proc/PID/stat: 100 on every Linux
// that Go runs on.
const clockTicks = 100

// fieldOf is the value behind "name:" in a file of such lines, "" without one.
func fieldOf(path, name string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// bytesOf is a field of that form: "123 kB".
func bytesOf(path, name string) int64 {
	field := fieldOf(path, name)
	kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(field, "kB")), 10, 64)
	if err != nil {
		failf("read %s of %s: %q", name, path, field)
	}
	return kb << 10
}

// peakMemory is the most memory, in bytes, that a process ever had resident (VmHWM).
func peakMemory(p *process) int64 { return bytesOf(fmt.Sprintf("/proc/%d/status", p.pid()), "VmHWM") }

// usage is the CPU time of a process, in user and kernel mode.
type usage struct {
	parent      int
	own, reaped time.Duration // reaped: of children that have ended
}

func usageOf(pid int) (usage, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return usage{}, err
	}
	// The name in parentheses may contain anything. Behind it come the state and numbers.
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	field := func(i int) int {
		n, _ := strconv.Atoi(f[i])
		return n
	}
	span := func(i int) time.Duration { return time.Duration(field(i)+field(i+1)) * time.Second / clockTicks }
	return usage{parent: field(1), own: span(11), reaped: span(13)}, nil
}

// familyUsage is the CPU time of a process with all its children, including children that
// have ended: of PostgreSQL, whose connections are processes.
func familyUsage(pid int) time.Duration {
	u := must(usageOf(pid))
	total := u.own + u.reaped
	for _, e := range must(os.ReadDir("/proc")) {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if c, err := usageOf(child); err == nil && c.parent == pid { // an error: it has just ended
			total += c.own + c.reaped
		}
	}
	return total
}
