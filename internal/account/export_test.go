package account

import (
	"context"
	"crypto/sha256"
	"net/netip"
)

// UseKeys authenticates requests with these keys in one statement. It returns the caller of each request that has an
// answer, by its index.
func (s *Service) UseKeys(ctx context.Context, address netip.Addr, values ...string) (map[int]Caller, error) {
	requests := make([]keyRequest, len(values))
	for i, value := range values {
		requests[i] = keyRequest{sha256.Sum256([]byte(value)), address}
	}
	callers := map[int]Caller{}
	return callers, s.useKeys(ctx, requests, false, func(i int, c Caller) { callers[i] = c })
}

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
