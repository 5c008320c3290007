package project

import (
	"context"
	"errors"
	"fmt"
	"net"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Destination is a phone of people to whom agents can transfer calls.
type Destination struct {
	ID                 uuid.UUID
	ProjectID          uuid.UUID
	Name               string  // unique among the active destinations of the project
	PhoneNumber        *string // E.164; nil for a SIP address
	SIPAddress         *string // sip:name@host; nil for a phone number
	Hours              hours.Hours
	FallbackID         *uuid.UUID // who is tried next if nobody takes the call; of the same project
	Mode               TransferMode
	Record             bool // whether the conversation after the transfer is recorded
	RingTimeoutSeconds int
	DeactivatedAt      *time.Time
	CreatedAt          time.Time
}

// Address is where the destination is dialed: a phone number in E.164, or a SIP address.
func (d Destination) Address() string {
	if d.PhoneNumber != nil {
		return *d.PhoneNumber
	}
	return *d.SIPAddress
}

// TransferMode is how a call is handed over.
type TransferMode string

const (
	Cold TransferMode = "cold" // whoever answers is connected at once
	Warm TransferMode = "warm" // whoever answers hears who is calling and why, and takes the call with a key
)

// TransferModes lists every mode.
var TransferModes = []TransferMode{Warm, Cold}

// DestinationSettings are the settings of a destination. They replace all earlier settings.
type DestinationSettings struct {
	ProjectID          string       `json:"project_id"` // never changes
	Name               string       `json:"name"`
	PhoneNumber        string       `json:"phone_number" nullable:"true"`
	SIPAddress         string       `json:"sip_address" nullable:"true"`
	Hours              *hours.Hours `json:"hours"` // absent: always
	FallbackID         string       `json:"fallback_id" nullable:"true"`
	Mode               TransferMode `json:"mode"`                 // absent: warm
	Record             bool         `json:"record"`               // absent: not recorded
	RingTimeoutSeconds *int         `json:"ring_timeout_seconds"` // absent: DefaultDestinationRing
}

// Bounds of the settings of a destination.
const (
	DefaultDestinationRing = 25
	minDestinationRing     = 5
	maxDestinationRing     = 120
	maxSIPAddress          = 255 // characters
	maxFallbacks           = 10  // one after the other
)

// AlwaysOpen are hours that never close, with the time zone that a destination needs.
func AlwaysOpen() *hours.Hours {
	h := hours.Always()
	h.Timezone = "UTC"
	return &h
}

// Check normalizes the settings and reports what is wrong with them. It reads no other destinations:
// CreateDestination and UpdateDestination check those too. Errors: Invalid.
func (d *DestinationSettings) Check() error {
	var p fault.Problems
	check.Name(&p, "name", &d.Name)
	d.PhoneNumber, d.SIPAddress = strings.TrimSpace(d.PhoneNumber), strings.TrimSpace(d.SIPAddress)
	switch {
	case d.PhoneNumber == "" && d.SIPAddress == "":
		p.Addf("phone_number", "a phone number or a SIP address is required")
	case d.PhoneNumber != "" && d.SIPAddress != "":
		p.Addf("sip_address", "must be empty for a destination with a phone number")
	case d.PhoneNumber != "":
		n, err := phone.Parse(d.PhoneNumber)
		if err != nil {
			p.Addf("phone_number", "%s", err)
		}
		d.PhoneNumber = n.String()
	default:
		if !sipAddress(d.SIPAddress) {
			p.Addf("sip_address", "must be a SIP address such as sip:frontdesk@example.com")
		}
	}
	if d.Hours == nil {
		d.Hours = AlwaysOpen()
	}
	d.Hours.ValidateLocal("hours", &p)
	if d.Mode == "" {
		d.Mode = Warm
	}
	fault.OneOf(&p, "mode", []TransferMode{d.Mode}, TransferModes)
	if d.RingTimeoutSeconds == nil {
		d.RingTimeoutSeconds = new(DefaultDestinationRing)
	}
	if n := *d.RingTimeoutSeconds; n < minDestinationRing || n > maxDestinationRing {
		p.Addf("ring_timeout_seconds", "must be between %d and %d", minDestinationRing, maxDestinationRing)
	}
	return p.Err()
}

var (
	sipUser = regexp.MustCompile(`^[A-Za-z0-9\-_.!~*'()&=+$,%]{1,64}$`)
	sipHost = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{1,63}$`)
	sipRest = regexp.MustCompile(`^transport=(?:udp|tcp|tls)$`)
)

// sipAddress reports whether a text is an address of RFC 3261 §19.1 with a user, without a password and without
// headers. Its only parameter is the transport.
func sipAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme != "sip" && scheme != "sips" || len(s) > maxSIPAddress {
		return false
	}
	user, at, ok := strings.Cut(rest, "@")
	host, parameter, more := strings.Cut(at, ";")
	if !ok || !sipUser.MatchString(user) || more && !sipRest.MatchString(parameter) {
		return false
	}
	if name, port, err := net.SplitHostPort(host); err == nil {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return false
		}
		host = name
	}
	return len(host) <= 253 && (sipHost.MatchString(host) || net.ParseIP(host).To4() != nil)
}

func (d DestinationSettings) args(actor account.Actor, id uuid.UUID) pgx.NamedArgs {
	return pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "id": id, "name": d.Name,
		"phone_number": postgres.OrNull(d.PhoneNumber), "sip_address": postgres.OrNull(d.SIPAddress),
		"hours": d.Hours, "fallback_id": nil, "mode": d.Mode, "record": d.Record,
		"ring_timeout_seconds": d.RingTimeoutSeconds,
	}
}

func (d DestinationSettings) audit() map[string]any {
	return map[string]any{
		"name": d.Name, "phone_number": d.PhoneNumber, "sip_address": d.SIPAddress, "hours": d.Hours,
		"fallback_id": d.FallbackID, "mode": d.Mode, "record": d.Record, "ring_timeout_seconds": d.RingTimeoutSeconds,
	}
}

// DestinationColumns are the columns of Destination.
const DestinationColumns = `d.id, d.project_id, d.name, d.phone_number, d.sip_address, d.hours, d.fallback_id, d.mode,
	d.record, d.ring_timeout_seconds, d.deactivated_at, d.created_at`

const destinationByID = `select ` + DestinationColumns + ` from destination d
	where d.organization_id = @organization_id and d.id = @id`

var wholeDestinationByID = postgres.NewByID[Destination]("Destination", destinationByID)

// oneDestination runs a statement that returns one destination. Errors: NotFound, and Conflict when its name is taken.
func oneDestination(ctx context.Context, db postgres.DB, name, sql string, args pgx.NamedArgs) (Destination, error) {
	d, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Destination], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Destination{}, fault.NotFoundf("Destination")
	case postgres.Constraint(err) == "destination_name_unique":
		return Destination{}, fault.Takenf("name", "Another destination of the project is named %s", name)
	case err != nil:
		return Destination{}, fmt.Errorf("query a destination: %w", err)
	}
	return d, nil
}

// CreateDestination makes a destination. Errors: Invalid, and Conflict when its name is taken.
func (s *Service) CreateDestination(
	ctx context.Context, actor account.Actor, settings DestinationSettings,
) (Destination, error) {
	problems := settings.Check()
	var p fault.Problems
	projectID := check.ID(&p, "project_id", "project", settings.ProjectID)
	p.Also(problems)
	if err := p.Err(); err != nil {
		return Destination{}, err
	}
	id := uuid.Must(uuid.NewV7())
	args := settings.args(actor, id)
	args["project_id"] = projectID
	var created Destination
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if err := lockDestinationsOf(ctx, tx, actor.OrganizationID, projectID); err != nil {
			return err
		}
		if args["fallback_id"], err = fallback(ctx, tx, actor.OrganizationID, projectID, id, settings); err != nil {
			return err
		}
		created, err = oneDestination(ctx, tx, settings.Name, `
			insert into destination as d (id, organization_id, project_id, name, phone_number, sip_address, hours,
				fallback_id, mode, record, ring_timeout_seconds)
			values (@id, @organization_id, @project_id, @name, @phone_number, @sip_address, @hours, @fallback_id, @mode,
				@record, @ring_timeout_seconds)
			returning `+DestinationColumns, args)
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "destination.created", account.Object{
			Type: "destination", ID: id,
		}, settings.audit())
	})
	return created, err
}

// UpdateDestination replaces the settings of an active destination. Transfers that are dialed later follow them.
// Unchanged may refuse the change of the destination as it is then, and may be nil. Errors: Invalid, NotFound, Conflict
// when its name is taken, and that of unchanged.
func (s *Service) UpdateDestination(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings DestinationSettings,
	unchanged func(Destination) error,
) (Destination, error) {
	if err := settings.Check(); err != nil {
		return Destination{}, err
	}
	args := settings.args(actor, id)
	var updated Destination
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := oneDestination(ctx, tx, "", destinationByID+` and d.deactivated_at is null`, args)
		if err != nil {
			return err
		}
		if settings.ProjectID != "" && settings.ProjectID != old.ProjectID.String() {
			return fault.Invalidf("project_id", "cannot be changed")
		}
		settings.ProjectID = old.ProjectID.String()
		if err := lockDestinationsOf(ctx, tx, actor.OrganizationID, old.ProjectID); err != nil {
			return err
		}
		old, err = oneDestination(ctx, tx, "", destinationByID+` and d.deactivated_at is null for no key update`, args)
		if err != nil {
			return err
		}
		if err := check.Precondition(old, unchanged); err != nil {
			return err
		}
		args["fallback_id"], err = fallback(ctx, tx, actor.OrganizationID, old.ProjectID, id, settings)
		if err != nil {
			return err
		}
		updated, err = oneDestination(ctx, tx, settings.Name, `
			update destination d set name = @name, phone_number = @phone_number, sip_address = @sip_address,
				hours = @hours, fallback_id = @fallback_id, mode = @mode, record = @record,
				ring_timeout_seconds = @ring_timeout_seconds
			where organization_id = @organization_id and id = @id and deactivated_at is null
			returning `+DestinationColumns, args)
		if err != nil {
			return err
		}
		if reflect.DeepEqual(old, updated) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "destination.updated", account.Object{
			Type: "destination", ID: id,
		}, settings.audit())
	})
	return updated, err
}

// lockDestinationsOf makes changes of a project's destinations wait for each other, so that no two of them close a
// circle of fallbacks. Errors: Invalid for a project that is not active.
func lockDestinationsOf(ctx context.Context, tx pgx.Tx, organizationID, projectID uuid.UUID) error {
	var found bool
	err := tx.QueryRow(ctx, `
		select true from project where organization_id = $1 and id = $2 and deactivated_at is null
		for no key update`, organizationID, projectID).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Invalidf("project_id", "no such project")
	}
	if err != nil {
		return fmt.Errorf("lock the destinations of project %s: %w", projectID, err)
	}
	return nil
}

// fallback returns the fallback that settings name, which must be another active destination of the project, whose
// fallbacks do not lead back. The caller has locked the destinations of the project. Errors: Invalid.
func fallback(
	ctx context.Context, tx pgx.Tx, organizationID, projectID, id uuid.UUID, settings DestinationSettings,
) (*uuid.UUID, error) {
	const field = "fallback_id"
	if settings.FallbackID == "" {
		return nil, nil
	}
	var p fault.Problems
	first := check.ID(&p, field, "destination", settings.FallbackID)
	if err := p.Err(); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `
		select id, fallback_id from destination
		where organization_id = $1 and project_id = $2 and deactivated_at is null`, organizationID, projectID)
	if err != nil {
		return nil, fmt.Errorf("read the fallbacks of project %s: %w", projectID, err)
	}
	all := map[uuid.UUID]*uuid.UUID{}
	var one uuid.UUID
	var its *uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&one, &its}, func() error { all[one] = its; return nil }); err != nil {
		return nil, fmt.Errorf("read the fallbacks of project %s: %w", projectID, err)
	}
	next := &first
	for steps := 0; next != nil; steps++ {
		its, known := all[*next]
		switch {
		case *next == id:
			return nil, fault.Invalidf(field, "must not lead back to this destination")
		case !known:
			return nil, fault.Invalidf(field, "no such destination")
		case steps == maxFallbacks:
			return nil, fault.Invalidf(field, "at most %d destinations may follow each other", maxFallbacks)
		}
		next = its
	}
	return &first, nil
}

// DeactivateDestination permanently takes a destination out of use. A call that is being transferred to it stays so.
// Errors: NotFound, and Conflict that names the agents or destinations using it.
func (s *Service) DeactivateDestination(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		d, err := oneDestination(ctx, tx, "", destinationByID+` and d.deactivated_at is null for update`, args)
		if err != nil {
			return err
		}
		if err := UnusedByAgents(ctx, tx, actor.OrganizationID, id,
			`script -> 'transfer' -> 'destinations' ? @id`, "Destination "+d.Name); err != nil {
			return err
		}
		if err := noFallback(ctx, tx, d, args); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update destination set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate a destination: %w", err)
		}
		return account.Record(ctx, tx, actor, "destination.deactivated", account.Object{
			Type: "destination", ID: id,
		}, map[string]any{"name": d.Name})
	})
}

// noFallback returns a Conflict if a locked destination is the fallback of active ones.
func noFallback(ctx context.Context, tx pgx.Tx, d Destination, args pgx.NamedArgs) error {
	rows, err := tx.Query(ctx, `
		select name, count(*) over () from destination
		where organization_id = @organization_id and fallback_id = @id and deactivated_at is null
		order by created_at desc limit `+strconv.Itoa(shownUsers), args)
	if err != nil {
		return fmt.Errorf("look for the fallbacks to a destination: %w", err)
	}
	names, total, err := collectUsers(rows)
	if err != nil {
		return fmt.Errorf("look for the fallbacks to a destination: %w", err)
	}
	if total == 0 {
		return nil
	}
	return fault.Conflictf("Destination %s is the fallback of %s", d.Name, enumerate(names, total))
}

// Destination returns a destination, active or not. Errors: NotFound.
func (s *Service) Destination(ctx context.Context, organizationID, id uuid.UUID) (Destination, error) {
	return s.read.destination.Read(ctx, organizationID, id)
}

// ActiveDestination returns a destination that is not deactivated. Errors: NotFound.
func (s *Service) ActiveDestination(ctx context.Context, organizationID, id uuid.UUID) (Destination, error) {
	d, err := s.Destination(ctx, organizationID, id)
	if err == nil && d.DeactivatedAt != nil {
		return Destination{}, fault.NotFoundf("Destination")
	}
	return d, err
}

// Destinations lists the active destinations of all projects, newest first.
func (s *Service) Destinations(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[Destination], error) {
	return page.Read(ctx, s.pool, r, "list destinations", `
		select `+DestinationColumns+` from destination d
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(d Destination) (time.Time, uuid.UUID) { return d.CreatedAt, d.ID })
}

