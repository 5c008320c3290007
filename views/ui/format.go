package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/phone"
)

// None stands for a missing value.
const None = "–"

// Count formats a whole number with commas: 12,855. A negative number gets a true minus
// sign.
func Count(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "−", -n
	}
	return sign + english.Number(n)
}

// Percent formats a part of whole with one decimal: 46.3%. It returns None if whole is
// 0.
func Percent(part, whole int) string {
	if whole == 0 {
		return None
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}

// Plural formats an amount with its noun: "1 call", "12,855 calls". The default plural
// is the noun with an s.
func Plural(n int, noun string, plural ...string) string {
	if n == 1 || n == -1 {
		return Count(n) + " " + noun
	}
	if len(plural) > 0 {
		return Count(n) + " " + plural[0]
	}
	return Count(n) + " " + noun + "s"
}

// TalkTime formats seconds of speech: 1:34, 1:02:05. It returns None for no speech.
func TalkTime(seconds int) string {
	if seconds <= 0 {
		return None
	}
	return position(seconds)
}

// position formats a position within a call: 0:00, 1:34.
func position(seconds int) string {
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// Wait formats a duration, rounded to one or two units: "40 s", "11 min", "1 h 55 min",
// "6 days".
func Wait(d time.Duration) string {
	if d < 0 {
		d = -d
	}
	switch {
	case d < 59500*time.Millisecond:
		return fmt.Sprintf("%d s", int(d.Round(time.Second)/time.Second))
	case d < time.Hour-30*time.Second:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
	case d < 24*time.Hour-30*time.Second:
		m := int(d.Round(time.Minute) / time.Minute)
		if m%60 == 0 {
			return fmt.Sprintf("%d h", m/60)
		}
		return fmt.Sprintf("%d h %d min", m/60, m%60)
	}
	return Plural(int(d.Round(24*time.Hour)/(24*time.Hour)), "day")
}

// Took formats a duration in milliseconds: "0.4 ms", "184 ms", "15.0 s". It returns "<
// 1 ms" for 0, because some durations are measured in whole milliseconds.
func Took(ms float64) string {
	switch {
	case ms == 0:
		return "< 1 ms"
	case ms < 0.05:
		return "< 0.1 ms"
	case ms >= 999.5:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case ms >= 9.95 || ms == math.Trunc(ms):
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
}

// Delays formats the minutes between attempts: "30 min, 4 h". 0 is "at once".
func Delays(minutes []int) string {
	words := make([]string, len(minutes))
	for i, m := range minutes {
		words[i] = "at once"
		if m > 0 {
			words[i] = Wait(time.Duration(m) * time.Minute)
		}
	}
	return strings.Join(words, ", ")
}

// Phone formats an E.164 number in groups: +1 312 555 0142. It returns any other text
// unchanged.
func Phone(e164 string) string { return phone.Format(phone.Number(e164)) }

// Reached formats the number of a person who was called or got a message. An empty
// number was erased.
func Reached(e164 string) string {
	if e164 == "" {
		return "Erased number"
	}
	return Phone(e164)
}

// PersonNumber formats the number of a person who was called or who called, and may have withheld it.
func PersonNumber(e164 string, withheld bool) string {
	if withheld {
		return "Number withheld"
	}
	return Reached(e164)
}

// ShortID returns the part of an ID that lists show.
func ShortID(id string) string {
	if len(id) > 18 {
		return id[:18]
	}
	return id
}

// Sentence converts an identifier to words: "do_not_call" becomes "Do not call".
func Sentence(identifier string) string {
	return Capital(strings.ReplaceAll(identifier, "_", " "))
}

// Capital capitalizes the first letter.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// City returns the readable part of a time zone: "America/New_York" becomes "New York".
func City(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

// pct formats a share of a whole as an SVG length.
func pct(part, whole float64) string {
	if whole <= 0 {
		return "0%"
	}
	return strconv.FormatFloat(100*part/whole, 'f', 2, 64) + "%"
}
