package evaluation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// spent is what was used of a connection.
type spent struct {
	of    connection.Connection
	usage model.Usage
}

// priced reads the connections of which tokens were used, for their prices.
func (s *Service) priced(
	ctx context.Context, organization uuid.UUID, used []conversation.Used,
) (all []spent, err error) {
	for _, u := range used {
		if u.Usage.Input+u.Usage.Output == 0 {
			continue
		}
		c, err := s.models.Get(ctx, organization, u.ConnectionID)
		switch {
		case err == nil:
		case fault.KindOf(err) == fault.NotFound: // it was removed, so its prices are not known
			c = connection.Connection{ID: u.ConnectionID}
		default:
			return nil, err
		}
		all = append(all, spent{c, u.Usage})
	}
	return all, nil
}

// spend adds tokens to the sums of the day, last in a transaction.
func spend(ctx context.Context, tx pgx.Tx, organization uuid.UUID, all []spent) error {
	for _, u := range all {
		if err := connection.Spend(ctx, tx, organization, u.of, u.usage); err != nil {
			return err
		}
	}
	return nil
}
