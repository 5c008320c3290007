package frame

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// The inputs of calling hours are described at views.HoursForm.

// HoursMode returns the choice of the form that fits h: "always" or "custom".
func HoursMode(h hours.Hours) string {
	if hours.Describe(h) == hours.Describe(hours.Always()) {
		return "always"
	}
	return "custom"
}

// HoursForm fills the inputs of calling hours with h.
func HoursForm(h hours.Hours, mode string) views.HoursForm {
	form := views.HoursForm{Mode: mode, Clock: "recipient", Words: hours.Describe(h), Drawn: DrawnWeek(h)}
	if h.Timezone != "recipient" {
		form.Clock, form.Zone = "zone", h.Timezone
	}
	for _, window := range h.Windows {
		row := views.WindowForm{Start: window.Start, End: window.End}
		for _, day := range window.Days {
			row.Days = append(row.Days, string(day))
		}
		form.Windows = append(form.Windows, row)
	}
	return form
}

var dayNames = map[hours.Day]string{
	"mon": "Mon", "tue": "Tue", "wed": "Wed", "thu": "Thu", "fri": "Fri", "sat": "Sat", "sun": "Sun",
}

// DrawnWeek draws h as the seven rows of a week.
func DrawnWeek(h hours.Hours) []ui.WeekRow {
	rows := make([]ui.WeekRow, 0, 7)
	week := h.Week()
	for i, day := range hours.Days() {
		row := ui.WeekRow{Label: dayNames[day], Now: -1}
		for _, span := range week[i] {
			row.Open = append(row.Open, ui.Span{From: span.Start, To: span.End})
		}
		rows = append(rows, row)
	}
	return rows
}

// maxWindowRows bounds the rows that are read from a form. The domain bounds the windows.
const maxWindowRows = 60

// ReadHours reads the inputs of calling hours. It checks nothing.
func ReadHours(form url.Values) views.HoursForm {
	v := views.HoursForm{
		Mode: form.Get("calling_hours"), Clock: form.Get("calling_hours.clock"),
		Zone: form.Get("calling_hours.timezone"),
	}
	for i := range maxWindowRows {
		at := "calling_hours.windows[" + strconv.Itoa(i) + "]."
		if !form.Has(at+"start") && !form.Has(at+"days") {
			break
		}
		row := views.WindowForm{Days: form[at+"days"], Start: form.Get(at + "start"), End: form.Get(at + "end")}
		if row.End == "00:00" { // a time field cannot contain 24:00
			row.End = "24:00"
		}
		if !row.Empty() {
			v.Windows = append(v.Windows, row)
		}
	}
	return v
}

// OneMoreWindow adds an empty row below all rows of the form, including its empty rows.
func OneMoreWindow(form url.Values, v views.HoursForm) views.HoursForm {
	v.Mode = "custom"
	rows := 0
	for rows < maxWindowRows && form.Has(fmt.Sprintf("calling_hours.windows[%d].start", rows)) {
		rows++
	}
	for len(v.Windows) <= rows {
		v.Windows = append(v.Windows, views.WindowForm{})
	}
	return v
}

// CustomHours creates calling hours from the inputs. The domain validates them.
func CustomHours(v views.HoursForm) hours.Hours {
	h := hours.Hours{Timezone: "recipient"}
	if v.Clock == "zone" {
		h.Timezone = v.Zone
	}
	for _, row := range v.Windows {
		if row.Empty() {
			continue
		}
		window := hours.Window{Start: row.Start, End: row.End}
		for _, day := range hours.Days() { // in the week's order, each once
			if slices.Contains(row.Days, string(day)) {
				window.Days = append(window.Days, day)
			}
		}
		h.Windows = append(h.Windows, window)
	}
	return h
}
