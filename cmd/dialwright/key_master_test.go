package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/tool"
	"github.com/dialwright/dialwright/internal/webhook"
)

const newMasterKey = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="

// notSealed lists the bytea columns without secrets: hashes, and data that others sent. Add a new column to this list,
// or to the Sealed of the package that seals it.
var notSealed = []string{
	"api_key.hash", "call_sound.ticket_hash", "call_sound_part.sound", "campaign.settings_hash",
	"delivery_attempt.response_body", "do_not_call.number_hash",
	"erasure.number_hash",
	"idempotency_key.body_hash", "idempotency_key.key_hash", "invitation.token_hash", "password_reset.token_hash",
	"recovery_code.code_hash", "single_sign_on_use.state_hash",
	"setup_code.code_hash", "user_session.token_hash",
}

func TestEverySealedColumnIsKnown(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	rows, err := db.Pool.Query(t.Context(), `
		select c.table_name || '.' || c.column_name
		from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
		where c.table_schema = 'public' and c.data_type = 'bytea' and t.table_type = 'BASE TABLE' order by 1`)
	if err != nil {
		t.Fatal(err)
	}
	inSchema, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Clone(notSealed)
	for _, c := range sealed() {
		known = append(known, c.Table+"."+c.Column)
		var key []string
		err := db.Pool.QueryRow(t.Context(), `
			select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum))
			from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
			where i.indisprimary and i.indrelid = $1::regclass`, c.Table).Scan(&key)
		if err != nil || !slices.Equal(key, c.Key) {
			t.Errorf("the key of %s is %v, not %v; %v", c.Table, key, c.Key, err)
		}
	}
	for _, column := range inSchema {
		if !slices.Contains(known, column) {
			t.Errorf("%s is neither in the Sealed of a package nor in notSealed", column)
		}
	}
	for _, column := range known {
		if !slices.Contains(inSchema, column) {
			t.Errorf("%s is not in the schema", column)
		}
	}
}

// vaultOf makes a vault from base64 keys.
func vaultOf(t *testing.T, keys ...string) *seal.Vault {
	t.Helper()
	raw := make([][]byte, len(keys))
	for i, key := range keys {
		var err error
		if raw[i], err = base64.StdEncoding.DecodeString(key); err != nil {
			t.Fatal(err)
		}
	}
	vault, err := seal.NewVault(raw...)
	if err != nil {
		t.Fatal(err)
	}
	return vault
}

// withKeys runs a command with master keys, and returns its status and output.
func withKeys(t *testing.T, db *pgtest.DB, keys string, args ...string) (status int, said string) {
	t.Helper()
	var out bytes.Buffer
	env := map[string]string{"DATABASE_URL": db.URL, "DIALWRIGHT_MASTER_KEY": keys}
	status = run(t.Context(), args, func(name string) string { return env[name] }, &out, &out)
	return status, out.String()
}

// secrets is a deployment with a value in every sealed column.
type secrets struct {
	pool    *pgxpool.Pool
	actor   account.Actor
	session account.Session
	upload  string
	hash    []byte
}

const (
	erasedNumber  = phone.Number("+13125550142")
	sealedContent = "a file, of which somebody keeps a piece"
)

