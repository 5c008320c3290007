package seal

import (
	"crypto/hmac"
	"crypto/sha256"
)

// TagSize is the length of a tag in bytes.
const TagSize = 16

// Tags returns tags for data that the product gives out, such as the cursor of a list. A
// tag proves that the data comes from the product, because nobody can make a tag without
// a master key. Give out the first tag, and accept any of them. Tags of different
// purposes differ.
func (v *Vault) Tags(purpose string, data []byte) [][]byte {
	tags := make([][]byte, len(v.keys))
	for i, k := range v.keys {
		mac := hmac.New(sha256.New, k.tagging[:])
		mac.Write([]byte(purpose))
		mac.Write([]byte{0})
		mac.Write(data)
		tags[i] = mac.Sum(nil)[:TagSize]
	}
	return tags
}

// taggingKey derives the key of tags from a master key.
func taggingKey(master []byte) [sha256.Size]byte {
	mac := hmac.New(sha256.New, master)
	mac.Write([]byte("dialwright tags"))
	return [sha256.Size]byte(mac.Sum(nil))
}
