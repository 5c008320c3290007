package ui

import (
	"fmt"
	"strconv"
	"time"
)

// Change formats the change of an amount in percent: "+8.2%". It returns "" if the
// amount before was 0.
func Change(now, before int) string {
	if before == 0 {
		return ""
	}
	return signed(100*float64(now-before)/float64(before), "%")
}

// Points formats the change of a share in percentage points: "+1.4 pt". It returns ""
// if a whole is 0.
func Points(now, of, before, ofBefore int) string {
	if of == 0 || ofBefore == 0 {
		return ""
	}
	return signed(100*float64(now)/float64(of)-100*float64(before)/float64(ofBefore), " pt")
}

// SecondsMore formats the change of a duration: "−4 s". It returns "" if a duration is
// 0.
func SecondsMore(now, before int) string {
	switch d := now - before; {
	case now == 0 || before == 0:
		return ""
	case d < 0:
		return fmt.Sprintf("−%d s", -d)
	default:
		return fmt.Sprintf("+%d s", d)
	}
}

// signed formats a difference with one decimal and a sign. The minus is a true minus
// sign.
func signed(d float64, unit string) string {
	words := strconv.FormatFloat(d, 'f', 1, 64)
	switch {
	case words == "0.0" || words == "-0.0":
		words = "±0.0"
	case d < 0:
		words = "−" + words[1:]
	default:
		words = "+" + words
	}
	return words + unit
}

// Days formats a range of days: "14–20 Nov 2026", "28 Oct – 10 Nov 2026", "20 Nov
// 2026".
func Days(first, last time.Time) string {
	year := " " + strconv.Itoa(last.Year())
	switch {
	case sameDay(first, last):
		return last.Format("2 Jan") + year
	case first.Year() != last.Year():
		return first.Format("2 Jan 2006") + " – " + last.Format("2 Jan") + year
	case first.Month() != last.Month():
		return first.Format("2 Jan") + " – " + last.Format("2 Jan") + year
	}
	return first.Format("2") + "–" + last.Format("2 Jan") + year
}
