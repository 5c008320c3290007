package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Setup is the first person and their organization to create.
type Setup struct {
	Organization OrganizationSettings
	User         NewUser // Role is ignored: the first person is an admin
}

// OpenSetup creates the one-time code for setting up an empty server. The server calls it
// at start and prints the code. Only the hash of the code is stored. The code replaces
// any earlier code of this or another process. It is empty if the server has users and
// needs no setup.
func (s *Service) OpenSetup(ctx context.Context) (code string, err error) {
	var random [16]byte
	rand.Read(random[:])
	code = hex.EncodeToString(random[:])
	tag, err := s.pool.Exec(ctx, `
		insert into setup_code (code_hash)
		select @hash where not exists (select from app_user)
		on conflict (id) do update set code_hash = excluded.code_hash, created_at = excluded.created_at`,
		pgx.NamedArgs{"hash": hashSetupCode(code)})
	if err != nil {
		return "", fmt.Errorf("store the set-up code: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return "", nil
	}
	return code, nil
}

func hashSetupCode(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}

// SetupNeeded reports whether the server has no users.
func (s *Service) SetupNeeded(ctx context.Context) (bool, error) {
	var needed bool
	if err := s.pool.QueryRow(ctx, `select not exists (select from app_user)`).Scan(&needed); err != nil {
		return false, fmt.Errorf("look for users: %w", err)
	}
	return needed, nil
}

// CheckSetup checks whether code opens the setup. Errors: NotFound when there is a user,
// Forbidden when the code is not the newest code.
func (s *Service) CheckSetup(ctx context.Context, code string) error {
	var needed, valid bool
	err := s.pool.QueryRow(ctx, `
		select not exists (select from app_user), exists (select from setup_code where code_hash = @hash)`,
		pgx.NamedArgs{"hash": hashSetupCode(code)}).Scan(&needed, &valid)
	switch {
	case err != nil:
		return fmt.Errorf("check the set-up code: %w", err)
	case !needed:
		return fault.NotFoundf("Page")
	case !valid:
		return errSetupCode
	}
	return nil
}

var errSetupCode = fault.New(fault.Forbidden,
	"This setup link is not valid. Use the link that the server printed when it last started")

// CompleteSetup consumes the code and creates the organization, its first user
// and the membership, all or nothing. Errors: as CheckSetup, and Invalid, whose
// paths are organization.name, email, password and so on.
func (s *Service) CompleteSetup(ctx context.Context, code string, setup Setup) (Organization, User, error) {
	// The code is checked first, so that a stranger cannot make the server hash
	// passwords.
	if err := s.CheckSetup(ctx, code); err != nil {
		return Organization{}, User{}, err
	}
	setup.User.Role = Admin
	var p fault.Problems
	setup.Organization.check(&p, "organization.")
	setup.User.check(&p, setup.Organization.Name)
	if err := p.Err(); err != nil {
		return Organization{}, User{}, err
	}
	hash, err := s.hasher.hash(ctx, setup.User.Password)
	if err != nil {
		return Organization{}, User{}, err
	}

	var organization Organization
	var user User
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The row lock of this delete lets one of several requests through. CreateUser
		// takes the lock too.
		tag, err := tx.Exec(ctx, `delete from setup_code where code_hash = @hash`, pgx.NamedArgs{
			"hash": hashSetupCode(code),
		})
		if err != nil {
			return fmt.Errorf("consume the set-up code: %w", err)
		}
		consumed := tag.RowsAffected() == 1
		var needed bool
		if err := tx.QueryRow(ctx, `select not exists (select from app_user)`).Scan(&needed); err != nil {
			return fmt.Errorf("look for users: %w", err)
		}
		switch {
		case !needed:
			return fault.NotFoundf("Page")
		case !consumed:
			return errSetupCode
		}
		if organization, err = insertOrganization(ctx, tx, setup.Organization); err != nil {
			return err
		}
		actor := System(organization.ID)
		if user, err = insertUser(ctx, tx, actor, setup.User, hash); err != nil {
			return err
		}
		actor = Actor{OrganizationID: organization.ID, Kind: ByUser, ID: user.ID, Name: user.Name, Role: Admin}
		err = Record(ctx, tx, actor, "organization.created", Object{"organization", organization.ID},
			organization.audit())
		if err != nil {
			return err
		}
		return s.begin(ctx, tx, actor, organization)
	})
	return organization, user, err
}
