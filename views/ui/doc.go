// Package ui owns the parts of every page: buttons, fields, tables, outcomes, notices
// and drawings, and the formats of times, amounts and phone numbers. Most parts are
// plain structs that render themselves:
//
//	@ui.Button{Label: "Create key", Icon: ui.IconPlus, Variant: ui.Primary, Href: "/settings/api-keys/new"}
//
// The parts use no inline style or script, because the content security policy of the
// pages forbids both. Drawings are SVG with attributes.
package ui