// openWith opens the pool with the number key, as a server does.
func openWith(t *testing.T, db *pgtest.DB, vault *seal.Vault) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{
		URL: db.URL, MaxConns: 4, Prepare: suppression.Unlock(vault),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func newSecrets(t *testing.T, db *pgtest.DB, vault *seal.Vault) *secrets {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &secrets{pool: openWith(t, db, vault)}
	_, whatsApp := apptest.WhatsApp(t, slog.New(slog.DiscardHandler))
	a := s.app(t, vault, func(o *app.Options) { o.WhatsApp = whatsApp })
	accounts := a.Accounts
	organization, user, err := accounts.CreateOrganizationWithUser(ctx, account.OrganizationSettings{Name: "Acme"},
		account.NewUser{Email: "ada@example.com", Name: "Ada", Password: "a long enough password", Role: account.Admin})
	must(err)
	_, s.session, err = accounts.SignIn(ctx, user.Email, "a long enough password", account.Client{
		Address: netip.MustParseAddr("203.0.113.7"),
	})
	must(err)
	s.actor = s.session.Actor(netip.MustParseAddr("203.0.113.7"))

	twilio, err := a.Projects.CreateConnection(ctx, s.actor, project.NewConnection{
		Kind: project.Twilio, Account: "AC" + strings.Repeat("0a", 16),
		ConnectionSettings: project.ConnectionSettings{Name: "Main", Token: "old-token-of-twilio"},
	})
	must(err)
	_, err = a.Projects.UpdateConnection(ctx, s.actor, twilio.ID, project.ConnectionSettings{
		Name: "Main", Token: "token-of-twilio",
	})
	must(err)

	_, err = a.WhatsApp.CreateConnection(ctx, s.actor, connection.NewConnection{
		Account: whatsapp.Account250, Settings: connection.Settings{
			Name: "WhatsApp", Token: apptest.WhatsAppToken, AppSecret: apptest.WhatsAppToken,
		},
	})
	must(err)

	hooks := a.Webhooks
	hook, _, err := hooks.Create(ctx, s.actor, webhook.Draft{
		Name: "CRM", URL: "http://127.0.0.1:1/", Events: []string{"*"}, Headers: map[string]string{"X-Key": "key"},
	})
	must(err)
	_, _, err = hooks.RotateSecret(ctx, s.actor, hook.ID, time.Hour)
	must(err)
	_, err = a.Checks.Save(ctx, s.actor, predial.Draft{URL: "http://127.0.0.1:1/", OnFailure: predial.Wait})
	must(err)
	_, err = a.Lists.Create(ctx, s.actor, subscribed.Draft{
		Name: "Register", URL: "http://127.0.0.1:1/", Channels: suppression.Channels, EveryHours: 24,
		HeaderName: "Authorization", HeaderValue: new("Bearer token-of-the-list"),
	})
	must(err)
	check, err := a.Checks.Get(ctx, s.actor.OrganizationID)
	must(err)
	_, err = a.Checks.RotateSecret(ctx, s.actor, check.SecretMark)
	must(err)

	_, err = a.Models.Create(ctx, s.actor, modelconn.NewConnection{
		Name: "Model", Provider: modelconn.OpenAICompatible, URL: "https://models.example.com/v1", Model: "m",
		Key: "key-of-the-model",
	})
	must(err)
	made, _, err := a.Tools.Create(ctx, s.actor, tool.NewTool{
		Name: "look_up", Description: "Looks up.", URL: "http://127.0.0.1:1/",
		Headers: map[string]string{"Authorization": "Bearer token-of-the-tool"},
	})
	must(err)
	_, _, err = a.Tools.RotateSecret(ctx, s.actor, made.ID, "")
	must(err)

	s.answer(t, vault, "first")
	enrollment, err := accounts.BeginSecondFactor(ctx, user, "here")
	must(err)
	_, err = accounts.ConfirmSecondFactor(ctx, s.session, s.actor, enrollment.Ticket, appCode(t, enrollment.Secret),
		"a long enough password")
	must(err)
	file, err := a.Uploads.Keep(ctx, s.actor, "list.csv", strings.NewReader(sealedContent))
	must(err)
	s.upload = file.ID.String()
	_, err = s.pool.Exec(ctx, `insert into sessions (token, data, expiry)
		values ('hashed', $1, now() + interval '1 day')`,
		vault.Seal([]byte("a session"), seal.Cell{Table: "sessions", Column: "data", Row: "hashed"}))
	must(err)
	_, err = s.pool.Exec(ctx, `
		insert into single_sign_on (organization_id, address, label, issuer, client_id, client_secret, domains,
			creates_members, role_claim, admin_values, manager_values, staff_values, passwords_off)
		values ($1, 'acme', 'Acme', 'https://id.example.com', 'dialwright', $2,
			'{}', false, '', '{}', '{}', '{}', false)`,
		organization.ID, vault.Seal([]byte("secret-of-the-client"), seal.Cell{
			Organization: organization.ID,
			Table:        "single_sign_on",
			Column:       "client_secret",
			Row:          organization.ID.String(),
		}))
	must(err)
	_, err = a.Erasures.Request(ctx, s.actor, string(erasedNumber))
	must(err)
	s.hash, err = suppression.Hash(ctx, s.pool, organization.ID, erasedNumber)
	must(err)
	return s
}

// app returns the product with a vault.
func (s *secrets) app(t *testing.T, vault *seal.Vault, set ...func(*app.Options)) *app.App {
	t.Helper()
	return apptest.New(t, s.pool, api.Reference, append(set, func(o *app.Options) {
		o.Vault, o.WebhookAllow = vault, []string{"127.0.0.0/8"}
	})...)
}

// answer returns the answer to a request with an idempotency key. The first answer is text.
func (s *secrets) answer(t *testing.T, vault *seal.Vault, text string) string {
	t.Helper()
	answer, err := s.app(t, vault).Accounts.Idempotent(t.Context(), s.actor, "POST /campaigns", "my key", []byte("{}"),
		func(pgx.Tx) (int, []byte, error) { return 201, []byte(text), nil })
	if err != nil {
		t.Fatal(err)
	}
	return string(answer.Body)
}

// appCode returns the code that an authenticator app shows (RFC 6238).
func appCode(t *testing.T, secret string) string {
	t.Helper()
	seed, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha1.New, seed)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(time.Now().Unix()/30)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:])&0x7fffffff)%1_000_000)
}

