// Package frame contains the shared parts of the dashboard's pages: sessions, pages and
// their errors, the reading of forms and lists from requests, exports, and live parts
// of pages.
package frame
