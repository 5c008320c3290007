// Package intake reads lists of recipients, from the API and from files that
// spreadsheets export, and checks each recipient. It needs no database.
package intake
