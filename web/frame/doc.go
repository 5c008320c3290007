// Package frame contains the shared parts of the dashboard's pages: sessions, pages and
// their errors, forms and lists as requests carry them, exports, and live parts of pages.
package frame
