package account

import (
	"crypto/hmac"
	"crypto/sha256"
)

// TagSize is the length of a tag in bytes.
const TagSize = 16

// Tags are the marks by which we know again what we once handed out, such as
// the cursor of a list: nobody without a master key can make one. The first is
// the one to hand out; any of them is to be believed. purpose keeps the tags of
// one use apart from those of another.
func (s *Service) Tags(purpose string, data []byte) [][]byte {
	tags := make([][]byte, len(s.vault.keys))
	for i, k := range s.vault.keys {
		mac := hmac.New(sha256.New, k.tagging[:])
		mac.Write([]byte(purpose))
		mac.Write([]byte{0})
		mac.Write(data)
		tags[i] = mac.Sum(nil)[:TagSize]
	}
	return tags
}

// taggingKey derives what tags are made with from a master key.
func taggingKey(master []byte) [sha256.Size]byte {
	mac := hmac.New(sha256.New, master)
	mac.Write([]byte("dialwright tags"))
	return [sha256.Size]byte(mac.Sum(nil))
}
