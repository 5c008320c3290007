package connection

// What the tests outside of the package compare with.
const (
	RefreshAge = refreshAge
	RefreshMax = refreshMax
	FreeReads  = freeReads
)
