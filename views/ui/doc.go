// Package ui owns the parts every page is made of: buttons, fields, tables,
// outcomes, notices and drawings, and how times, amounts and phone numbers are
// written. Most parts are plain structs that render themselves:
//
//	@ui.Button{Label: "Create key", Icon: ui.IconPlus, Variant: ui.Primary, Href: "/settings/api-keys/new"}
//
// Nothing here uses an inline style or script, because the pages are served
// under a policy that forbids both; drawings are SVG with attributes.
package ui
