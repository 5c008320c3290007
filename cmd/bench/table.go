package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// table prints a Markdown table. The first column contains text. The other columns contain figures.
type table struct{ rows [][]string }

func newTable(head ...any) *table {
	t := &table{}
	t.row(head...)
	rule := slices.Repeat([]string{"--:"}, len(t.rows[0]))
	rule[0] = "---"
	t.rows = append(t.rows, rule)
	return t
}

// row adds a row of strings, lists of strings, and numbers.
func (t *table) row(cells ...any) {
	var row []string
	for _, cell := range cells {
		switch c := cell.(type) {
		case []string:
			row = append(row, c...)
		case int:
			row = append(row, count(c))
		default:
			row = append(row, fmt.Sprint(c))
		}
	}
	t.rows = append(t.rows, row)
}

// print prints the table and the text below it.
func (t *table) print(format string, args ...any) {
	fmt.Println()
	for _, cells := range t.rows {
		fmt.Println("| " + strings.Join(cells, " | ") + " |")
	}
	if format != "" {
		fmt.Printf("\n"+format+"\n", args...)
	}
}

func section(title string) { fmt.Printf("\n## %s\n", title) }

// ms formats a duration in milliseconds with about three significant digits.
func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f ms", v)
	case v < 100:
		return fmt.Sprintf("%.1f ms", v)
	}
	return fmt.Sprintf("%.0f ms", v)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

func kilo(n int) string { return fmt.Sprintf("%.1f kB", float64(n)/1000) }

func perSecond(rate float64) string { return count(int(rate)) + "/s" }

// count formats 100000 as 100,000.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// met says whether a figure met its aim.
func met(ok bool) string {
	if ok {
		return "met"
	}
	return "**missed**"
}

// percentile returns the value that a share p of the sorted values does not exceed.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

// spread returns p50, p99 and the maximum of sorted values.
func spread(sorted []time.Duration) []string {
	return append(middle(sorted), ms(percentile(sorted, 1)))
}

// middle returns p50 and p99 of sorted values.
func middle(sorted []time.Duration) []string {
	return []string{ms(percentile(sorted, 0.50)), ms(percentile(sorted, 0.99))}
}

func median[T float64 | time.Duration](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// each formats values for one cell.
func each[T any](values []T, format func(T) string) string {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = format(v)
	}
	return strings.Join(cells, ", ")
}

// scaled formats durations in seconds, each multiplied by a factor.
func scaled(format string, times []time.Duration, factor float64) []string {
	cells := make([]string, len(times))
	for i, t := range times {
		cells[i] = fmt.Sprintf(format, t.Seconds()*factor)
	}
	return cells
}
