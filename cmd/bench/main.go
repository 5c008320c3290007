// Command bench measures the figures of BENCHMARKS.md and prints them as Markdown that can be pasted there: one table
// per section on stdout, progress on stderr. A bad figure does not fail it. A wrong result does: an answer that is not
// 2xx, a wrong count, or a broken pace.
//
// All programs run on one machine. PostgreSQL (embedded, durable), the server and the sandbox are separate processes,
// and this process is the client.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // calling hours need the zones, even if the system has none

	"github.com/dialwright/dialwright/internal/postgres"
)

// benchmark is a benchmark and its sections of BENCHMARKS.md.
type benchmark struct {
	name     string
	about    string
	sections sections
	onKept   bool // it does not change the database
}

type sections []func(ctx context.Context, l *lab)

var benchmarks = []benchmark{
	{"read", "a campaign beside a handler that only runs select 1; quota", sections{readCampaign, readQuota}, false},
	{"import", "10,000 and 100,000 recipients in one POST, and as CSV through the form", sections{importLists}, false},
	{"pace", "2,000 calls at 200 a second, and at 60% of the sustained pace", sections{keepPace, keepEasyPace}, false},
	{"sustain", "calls started as fast as the machine can, all callbacks included", sections{sustain}, false},
	{"start", "first calls of a campaign of 100,000, and of 10 beside it", sections{startLarge, startSmall}, false},
	{"hold", "conversations at the speed of people by one server: replies, CPU, memory", sections{hold}, false},
	{"talk", "500 and 1,000 conversations at once that a language model holds", sections{talk}, false},
	{"turn", "what the server computes in each turn of a language model", sections{turn}, false},
	{"page", "lists and pages at a million calls: time, bytes, requests", sections{readLists, readPages}, true},
	{"export", "all calls as CSV, and the memory that takes", sections{exportCalls}, true},
	{"deliver", "webhooks to one endpoint, and beside one that hangs", sections{deliver, hang}, false},
	{"fleet", "500 events per second to 10,000 endpoints, some hanging, some failing", sections{fleet}, false},
	{"move", "an organization moves to another cell while others in both cells call", sections{moveAway}, false},
	{"send", "messages through the gate, and many senders at a limit", sections{sendMessages, reachLimit}, false},
}

// children are the commands that turn this program into its child processes.
var children = map[string]func(context.Context){
	besideCommand:  serveBeside,
	receiveCommand: receive,
	operateCommand: operate,
}

// options are the flags.
type options struct {
	binary   string
	profiles string // directory for CPU profiles; "" means no profiles
	fill     string // directory to fill and keep; "" means none
	filled   string // directory that -fill has filled; "" means none
	calls    int    // number of calls in the large database
	rounds   int
	keepIn   string // file for the figures; "" means none
	hold     []int  // numbers of conversations that hold holds
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 {
		if child, ok := children[os.Args[1]]; ok {
			if err := attempt(func() { child(ctx) }); err != nil {
				os.Exit(report(err, 1))
			}
			return
		}
	}
	// A few statements write a history, and each takes minutes.
	os.Exit(run(postgres.WithStatementTime(ctx, time.Hour), os.Args[1:]))
}

func report(err error, status int) int {
	fmt.Fprintln(os.Stderr, "bench:", err)
	return status
}

