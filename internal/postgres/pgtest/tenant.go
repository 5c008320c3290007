package pgtest

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/hours"
)

// Script is a script of an agent, with one question.
const Script = `{
	"language": "en-US",
	"greeting": "Hello {{name|there}}, this is Acme.",
	"disclosure": "I am an automated assistant. Press 9 or say stop at any time.",
	"questions": [{"key": "satisfied", "ask": "Are you satisfied?", "expect": "yes_no"}],
	"goodbye": "Thank you, goodbye.",
	"voicemail_message": "This is Acme, please call us back."
}`

// Tenant is an organization with everything that a call refers to.
type Tenant struct {
	OrganizationID, ProjectID, AgentID, ConnectionID, PhoneNumberID uuid.UUID
}

// NewTenant creates an organization that may call at any time: with a project in New York, an agent with this script,
// a connection to the sandbox and this phone number.
func (db *DB) NewTenant(tb testing.TB, name, number, script string) Tenant {
	tb.Helper()
	id := func() uuid.UUID { return uuid.Must(uuid.NewV7()) }
	t := Tenant{OrganizationID: id(), ProjectID: id(), AgentID: id(), ConnectionID: id(), PhoneNumberID: id()}
	_, err := db.Pool.Exec(context.Background(), `
		with organization as (
			insert into organization (id, name) values (@organization, @name)),
		project as (
			insert into project (id, organization_id, name, time_zone, region, calling_hours)
			values (@project, @organization, 'Main', 'America/New_York', 'US', @hours)),
		agent as (
			insert into agent (id, organization_id, name, language, script)
			values (@agent, @organization, 'Robin', 'en-US', @script)),
		connection as (
			insert into connection (id, organization_id, kind, name, account, credentials)
			values (@connection, @organization, 'sandbox', 'Sandbox', 'AC1', ''))
		insert into phone_number (id, organization_id, connection_id, phone_number)
		values (@phone_number, @organization, @connection, @number)`,
		pgx.NamedArgs{
			"organization": t.OrganizationID, "name": name, "project": t.ProjectID, "hours": hours.Always(),
			"agent": t.AgentID, "script": script, "connection": t.ConnectionID, "phone_number": t.PhoneNumberID,
			"number": number,
		})
	if err != nil {
		tb.Fatal(err)
	}
	return t
}
