package conversation

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/phone"
)

// maxAccepted is the longest accepted text, in characters.
const maxAccepted = maxHeard

// Accept returns the answer to a question from a JSON value, typed and normalized: a bool, a
// float64, or a string as Expect describes it. region (ISO 3166-1 alpha-2) is where national phone
// numbers belong to. Empty: none is accepted. What Accept returns, it accepts again unchanged.
// An error says what is expected, and follows the name of the field.
func (q Question) Accept(value any, region string) (any, error) {
	switch q.Expect {
	case YesNo:
		return anyOrError(acceptYesNo(value))
	case Number:
		return anyOrError(q.acceptNumber(value))
	}
	s, ok := written(value)
	if !ok {
		return nil, errors.New("must be text")
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, errors.New("must not be empty")
	}
	if utf8.RuneCountInString(s) > maxAccepted {
		return nil, fmt.Errorf("must have at most %d characters", maxAccepted)
	}
	switch q.Expect {
	case Choice:
		return anyOrError(q.acceptChoice(s))
	case Date:
		return anyOrError(acceptDate(s))
	case Time:
		return anyOrError(acceptTime(s))
	case Phone:
		return anyOrError(acceptPhone(s, region))
	case Email:
		return anyOrError(acceptEmail(s))
	}
	if s = Clean(s); s == "" {
		return nil, errors.New("must contain a word")
	}
	return s, nil
}

func anyOrError[V any](v V, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// written returns a text, or a number as it is written.
func written(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

func acceptYesNo(value any) (bool, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "yes", "true":
			return true, nil
		case "no", "false":
			return false, nil
		}
	}
	return false, errors.New("must be true or false")
}

var numericText = regexp.MustCompile(`^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$`)

func (q Question) acceptNumber(value any) (float64, error) {
	n, ok := value.(float64)
	if s, text := written(value); !ok && text && numericText.MatchString(strings.TrimSpace(s)) {
		n, ok = parse(strings.TrimSpace(s)), true
	}
	if !ok || math.IsNaN(n) || math.IsInf(n, 0) || !q.within(n) {
		return 0, errors.New("must be a number" + q.bounds())
	}
	return n, nil
}

// bounds says which numbers are valid: " between 1 and 10".
func (q Question) bounds() string {
	show := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case q.Min != nil && q.Max != nil:
		return " between " + show(q.Min) + " and " + show(q.Max)
	case q.Min != nil:
		return " of at least " + show(q.Min)
	case q.Max != nil:
		return " of at most " + show(q.Max)
	}
	return ""
}

func (q Question) acceptChoice(s string) (string, error) {
	if slices.Contains(q.Options, s) {
		return s, nil
	}
	sound := func(s string) string { return strings.Join(flatten(clauses(s)), " ") }
	said := sound(s)
	named := func(options []string) int {
		return slices.IndexFunc(options, func(option string) bool { return said != "" && said == sound(option) })
	}
	found := named(q.Options)
	if found < 0 {
		for _, options := range q.TranslatedOptions {
			i := named(options)
			if i >= 0 && found >= 0 && i != found { // two languages use these words for different options
				return "", q.notChosen()
			}
			found = max(found, i)
		}
	}
	if found < 0 || found >= len(q.Options) {
		return "", q.notChosen()
	}
	return q.Options[found], nil
}

// notChosen names the options.
func (q Question) notChosen() error {
	quoted := make([]string, len(q.Options))
	for i, option := range q.Options {
		quoted[i] = strconv.Quote(option)
	}
	return errors.New("must be one of " + strings.Join(quoted, ", "))
}

const (
	dateFormat = "2006-01-02"
	timeFormat = "15:04"
)

func acceptDate(s string) (string, error) {
	at, err := time.Parse("2006-1-2", s)
	if err != nil {
		return "", errors.New(`must be a date such as "2026-11-24"`)
	}
	return at.Format(dateFormat), nil
}

func acceptTime(s string) (string, error) {
	s = strings.ReplaceAll(strings.ToUpper(s), ".M.", "M") // "2:30 p.m."
	for _, format := range []string{timeFormat, "15:04:05", "3:04PM", "3:04 PM", "3PM", "3 PM"} {
		if at, err := time.Parse(format, s); err == nil {
			return at.Format(timeFormat), nil
		}
	}
	return "", errors.New(`must be a time of day such as "14:30"`)
}

func acceptPhone(s, region string) (string, error) {
	n, err := phone.ParseNational(s, region)
	if err != nil {
		return "", fmt.Errorf(`must be a phone number such as "+13125550142": %w`, err)
	}
	return n.String(), nil
}

const maxEmail = 254 // bytes (RFC 5321 §4.5.3.1.3)

func acceptEmail(s string) (string, error) {
	at := strings.LastIndexByte(s, '@')
	s = s[:at+1] + strings.ToLower(s[at+1:])
	domain := s[at+1:]
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || len(s) > maxEmail || strings.ContainsAny(s, " \t\r\n\"[]") ||
		!strings.Contains(strings.Trim(domain, "."), ".") {
		return "", errors.New(`must be an email address such as "anna.smith@example.com"`)
	}
	return s, nil
}
