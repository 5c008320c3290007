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
