package frame

import (
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

var checkGlyphs = map[project.CheckState]ui.Glyph{
	project.CheckOK:            ui.GlyphCompleted,
	project.CheckFailed:        ui.GlyphFailed,
	project.CheckUnknown:       ui.GlyphPending,
	project.CheckNotApplicable: ui.GlyphStep,
	project.CheckInformation:   ui.GlyphStep,
}

var checkStates = map[project.CheckState]string{
	project.CheckOK:            "ready",
	project.CheckFailed:        "not ready",
	project.CheckUnknown:       "not known",
	project.CheckNotApplicable: "not needed",
	project.CheckInformation:   "not checked",
}

// ConnectionNote says what happens to the calls of a failing connection.
func ConnectionNote(c project.Connection) string {
	switch {
	case c.Problem(c.Name) != "":
		return "Its running campaigns are paused. Resume them when the cause is fixed."
	case c.Probing != "":
		return "Its campaigns place one call at a time until one works."
	}
	return "Its campaigns call on. They are paused if more calls in a row fail."
}

// Checks are the rows of a list of checks.
func Checks(checks []project.Check) []views.ConnectionCheck {
	rows := make([]views.ConnectionCheck, len(checks))
	for i, check := range checks {
		rows[i] = views.ConnectionCheck{
			Title:  check.Name.Label(),
			Glyph:  checkGlyphs[check.State],
			State:  checkStates[check.State],
			Detail: ui.Capital(check.Detail),
		}
	}
	return rows
}
