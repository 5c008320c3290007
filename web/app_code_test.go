package web

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
)

// appCode computes the code of an authenticator app (RFC 6238). It repeats the algorithm,
// so that the test does not share a fault of the product.
func appCode(secret string, unix int64) string {
	seed, err := base32.StdEncoding.DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha1.New, seed)
	_ = binary.Write(mac, binary.BigEndian, unix/30)
	sum := mac.Sum(nil)
	at := sum[19] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[at:at+4])&(1<<31-1)%1_000_000)
}
