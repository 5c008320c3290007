package ui

import (
	"sort"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// Errors are the problems of a form, by the path of the field. Inputs are named by the
// paths of the domain's validation ("retry.max_attempts"), so each error finds its
// field. The path "" stands for the whole form.
type Errors map[string]string

// ErrorsOf returns the problems in err, or nil if err is not a fault.
func ErrorsOf(err error) Errors {
	f := fault.As(err)
	if f == nil {
		return nil
	}
	if len(f.Fields) == 0 {
		return Errors{"": f.Message}
	}
	e := Errors{}
	for _, field := range f.Fields {
		if _, ok := e[field.Path]; !ok {
			e[field.Path] = words(field.Message)
		}
	}
	return e
}

// forForms replaces what the API says with what a form shows: numbers are typed as they are dialed, and fields have
// labels.
var forForms = strings.NewReplacer(
	". Use E.164, such as +13125550142", "",
	`"recipient" or a time zone`, "a time zone",
	"must not be wait_for_beep if voicemail_action is hang_up",
	"waits for the beep, which has no effect when the call hangs up on voicemail",
	"has an effect only with the trigger after_call", "has an effect only after an answered call",
)

// words replaces API terms that a form does not use.
func words(message string) string { return forForms.Replace(message) }

// For returns the problem of a field or of a part of it: the problem at
// "retry.delays_minutes[1]" belongs to "retry.delays_minutes".
func (e Errors) For(path string) string {
	if m, ok := e[path]; ok {
		return m
	}
	for _, p := range e.paths() {
		if within(p, path) {
			return e[p]
		}
	}
	return ""
}

// Rest returns the problems without a field among the shown fields, in the order of
// their paths, each with its path as a prefix.
func (e Errors) Rest(shown ...string) []string {
	var rest []string
next:
	for _, p := range e.paths() {
		for _, s := range shown {
			if p != "" && (p == s || within(p, s)) {
				continue next
			}
		}
		if p == "" {
			rest = append(rest, e[p])
		} else {
			rest = append(rest, p+": "+e[p])
		}
	}
	return rest
}

func (e Errors) paths() []string {
	paths := make([]string, 0, len(e))
	for p := range e {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	return paths
}

func within(path, field string) bool {
	return field != "" && (strings.HasPrefix(path, field+".") || strings.HasPrefix(path, field+"["))
}
