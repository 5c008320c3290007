package webhook

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
)

// place is the cell that the secrets of a webhook are sealed for.
func place(organizationID, id uuid.UUID) account.Place {
	return account.Place{Organization: organizationID, Table: "webhook", Row: id.String()}
}

// openSecrets opens what signs a delivery: the secret and, while a rotation
// overlaps, the one before it; previous is nil otherwise. Nothing of it may be
// shown or logged.
func openSecrets(vault *account.Vault, organizationID, id uuid.UUID, current, previous []byte) ([][]byte, error) {
	sealed := [][]byte{current}
	if previous != nil {
		sealed = append(sealed, previous)
	}
	secrets := make([][]byte, len(sealed))
	for i, s := range sealed {
		secret, err := vault.Open(s, place(organizationID, id))
		if err != nil {
			return nil, fmt.Errorf("open the secrets of webhook %s: %w", id, err)
		}
		secrets[i] = secret
	}
	return secrets, nil
}
