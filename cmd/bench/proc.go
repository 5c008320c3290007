package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// This file reads /proc (proc(5)), which only Linux has.

// clockTicks is how many units of time in /proc/PID/stat make a second: 100 on every Linux that Go runs on.
const clockTicks = 100

// fieldOf returns the value after "name:" in a file with one field per line, or "" if there is no field of that name.
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

// bytesOf parses a field of the form "123 kB".
func bytesOf(path, name string) int64 {
	field := fieldOf(path, name)
	kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(field, "kB")), 10, 64)
	if err != nil {
		failf("read %s of %s: %q", name, path, field)
	}
	return kb << 10
}

// peakMemory returns the maximum resident memory of a process, in bytes (VmHWM).
func peakMemory(p *process) int64 { return bytesOf(fmt.Sprintf("/proc/%d/status", p.pid()), "VmHWM") }

// memory returns the resident memory of a process, in bytes (VmRSS).
func memory(p *process) int64 { return bytesOf(fmt.Sprintf("/proc/%d/status", p.pid()), "VmRSS") }

// usage is the CPU time of a process, in user and kernel mode.
type usage struct {
	parent      int
	own, reaped time.Duration // reaped: time of children that have ended
}

func usageOf(pid int) (usage, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return usage{}, err
	}
	// The name in parentheses may contain any characters. The state and the numbers follow it.
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	field := func(i int) int {
		n, _ := strconv.Atoi(f[i])
		return n
	}
	span := func(i int) time.Duration { return time.Duration(field(i)+field(i+1)) * time.Second / clockTicks }
	return usage{parent: field(1), own: span(11), reaped: span(13)}, nil
}

// familyUsage returns the CPU time of a process and all its children, including children that have ended. PostgreSQL
// needs this, because each of its connections is a process.
func familyUsage(pid int) time.Duration {
	u := must(usageOf(pid))
	total := u.own + u.reaped
	for _, e := range must(os.ReadDir("/proc")) {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if c, err := usageOf(child); err == nil && c.parent == pid { // an error means that the process has just ended
			total += c.own + c.reaped
		}
	}
	return total
}