// A person who can write to the database can't replace a secret with a secret from another cell, neither from another
// column of the same row nor from any other row.
func TestNoSecretOpensInTheCellOfAnother(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	vault := vaultOf(t, newMasterKey)
	s := newSecrets(t, db, vault)
	type cell struct {
		place  seal.Cell
		sealed []byte
	}
	var cells []cell
	for _, c := range sealed() {
		at := cell{place: seal.Cell{Table: c.Table, Column: c.Column}}
		organization := "null::uuid"
		if c.Organization != "" {
			organization = c.Organization
		}
		var of *uuid.UUID
		err := s.pool.QueryRow(t.Context(),
			`select (`+organization+`), `+c.Row+`, `+c.Column+` from `+c.Table+` t where `+c.Column+
				` is not null limit 1`).
			Scan(&of, &at.place.Row, &at.sealed)
		if err != nil {
			t.Fatalf("%s.%s: %v", c.Table, c.Column, err)
		}
		if of != nil {
			at.place.Organization = *of
		}
		cells = append(cells, at)
	}
	for _, from := range cells {
		for _, to := range cells {
			_, err := vault.Open(from.sealed, to.place)
			if same := from.place == to.place; same != (err == nil) {
				t.Errorf("what is sealed for %s.%s, in %s.%s: %v", from.place.Table, from.place.Column, to.place.Table,
					to.place.Column, err)
			}
			within := to.place
			within.Organization, within.Table, within.Row = from.place.Organization, from.place.Table, from.place.Row
			if _, err := vault.Open(from.sealed, within); within != from.place && err == nil {
				t.Errorf("%s.%s opens as its neighbor %s", from.place.Table, from.place.Column, within.Column)
			}
		}
	}
}

// The new master key seals every secret that the old key sealed. Then the old key can be removed.
func TestTheMasterKeyIsReplaced(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := newSecrets(t, db, vaultOf(t, testMasterKey))
	both := newMasterKey + "," + testMasterKey

	status, said := withKeys(t, db, both, "key", "rotate-master", "--dry-run")
	if status != 1 || !strings.Contains(
		said, fmt.Sprint(len(sealed()), " secrets are encrypted with an older master key or in an older form"),
	) {
		t.Fatalf("%d: %s", status, said)
	}
	if status, said = withKeys(t, db, both, "key", "rotate-master"); status != 0 ||
		!strings.Contains(said, "You can remove the others.") {
		t.Fatalf("%d: %s", status, said)
	}
	for _, c := range sealed() {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), c.Table+" "+c.Column+" 0 1 0 0") {
			t.Errorf("%s.%s was not sealed anew:\n%s", c.Table, c.Column, said)
		}
	}
	if status, said = withKeys(t, db, newMasterKey, "key", "rotate-master", "--dry-run"); status != 0 {
		t.Fatalf("without the old key: %d: %s", status, said)
	}

	// Every secret opens without the old key, in the way the product opens it.
	vault := vaultOf(t, newMasterKey)
	s.pool = openWith(t, db, vault)
	if hash, err := suppression.Hash(t.Context(), s.pool, s.actor.OrganizationID, erasedNumber); err != nil ||
		!bytes.Equal(hash, s.hash) {
		t.Errorf("the number key is another: %v", err)
	}
	if got := s.answer(t, vault, "again"); got != "first" {
		t.Errorf("the kept answer is %q", got)
	}
	_, content, err := s.app(t, vault).Uploads.Open(t.Context(), s.actor, s.upload)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(content); err != nil || string(text) != sealedContent {
		t.Errorf("the upload is %q, %v", text, err)
	}

	// The command names a secret that no key opens, without its content.
	if _, err := s.pool.Exec(
		t.Context(), `update connection set credentials = '\x00000000' || substring(credentials from 5)`,
	); err != nil {
		t.Fatal(err)
	}
	var id uuid.UUID
	if err := s.pool.QueryRow(t.Context(), `select id from connection`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, dry := range [][]string{{}, {"--dry-run"}} {
		status, said = withKeys(t, db, both, append([]string{"key", "rotate-master"}, dry...)...)
		if status != 1 || !strings.Contains(said, "connection.credentials: row "+id.String()+" cannot be decrypted") ||
			!strings.Contains(said, "1 secrets cannot be decrypted") {
			t.Errorf("%v: %d: %s", dry, status, said)
		}
	}
}

