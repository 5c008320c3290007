// Command bench measures what BENCHMARKS.md reports and prints it as Markdown,
// ready to be pasted there: one table per benchmark on stdout, progress on
// stderr. A figure never fails it, a wrong result does: an answer that is not
// 2xx, a count that is off, a pace that was broken.
//
// Everything runs on one machine: PostgreSQL (the embedded one, durable), the
// server and the sandbox are processes of their own, and this
// process is the client.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // calling hours need the zones, also where the system has none

	"github.com/dialwright/dialwright/internal/postgres"
)

// benchmark is a benchmark with its sections of BENCHMARKS.md.
type benchmark struct {
	name     string
	about    string
	sections sections
}

// sections each measure and print one section.
type sections []func(ctx context.Context, l *lab, o options) error

var benchmarks = []benchmark{
	{"read", "a campaign beside a handler that only runs select 1; the quota", sections{readCampaign, readQuota}},
	{"import", "10,000 and 100,000 recipients in one POST, and as CSV through the form", sections{importLists}},
	{"pace", "2,000 sandbox calls at 200 calls per second", sections{keepPace}},
	{"sustain", "calls started as fast as the machine can, all callbacks included", sections{sustain}},
	{"start", "the first call of a campaign of 100,000, and of 10 beside 100,000", sections{begin, fair}},
	{"page", "lists and pages at a million calls: time, bytes, requests", sections{readLists, readPages}},
	{"export", "all calls as CSV, and the memory that takes", sections{exportCalls}},
	{"deliver", "webhooks to one endpoint, and beside one that hangs", sections{deliver, hang}},
	{"fleet", "500 events per second to 10,000 endpoints, some hanging, some failing", sections{fleet}},
	{"send", "messages through the gate, and many senders at a limit", sections{sendMessages, reachLimit}},
}

// onKept are those that leave a history as it is, so they can read one that was
// kept.
var onKept = []string{"page", "export"}

// options are the flags.
type options struct {
	binary   string
	profiles string // directory for CPU profiles; "": none are taken
	fill     string // directory that is filled and kept; "": none
	filled   string // directory that was
	calls    int    // of the large database
	rounds   int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 {
		if beOther, is := map[string]func(context.Context) error{besideCommand: serveBeside, receiveCommand: receive, operateCommand: operate}[os.Args[1]]; is {
			if err := beOther(ctx); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(1)
			}
			return
		}
	}
	// A history is written by a few statements that each take minutes.
	os.Exit(run(postgres.WithStatementTime(ctx, time.Hour), os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "run these `benchmarks` alone, as in read,pace")
	flags.StringVar(&o.binary, "binary", "bin/dialwright", "the `server` that is measured")
	flags.StringVar(&o.profiles, "profiles", "", "write CPU profiles of the server into this `directory`; they cost a little")
	flags.IntVar(&o.calls, "calls", 1_000_000, "`how many` calls the large database has")
	flags.StringVar(&o.fill, "fill", "", "measure nothing; fill databases and keep them in this new `directory`")
	flags.StringVar(&o.filled, "filled", "", "measure on what -fill has kept in this `directory`: page, export")
	flags.IntVar(&o.rounds, "rounds", 3, "`how often` the short measurements are repeated")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "Usage: bench [flags]\n\nBenchmarks:\n")
		for _, b := range benchmarks {
			fmt.Fprintf(flags.Output(), "  %-8s %s\n", b.name, b.about)
		}
		fmt.Fprintf(flags.Output(), "\nFlags:\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return 2
	}
	chosen, err := choose(*only, o.filled != "")
	if err == nil {
		o.binary, err = findBinary(o.binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 2
	}

	if o.fill != "" {
		if err := fillKept(ctx, o); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			return 1
		}
		return 0
	}
	l, err := openLab(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	defer l.close()
	fmt.Printf("Measured %s on %s, with %s.\n", time.Now().UTC().Format("2006-01-02 15:04 MST"), machine(), l.postgresVersion)

	status := 0
	for _, b := range chosen {
		began := time.Now()
		progress("%s: %s", b.name, b.about)
		for _, measure := range b.sections {
			if err := measure(ctx, l, o); err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s failed: %v\n", b.name, err)
				fmt.Printf("\n**%s failed**: %v\n", b.name, err)
				status = 1
			}
		}
		progress("%s took %s", b.name, time.Since(began).Round(time.Second))
		if ctx.Err() != nil {
			return 1
		}
	}
	return status
}

// choose finds the benchmarks of a comma list; none means all. On a kept history
// only those that leave it as it is are run.
func choose(only string, kept bool) ([]benchmark, error) {
	var chosen []benchmark
	if only == "" {
		for _, b := range benchmarks {
			if !kept || slices.Contains(onKept, b.name) {
				chosen = append(chosen, b)
			}
		}
		return chosen, nil
	}
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("no benchmark %q; --help lists them", name)
		}
		if kept && !slices.Contains(onKept, benchmarks[i].name) {
			return nil, fmt.Errorf("%s would change the history that was kept", benchmarks[i].name)
		}
		chosen = append(chosen, benchmarks[i])
	}
	return chosen, nil
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

// machine is what the figures depend on: processors, memory, what else ran.
func machine() string {
	parts := []string{fmt.Sprintf("%d cores", runtime.NumCPU())}
	if model := fieldOf("/proc/cpuinfo", "model name"); model != "" {
		parts[0] += " (" + model + ")"
	}
	if total := fieldOf("/proc/meminfo", "MemTotal"); total != "" {
		if kb, err := kilobytes(total); err == nil {
			parts = append(parts, fmt.Sprintf("%.0f GiB of memory", float64(kb)/(1<<20)))
		}
	}
	parts = append(parts, runtime.GOOS+"/"+runtime.GOARCH, runtime.Version())
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		parts = append(parts, "load before the start "+strings.Fields(string(b))[0])
	}
	return strings.Join(parts, ", ")
}
