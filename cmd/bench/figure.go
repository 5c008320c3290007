package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// yardstickFor is how long the handler that only runs select 1 is measured before each benchmark.
const yardstickFor = 3 * time.Second

// historyHead names the columns of the history, which is a table with tabs between its cells. The last two columns say
// how fast the machine was just before, so that figures of different machines and hours can be compared.
const historyHead = "version\tdate\tmachine\tbenchmark\tfigure\tunit\tvalue\tselect_1_per_s\tselect_1_cpu_us\n"

// figure is one of the figures that a history keeps.
type figure struct {
	name, unit string
	value      float64
}

// figure adds a figure of the current section. The history gets it when the section has succeeded.
func (l *lab) figure(name, unit string, value float64) {
	l.figures = append(l.figures, figure{name, unit, value})
}

// duration adds a figure in milliseconds.
func (l *lab) duration(name string, d time.Duration) { l.figure(name, "ms", inMS(d)) }

func inMS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// cpuOf adds the CPU time that each program used for one of n things, in milliseconds: the median of all runs. The
// first programs are the server and PostgreSQL.
func (l *lab) cpuOf(what string, runs [][]time.Duration, n int, third string) {
	for i, program := range []string{"server", "PostgreSQL", third} {
		var times []time.Duration
		for _, used := range runs {
			if i < len(used) {
				times = append(times, used[i])
			}
		}
		if len(times) > 0 {
			l.figure(fmt.Sprintf("CPU of %s: %s", what, program), "ms", inMS(median(times))/float64(n))
		}
	}
}

// yardstick is what the machine can do: requests to a handler that only runs select 1.
type yardstick struct {
	target    *target
	perSecond float64
	cpu       time.Duration // server and PostgreSQL, of one request
}

// openYardstick starts a server with that handler, which stays until the end of the scope. Without a history, it does
// nothing.
func (l *lab) openYardstick(ctx context.Context) {
	if l.keepIn == "" {
		return
	}
	s := l.site(ctx, "bench_yardstick", 0)
	l.yardstick.target = &target{
		server: l.child(ctx, "yardstick", besideCommand, s.environment()...),
		path:   besideQuery,
	}
	hammer(ctx, l.yardstick.target, time.Second) // warms connections and the pool
}

// measureYardstick measures the machine again, because others may use it too.
func (l *lab) measureYardstick(ctx context.Context) {
	y := &l.yardstick
	if y.target == nil {
		return
	}
	var a *answers
	used := l.measure(ctx, "yardstick", yardstickFor, func() {
		a = hammer(ctx, y.target, yardstickFor)
	}, y.target.server)
	y.perSecond, y.cpu = a.perSecond(), (used[0]+used[1])/time.Duration(len(a.took))
}

// writeFigures appends the figures of a section to the history.
func (l *lab) writeFigures(benchmark string) {
	if l.keepIn == "" || len(l.figures) == 0 {
		return
	}
	f := must(os.OpenFile(l.keepIn, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))
	defer func() { check(f.Close()) }()
	var b strings.Builder
	if must(f.Stat()).Size() == 0 {
		b.WriteString(historyHead)
	}
	date := time.Now().UTC().Format("2006-01-02T15:04Z")
	for _, g := range l.figures {
		b.WriteString(strings.Join([]string{
			l.version, date, processors(), benchmark, g.name, g.unit, significant(g.value),
			fmt.Sprintf("%.0f", l.yardstick.perSecond), fmt.Sprint(l.yardstick.cpu.Microseconds()),
		}, "\t") + "\n")
	}
	must(f.WriteString(b.String()))
}

// significant formats a number with four digits, without an exponent.
func significant(v float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // reads what it has just written
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// versionOf returns the version of a server: by make build, what git describe says of its commit.
func versionOf(ctx context.Context, binary string) (string, error) {
	out, err := exec.CommandContext(ctx, binary, "version").Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", binary, err)
	}
	fields := strings.Fields(string(out))
	if len(fields) == 0 {
		return "", fmt.Errorf("ask %s for its version: it printed nothing", binary)
	}
	return fields[len(fields)-1], nil
}
