package main

import "fmt"

// failure is the panic that ends a section. The functions of a benchmark end it with
// check and must, as tests end with t.Fatal. Other goroutines return their errors instead.
type failure struct{ error }

// check ends the section if there is an error.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns v, or ends the section if there is an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// failf ends the section.
func failf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// attempt runs f and returns the error that ended it.
func attempt(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
