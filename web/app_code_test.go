package web

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
)

// appCode is what an authenticator app shows (RFC 6238), written again here so
// that a mistake of ours is not shared.
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
