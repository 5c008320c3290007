// Package frame is what the rooms of the dashboard share: sessions, pages and their
// errors, forms and lists as requests carry them, exports, and live parts of pages.
package frame
