package simulation

// Outcome is an outcome that the digits of a number choose.
type Outcome struct {
	Digits string
	Text   string // what happens, in the third person
}