// KnownDestinations returns what a call knows of the active destinations among ids, and of their fallbacks.
func KnownDestinations(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, ids []uuid.UUID,
) ([]conversation.Destination, error) {
	all, err := postgres.Collect(ctx, db, pgx.RowToStructByName[Destination], `
		with recursive known as (
			select d.* from destination d
			where d.organization_id = $1 and d.id = any($2) and d.deactivated_at is null
			union
			select f.* from destination f join known k on f.organization_id = k.organization_id and f.id = k.fallback_id
			where f.deactivated_at is null
		)
		select `+DestinationColumns+` from known d order by d.created_at, d.id`, organizationID, ids)
	if err != nil {
		return nil, fmt.Errorf("read the destinations of an agent: %w", err)
	}
	known := make([]conversation.Destination, len(all))
	for i, d := range all {
		known[i] = conversation.Destination{
			ID: d.ID, Name: d.Name, Mode: string(d.Mode), Hours: d.Hours, FallbackID: d.FallbackID, Record: d.Record,
		}
	}
	return known, nil
}

// checkDestinations adds a problem for each destination of an agent that is unknown, foreign or deactivated. The
// others stay in use until the transaction ends.
func checkDestinations(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, ids []uuid.UUID, p *fault.Problems,
) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from destination where organization_id = $1 and id = any($2) and deactivated_at is null
		for share`, organizationID, ids)
	if err != nil {
		return fmt.Errorf("look for the destinations of an agent: %w", err)
	}
	for i, id := range ids {
		if !slices.Contains(found, id) {
			p.Addf(fmt.Sprintf("transfer.destinations[%d]", i), "no such destination")
		}
	}
	return nil
}
