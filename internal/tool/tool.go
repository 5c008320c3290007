package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Bounds of a tool.
const (
	DefaultTimeout, minTimeout, maxTimeout = 3, 1, 10 // seconds

	maxTools       = 100 // active ones of an organization
	maxDescription = 1000
	maxSchema      = 8000 // bytes
	maxSay         = 300
	maxValues      = 20
	maxPointer     = 200
)

// Value is a part of an answer that becomes a variable of the call.
type Value struct {
	Pointer  string `json:"pointer"`  // into the answer: a JSON pointer of RFC 6901
	Variable string `json:"variable"` // its name
}

// Tool is a tool of an organization. Its secrets never leave this package.
type Tool struct {
	ID                  uuid.UUID
	Name                string // as the model calls it
	Description         string
	Parameters          json.RawMessage // the JSON schema of the arguments
	URL                 string
	HeaderNames         []string
	SecretMark          string // changes with each rotation and reveals nothing of the secret
	PreviousSecretUntil *time.Time
	TimeoutSeconds      int
	Say                 string // while it runs; empty: a filler, if it takes long
	Values              []Value
	CreatedAt           time.Time
}

const columns = `id, name, description, parameters, url, header_names,
	left(encode(sha256(secret), 'hex'), 16) as secret_mark,
	case when previous_secret_until > clock() then previous_secret_until end as previous_secret_until,
	timeout_seconds, say, "values", created_at`

// NewTool is a tool to create.
type NewTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // empty: no arguments
	URL         string          `json:"url"`
	// Headers go with every request. They are stored sealed and never shown.
	Headers map[string]string `json:"headers"`
	// TimeoutSeconds bounds a request. Nil: DefaultTimeout.
	TimeoutSeconds *int `json:"timeout_seconds"`
	// Say is said while the tool runs. Its variables are those of the agent's texts.
	Say    string  `json:"say_while_waiting" nullable:"true"`
	Values []Value `json:"values"`
}

// Change contains the new values of a tool's settings. Nil fields stay as they are. Headers and
// values are replaced as a whole.
type Change struct {
	Name           *string            `json:"name"`
	Description    *string            `json:"description"`
	Parameters     json.RawMessage    `json:"parameters"`
	URL            *string            `json:"url"`
	Headers        *map[string]string `json:"headers"`
	TimeoutSeconds *int               `json:"timeout_seconds"`
	Say            *string            `json:"say_while_waiting"`
	Values         *[]Value           `json:"values"`
}

// with returns the settings of a tool after a change, without its stored headers.
func (t Tool) with(c Change) NewTool {
	n := NewTool{
		Name: t.Name, Description: t.Description, Parameters: t.Parameters, URL: t.URL,
		TimeoutSeconds: &t.TimeoutSeconds, Say: t.Say, Values: t.Values,
	}
	for _, field := range []struct{ to, from *string }{
		{&n.Name, c.Name}, {&n.Description, c.Description}, {&n.URL, c.URL}, {&n.Say, c.Say},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if c.Parameters != nil {
		n.Parameters = c.Parameters
	}
	if c.TimeoutSeconds != nil {
		n.TimeoutSeconds = c.TimeoutSeconds
	}
	if c.Values != nil {
		n.Values = *c.Values
	}
	if c.Headers != nil {
		n.Headers = *c.Headers
	}
	return n
}

var (
	nameSyntax     = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	variableSyntax = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)
	pointerSyntax  = regexp.MustCompile(`^(/([^~/]|~[01])*)*$`)
)

// noParameters is the schema of a tool without arguments.
const noParameters = `{"type":"object","properties":{},"additionalProperties":false}`

// CheckNew tidies a new tool and reports what is wrong with it. Create checks too; call CheckNew to
// report it together with other problems. Errors: Invalid.
func (s *Service) CheckNew(n *NewTool) error {
	var p fault.Problems
	s.check(&p, n)
	return p.Err()
}

func (s *Service) check(p *fault.Problems, n *NewTool) {
	n.Name = strings.TrimSpace(n.Name)
	switch {
	case n.Name == "":
		p.Addf("name", "required")
	case !nameSyntax.MatchString(n.Name):
		p.Addf("name", "must be 1 to 64 lowercase letters, digits and underscores, starting with a letter")
	case conversation.Reserved(n.Name):
		p.Addf("name", "is the name of a built-in tool")
	}
	check.RequiredText(p, "description", &n.Description, maxDescription)
	checkSchema(p, n)
	s.guard.CheckURL(p, "url", &n.URL)
	sender.CheckHeaders(p, n.Headers)
	if n.TimeoutSeconds == nil {
		seconds := DefaultTimeout
		n.TimeoutSeconds = &seconds
	}
	if *n.TimeoutSeconds < minTimeout || *n.TimeoutSeconds > maxTimeout {
		p.Addf("timeout_seconds", "must be between %d and %d", minTimeout, maxTimeout)
	}
	check.Line(p, "say_while_waiting", &n.Say, maxSay)
	if problem := conversation.CheckTemplate(n.Say); problem != "" {
		p.Addf("say_while_waiting", "%s", problem)
	}
	checkValues(p, n)
}

