// Package dialwright contains the product's changelog, which can be embedded only from its own directory.
package dialwright

import _ "embed"

// Changelog is the changelog in Markdown.
//
//go:embed CHANGELOG.md
var Changelog string