// A server changes a secret while the command seals the secrets again. The new secret stays, even though the command
// had already read the old secret.
func TestTheMasterKeyIsReplacedWhileServersRun(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	old, after := vaultOf(t, testMasterKey), vaultOf(t, newMasterKey, testMasterKey)
	s := newSecrets(t, db, old)
	var id uuid.UUID
	if err := s.pool.QueryRow(t.Context(), `select id from webhook`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	place := seal.Cell{Organization: s.actor.OrganizationID, Table: "webhook", Column: "secret", Row: id.String()}

	var resealed seal.Resealed
	done := make(chan error, 1)
	err := postgres.InTx(t.Context(), s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(
			t.Context(), `update webhook set secret = $2 where id = $1`, id,
			old.Seal([]byte("the newer secret"), place),
		); err != nil {
			return err
		}
		go func() {
			var err error
			resealed, err = after.Reseal(t.Context(), s.pool, webhook.Sealed[0], false)
			done <- err
		}()
		db.AwaitLockWaits(t, 1) // Reseal has read the old secret and waits for the row
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || resealed.Done != 1 || resealed.Older != 0 || len(resealed.Closed) != 0 {
		t.Errorf("%+v, %v", resealed, err)
	}
	var stored []byte
	if err := s.pool.QueryRow(t.Context(), `select secret from webhook where id = $1`, id).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if plain, err := vaultOf(t, newMasterKey).Open(stored, place); err != nil || string(plain) != "the newer secret" {
		t.Errorf("the secret is %q, %v", plain, err)
	}
}

// Reseal processes many rows in batches and skips rows that it can't open. A second run finds no work.
func TestManySecretsAreSealedAnew(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	old, after := vaultOf(t, testMasterKey), vaultOf(t, newMasterKey, testMasterKey)
	organization := uuid.Must(uuid.NewV7())
	if _, err := db.Pool.Exec(
		t.Context(), `insert into organization (id, name) values ($1, 'Acme')`, organization,
	); err != nil {
		t.Fatal(err)
	}
	const many, closed = 1100, 11
	_, err := db.Pool.CopyFrom(t.Context(), pgx.Identifier{"idempotency_key"}, []string{
		"organization_id", "route", "key_hash", "body_hash", "status", "answer",
	},
		pgx.CopyFromSlice(many, func(i int) ([]any, error) {
			hash := sha256.Sum256([]byte(fmt.Sprint(i)))
			place := seal.Cell{
				Organization: organization, Table: "idempotency_key", Column: "answer",
				Row: "POST /messages " + hex.EncodeToString(hash[:]),
			}
			if i%100 == 0 {
				place.Row = "elsewhere"
			}
			return []any{organization, "POST /messages", hash[:], hash[:], 201, old.Seal([]byte("answer"), place)}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		dry  bool
		want seal.Resealed
	}{
		{true, seal.Resealed{Older: many - closed}},
		{false, seal.Resealed{Done: many - closed}},
		{false, seal.Resealed{Current: many - closed}},
	} {
		got, err := after.Reseal(t.Context(), db.Pool, account.Sealed[0], step.dry)
		if err != nil || got.Current != step.want.Current || got.Older != step.want.Older ||
			got.Done != step.want.Done || len(got.Closed) != closed {
			t.Errorf("%+v: %+v, %v", step, got, err)
		}
	}
}
