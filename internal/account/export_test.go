package account

// For the fuzz target.
var (
	Bearer = bearer
)
