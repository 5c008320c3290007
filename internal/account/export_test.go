package account

// For the fuzz target.
var (
	Bearer = bearer
)

// CodeAt is the code that an app which has a secret shows at a moment, in
// seconds since 1970.
func CodeAt(secret string, unix int64) string {
	seed, err := totpBase32.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return totpCode(seed, unix/totpStep)
}