// checkSchema checks the schema of the arguments, which is an object.
func checkSchema(p *fault.Problems, n *NewTool) {
	const path = "parameters"
	if text := bytes.TrimSpace(n.Parameters); len(text) == 0 || string(text) == "null" {
		n.Parameters = json.RawMessage(noParameters)
	}
	var root struct {
		Type       any             `json:"type"`
		Properties json.RawMessage `json:"properties"`
	}
	switch {
	case len(n.Parameters) > maxSchema:
		p.Addf(path, "must have at most %d bytes", maxSchema)
	case bytes.Contains(n.Parameters, []byte(`\u0000`)):
		p.Addf(path, "must not contain NUL characters")
	case json.Unmarshal(n.Parameters, &root) != nil:
		p.Addf(path, "must be a JSON schema, as an object")
	case root.Type != "object":
		p.Addf(path, `must have "type": "object"`)
	default:
		if _, err := conversation.CompileSchema(n.Parameters); err != nil {
			p.Addf(path, "%s", conversation.SchemaFault(err))
		}
	}
}

// builtIn are the variables that every call has. No answer changes them.
var builtIn = []string{"agent", "agent_name", "organization", "name", "phone_number", "reason", "local_time"}

func checkValues(p *fault.Problems, n *NewTool) {
	if n.Values == nil {
		n.Values = []Value{}
	}
	if len(n.Values) > maxValues {
		p.Addf("values", "must have at most %d values", maxValues)
		return
	}
	for i, v := range n.Values {
		at := func(field string) string { return fmt.Sprintf("values[%d].%s", i, field) }
		if len(v.Pointer) > maxPointer || strings.ContainsRune(v.Pointer, 0) || !pointerSyntax.MatchString(v.Pointer) {
			p.Addf(at("pointer"), "must be a JSON pointer such as /customer/name")
		}
		switch same := func(o Value) bool { return o.Variable == v.Variable }; {
		case !variableSyntax.MatchString(v.Variable):
			p.Addf(at("variable"), "must be 1 to 64 letters, digits and underscores, not starting with a digit")
		case slices.Contains(builtIn, v.Variable):
			p.Addf(at("variable"), "is a built-in variable")
		case slices.ContainsFunc(n.Values[:i], same):
			p.Addf(at("variable"), "must not repeat an earlier one")
		}
	}
}

// args are the arguments of the statements that write a tool's settings.
func (n NewTool) args() pgx.NamedArgs {
	return pgx.NamedArgs{
		"name": n.Name, "description": n.Description, "parameters": n.Parameters, "url": n.URL,
		"timeout_seconds": *n.TimeoutSeconds, "say": n.Say, "values": n.Values,
		"header_names": n.headerNames(),
	}
}

// headerNames is never nil, because a list in the database is not.
func (n NewTool) headerNames() []string {
	names := slices.AppendSeq([]string{}, maps.Keys(n.Headers))
	slices.Sort(names)
	return names
}

// audited are the settings as the audit log keeps them.
func (n NewTool) audited() map[string]any {
	return map[string]any{
		"name": n.Name, "host": webhook.HostOf(n.URL), "timeout_seconds": *n.TimeoutSeconds,
		"headers": n.headerNames(),
	}
}

// Create creates a tool and returns its signing secret, the only time it is shown. Errors: Invalid,
// and Unprocessable when the organization is at its limit.
func (s *Service) Create(ctx context.Context, actor account.Actor, n NewTool) (t Tool, secret string, err error) {
	if err := s.CheckNew(&n); err != nil {
		return Tool{}, "", err
	}
	id, random := uuid.Must(uuid.NewV7()), webhook.NewSecret()
	args := n.args()
	args["id"], args["organization_id"] = id, actor.OrganizationID
	args["headers"] = s.sealHeaders(actor.OrganizationID, id, n.Headers)
	args["secret"] = s.vault.Seal(random, cell(actor.OrganizationID, id, secretColumn))
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// Concurrent creations wait for this lock and count in a later statement.
		_, err := tx.Exec(ctx, `select from organization where id = $1 for no key update`, actor.OrganizationID)
		if err != nil {
			return fmt.Errorf("lock the organization: %w", err)
		}
		t, err = one(ctx, tx, `
			insert into tool (id, organization_id, name, description, parameters, url, headers, header_names, secret,
				timeout_seconds, say, "values")
			select @id, @organization_id, @name, @description, @parameters, @url, @headers, @header_names, @secret,
				@timeout_seconds, @say, @values
			where (select count(*) from tool
				where organization_id = @organization_id and deactivated_at is null) < `+fmt.Sprint(maxTools)+`
			returning `+columns, args)
		if fault.KindOf(err) == fault.NotFound {
			return fault.New(fault.Unprocessable, "Tool limit reached: at most %d per organization", maxTools)
		}
		if err != nil {
			return err
		}
		return record(ctx, tx, actor, t, "tool.created", n.audited())
	})
	if err != nil {
		return Tool{}, "", err
	}
	return t, webhook.ShowSecret(random), nil
}

