package account

// Exports for the fuzz target.
var (
	Bearer = bearer
)

// CodeAt returns the code that an app with this secret shows at a time, in seconds since
// 1970.
func CodeAt(secret string, unix int64) string {
	seed, err := totpBase32.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return totpCode(seed, unix/totpStep)
}
