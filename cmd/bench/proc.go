package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// What the kernel knows of a process, read from /proc (proc(5)): Linux only.

// ticks per second of the times in /proc/PID/stat; 100 on every Linux that Go runs on.
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

// kilobytes reads "123 kB".
func kilobytes(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s, "kB")), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read %q: %w", s, err)
	}
	return n, nil
}

// peakMemory is the most memory, in bytes, that a process ever had resident
// (VmHWM).
func peakMemory(pid int) (int64, error) {
	kb, err := kilobytes(fieldOf(fmt.Sprintf("/proc/%d/status", pid), "VmHWM"))
	return kb << 10, err
}

// usage is the CPU time of a process and, with it, of its children that ended.
type usage struct {
	parent      int
	own, reaped time.Duration
}

func usageOf(pid int) (usage, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return usage{}, err
	}
	// The second field is a name in parentheses, which may hold anything.
	_, rest, ok := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if !ok || len(f) < 15 {
		return usage{}, fmt.Errorf("read the times of process %d", pid)
	}
	var n [5]int64 // ppid, utime, stime, cutime, cstime
	for i, at := range []int{1, 11, 12, 13, 14} {
		if n[i], err = strconv.ParseInt(f[at], 10, 64); err != nil {
			return usage{}, fmt.Errorf("read the times of process %d: %w", pid, err)
		}
	}
	span := func(ticks int64) time.Duration { return time.Duration(ticks) * time.Second / clockTicks }
	return usage{parent: int(n[0]), own: span(n[1] + n[2]), reaped: span(n[3] + n[4])}, nil
}

// familyUsage is the CPU time of a process with all its children, those that
// ended included: of PostgreSQL, whose connections are processes.
func familyUsage(pid int) (time.Duration, error) {
	u, err := usageOf(pid)
	if err != nil {
		return 0, err
	}
	total := u.own + u.reaped
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		c, err := usageOf(child)
		if errors.Is(err, os.ErrNotExist) {
			continue // it ended meanwhile
		}
		if err == nil && c.parent == pid {
			total += c.own + c.reaped
		}
	}
	return total, nil
}