func run(ctx context.Context, args []string) (status int) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "run these `benchmarks` alone, as in read,pace")
	flags.StringVar(&o.binary, "binary", "bin/dialwright", "the `server` that is measured")
	flags.StringVar(&o.profiles, "profiles", "", "write CPU profiles of the server into this `directory`")
	flags.IntVar(&o.calls, "calls", 1_000_000, "`how many` calls the large database has")
	flags.StringVar(&o.fill, "fill", "", "only fill databases, and keep them in this new `directory`")
	flags.StringVar(&o.filled, "filled", "", "measure on this `directory` of -fill: page, export")
	flags.IntVar(&o.rounds, "rounds", 3, "`how often` the short measurements are repeated")
	flags.StringVar(&o.keepIn, "history", "", "append a line for each figure to this `file`, which can be plotted")
	held := flags.String("hold", "250", "hold these `numbers` of conversations at once, as in 250,1000")
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
	if err != nil {
		return report(err, 2)
	}
	if o.hold, err = numbers(*held); err != nil {
		return report(err, 2)
	}
	if o.binary, err = exec.LookPath(o.binary); err != nil {
		return report(fmt.Errorf("%w; 'make build' builds it", err), 2)
	}
	if o.fill != "" {
		if err := fillKept(ctx, o); err != nil {
			return report(err, 1)
		}
		return 0
	}
	l, err := openLab(ctx, o)
	if err != nil {
		return report(err, 1)
	}
	defer l.close()
	fmt.Printf("Measured %s on %s, with %s.\n",
		time.Now().UTC().Format("2006-01-02 15:04 MST"), machine(), l.postgresVersion)
	err = attempt(func() {
		l.scope(func() {
			l.version = must(versionOf(ctx, o.binary))
			l.openYardstick(ctx)
			for _, b := range chosen {
				if l.runBenchmark(ctx, b) != nil {
					status = 1
				}
				check(ctx.Err())
			}
		})
	})
	if err != nil {
		return report(err, 1)
	}
	return status
}

// runBenchmark runs all sections of a benchmark, and reports their errors.
func (l *lab) runBenchmark(ctx context.Context, b benchmark) (failed error) {
	began := time.Now()
	progress("%s: %s", b.name, b.about)
	for _, measure := range b.sections {
		l.started, l.figures = nil, nil
		err := attempt(func() {
			l.measureYardstick(ctx)
			l.scope(func() { measure(ctx, l) })
			l.writeFigures(b.name)
		})
		if err != nil {
			failed = fmt.Errorf("%s failed: %w", b.name, err)
			report(failed, 1)
			fmt.Printf("\n**%s failed**: %v\n", b.name, err)
			l.printLogs()
		}
	}
	progress("%s took %s", b.name, time.Since(began).Round(time.Second))
	return failed
}

// numbers reads a list of positive numbers with commas between them.
func numbers(list string) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a list of positive numbers, as in 250,1000", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// choose finds the benchmarks of a comma-separated list. An empty list means all benchmarks. For a kept history, it
// means all benchmarks that do not change the history.
func choose(only string, kept bool) ([]benchmark, error) {
	able := slices.DeleteFunc(slices.Clone(benchmarks), func(b benchmark) bool { return kept && !b.onKept })
	if only == "" {
		return able, nil
	}
	var chosen []benchmark
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(able, func(b benchmark) bool { return b.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("no benchmark %q, or it would change the kept history; --help lists them", name)
		}
		chosen = append(chosen, able[i])
	}
	return chosen, nil
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

// machine describes the conditions that affect the figures: processors, memory and other work.
func machine() string {
	parts := []string{processors()}
	if fieldOf("/proc/meminfo", "MemTotal") != "" {
		memory := bytesOf("/proc/meminfo", "MemTotal")
		parts = append(parts, fmt.Sprintf("%.0f GiB of memory", float64(memory)/(1<<30)))
	}
	parts = append(parts, runtime.GOOS+"/"+runtime.GOARCH, runtime.Version())
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		parts = append(parts, "load before the start "+strings.Fields(string(b))[0])
	}
	return strings.Join(parts, ", ")
}

func processors() string {
	cores := fmt.Sprintf("%d cores", runtime.NumCPU())
	if model := fieldOf("/proc/cpuinfo", "model name"); model != "" {
		cores += " (" + model + ")"
	}
	return cores
}

// listen serves until ctx ends, and prints its address. A child process calls it.
func listen(ctx context.Context, handler http.Handler) {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: handler}
	context.AfterFunc(ctx, func() { srv.Close() })
	fmt.Printf("listens on http://%s\n", listener.Addr())
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		check(err)
	}
}