// Update changes an active tool. Another server needs its headers again, because the stored ones are
// not sent there. Calls that are under way use the new settings for their next request, and the old
// name, description and schema. Unchanged may refuse the change of the tool as it is then, and may be nil. Errors:
// NotFound, Invalid, and that of unchanged.
func (s *Service) Update(
	ctx context.Context, actor account.Actor, id uuid.UUID, c Change, unchanged func(Tool) error,
) (t Tool, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if err := check.Precondition(old, unchanged); err != nil {
			return err
		}
		n := old.with(c)
		var p fault.Problems
		s.check(&p, &n)
		if len(old.HeaderNames) > 0 && c.Headers == nil && sender.Origin(n.URL) != sender.Origin(old.URL) {
			p.Addf("headers", "enter the value again because the server changed")
		}
		if err := p.Err(); err != nil {
			return err
		}
		args := n.args()
		args["organization_id"], args["id"], args["replace"] = actor.OrganizationID, id, c.Headers != nil
		args["headers"] = s.sealHeaders(actor.OrganizationID, id, n.Headers)
		t, err = one(ctx, tx, `
			update tool
			set name = @name, description = @description, parameters = @parameters, url = @url,
			    headers = case when @replace then @headers else headers end,
			    header_names = case when @replace then @header_names else header_names end,
			    timeout_seconds = @timeout_seconds, say = @say, "values" = @values
			where organization_id = @organization_id and id = @id
			returning `+columns, args)
		if err != nil {
			return err
		}
		if n.Headers == nil && reflect.DeepEqual(old, t) {
			return account.Unchanged(ctx)
		}
		data := n.audited()
		data["headers"] = t.HeaderNames
		return record(ctx, tx, actor, t, "tool.updated", data)
	})
	return t, err
}

// Deactivate permanently takes a tool out of use and forgets its secrets. Errors: NotFound, and
// Conflict that names the agents that use it.
func (s *Service) Deactivate(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		err = project.UnusedByAgents(ctx, tx, actor.OrganizationID, id,
			`script -> 'model' -> 'http_tools' ? @id`, "Tool "+t.Name)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update tool set deactivated_at = clock(), headers = '', secret = '', previous_secret = null,
				previous_secret_until = null
			where organization_id = $1 and id = $2`, actor.OrganizationID, id)
		if err != nil {
			return fmt.Errorf("deactivate a tool: %w", err)
		}
		return record(ctx, tx, actor, t, "tool.deactivated", nil)
	})
}

// record writes the audit entry of a change, in the transaction of the change.
func record(
	ctx context.Context, tx pgx.Tx, actor account.Actor, t Tool, action string, data map[string]any,
) error {
	if data == nil {
		data = map[string]any{"name": t.Name}
	}
	return account.Record(ctx, tx, actor, action, account.Object{Type: "tool", ID: t.ID}, data)
}

// one runs a statement that returns one tool. Errors: NotFound, and Invalid for a name that is taken.
func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Tool, error) {
	t, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Tool], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Tool{}, fault.NotFoundf("Tool")
	case postgres.Constraint(err) == "tool_name":
		return Tool{}, fault.Invalidf("name", "is the name of another tool")
	case err != nil:
		return Tool{}, fmt.Errorf("query a tool: %w", err)
	}
	return t, nil
}

const active = ` from tool where organization_id = @organization_id and id = @id and deactivated_at is null`

func lock(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Tool, error) {
	return one(ctx, tx, `select `+columns+active+` for no key update`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

var byID = postgres.NewByID[Tool]("Tool", `select `+columns+active)

// Get returns an active tool. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Tool, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// List lists the active tools, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, r page.Request) (page.List[Tool], error) {
	return page.Read(ctx, s.pool, r, "list tools", `
		select `+columns+` from tool
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(t Tool) (time.Time, uuid.UUID) { return t.CreatedAt, t.ID })
}

// OfCall returns the tools of an agent, as its calls use them. Tools that were deactivated are left
// out.
func (s *Service) OfCall(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID,
) ([]conversation.HTTPTool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[conversation.HTTPTool], `
		select id, name, description, parameters, say from tool
		where organization_id = $1 and id = any($2) and deactivated_at is null
		order by array_position($2, id)`, organizationID, ids)
	if err != nil {
		return nil, fmt.Errorf("read the tools of an agent: %w", err)
	}
	return all, nil
}
