package webhook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/seal"
)

// sealHeaders seals the headers of a webhook. None are stored as nil.
func sealHeaders(vault *seal.Vault, organizationID, id uuid.UUID, headers map[string]string) []byte {
	if len(headers) == 0 {
		return nil
	}
	text, err := json.Marshal(headers)
	if err != nil {
		panic("webhook: headers cannot be encoded: " + err.Error()) // only strings
	}
	return vault.Seal(text, secretCell(organizationID, id, headersColumn))
}

// openHeaders decrypts the headers of a webhook. Never show or log them.
func openHeaders(
	vault *seal.Vault, organizationID, id uuid.UUID, sealed []byte,
) (headers map[string]string, err error) {
	if sealed == nil {
		return nil, nil
	}
	text, err := vault.Open(sealed, secretCell(organizationID, id, headersColumn))
	if err == nil {
		err = json.Unmarshal(text, &headers)
	}
	if err != nil {
		return nil, fmt.Errorf("open the headers of webhook %s: %w", id, err)
	}
	return headers, nil
}

// headerNames returns the names of headers in order. It is never nil, because a list in the database is not.
func headerNames(headers map[string]string) []string {
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(headers))))
}
