package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

// exampleProject is the project of the example of call.completed.
const exampleProject = "019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d001"

// world is an organization with the service.
type world struct {
	*Service
	db    *pgtest.DB
	t     *testing.T
	vault *seal.Vault
	actor account.Actor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.New(t)
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	public, err := guard.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &world{db: db, t: t, vault: vault}
	h.Service = New(Options{
		Pool:  db.Pool,
		Vault: vault,
		Guard: public,
		Hub:   postgres.LocalHub(),
		Examples: map[string]json.RawMessage{"call.completed": json.RawMessage(
			`{"project_id":"` + exampleProject + `","data":{"id":"1","outcome":"completed"}}`)},
	})
	h.actor = h.organization("UTC")
	return h
}

func (h *world) organization(zone string) account.Actor {
	h.t.Helper()
	id := uuid.New()
	h.exec(`insert into organization (id, name, time_zone) values ($1, 'x', $2)`, id, zone)
	return account.Actor{OrganizationID: id, Kind: account.ByUser, ID: uuid.New(), Name: "Ana"}
}

func (h *world) exec(sql string, args ...any) {
	h.t.Helper()
	if _, err := h.db.Pool.Exec(h.t.Context(), sql, args...); err != nil {
		h.t.Fatalf("%s: %v", sql, err)
	}
}

// scan reads a single value.
func scan[T any](h *world, sql string, args ...any) (v T) {
	h.t.Helper()
	if err := h.db.Pool.QueryRow(h.t.Context(), sql, args...).Scan(&v); err != nil {
		h.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func (h *world) webhook(events ...string) Webhook {
	h.t.Helper()
	w, _, err := h.Create(h.t.Context(), h.actor, Draft{
		Name: "CRM", URL: "https://example.com/hook?token=1", Events: events,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return w
}

// audited returns the audited actions about an object, oldest first.
func (h *world) audited(id uuid.UUID) []string {
	h.t.Helper()
	return scan[[]string](h, `select coalesce(array_agg(action order by id), '{}') from audit_entry
		where object_id = $1 and organization_id = $2`,
		id, h.actor.OrganizationID)
}

func (h *world) refused(err error, kind fault.Kind, text string) {
	h.t.Helper()
	if fault.KindOf(err) != kind || err.Error() != text {
		h.t.Errorf("got %v, want %q", err, text)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, secret, err := h.Create(t.Context(), h.actor, Draft{Name: " CRM ", URL: "https://example.com/hook",
		Events: []string{"call.*", "campaign.paused", "call.*", " * "}})
	if err != nil {
		t.Fatal(err)
	}
	if w.Name != "CRM" || !slices.Equal(w.Events, []string{"call.*", "campaign.paused", "*"}) || !w.IsActive ||
		w.CreatedBy != "Ana" {
		t.Errorf("got %+v", w)
	}
	sealed := scan[[]byte](h, `select secret from webhook where id = $1`, w.ID)
	if bytes.Contains(sealed, []byte(secret[len(secretPrefix):len(secretPrefix)+8])) {
		t.Error("the secret is stored as it is")
	}
	opened, err := openSecrets(h.vault, h.actor.OrganizationID, w.ID, sealed, nil)
	if err != nil || len(opened) != 1 || ShowSecret(opened[0]) != secret {
		t.Errorf("the secret does not open: %v", err)
	}
	if got, err := h.Get(t.Context(), h.actor.OrganizationID, w.ID); err != nil || fmt.Sprint(got) != fmt.Sprint(w) {
		t.Errorf("read again: %+v, %v", got, err)
	}
	if got := h.audited(w.ID); !slices.Equal(got, []string{"webhook.created"}) {
		t.Errorf("audited %v", got)
	}
	data := scan[string](h, `select data::text from audit_entry where object_id = $1`, w.ID)
	if strings.Contains(data, "/hook") || strings.Contains(data, secret[6:]) {
		t.Errorf("the audit log tells too much: %s", data)
	}

	all := strings.Join(Subscribable(), ", ")
	for _, c := range []struct {
		d    Draft
		want string
	}{
		{Draft{}, "name: required; url: required; events: at least one is required"},
		{
			Draft{Name: strings.Repeat("x", 101), URL: "https://example.com", Events: []string{"*"}},
			"name: must have at most 100 characters",
		},
		{
			Draft{Name: "x", URL: "ftp://x", Events: []string{"*"}},
			"url: must be an https URL such as https://example.com",
		},
		{Draft{Name: "x", URL: "https://10.0.0.1/", Events: []string{"*"}},
			"url: must be a public address (others are only for hosts within the operator's DIALWRIGHT_WEBHOOK_ALLOW)"},
		{Draft{Name: "x", URL: "https://example.com", Events: []string{"*", "call.begun", "call"}},
			"events[1]: must be one of " + all + "; events[2]: not an event type"},
	} {
		_, _, err := h.Create(t.Context(), h.actor, c.d)
		h.refused(err, fault.Invalid, c.want)
	}
	_, _, err = h.Create(t.Context(), h.actor, Draft{
		ID: w.ID, Name: "x", URL: "https://example.com", Events: []string{"*"},
	})
	h.refused(err, fault.Conflict, "This webhook was created already")
	if n := scan[int](h, `select count(*) from webhook`); n != 1 {
		t.Errorf("%d webhooks", n)
	}
}

// The limit is exact, however many requests arrive at once. A deleted webhook frees a
// slot.
func TestTheEleventhWebhookIsRefused(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	var mu sync.Mutex
	created, refused := 0, 0
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			_, _, err := h.Create(t.Context(), h.actor, Draft{
				Name: "CRM", URL: "https://example.com", Events: []string{"*"},
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				created++
			case fault.KindOf(err) == fault.Unprocessable &&
				err.Error() == "Webhook limit reached: at most 10 per organization":
				refused++
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := scan[int](h, `select count(*) from webhook`); created != MaxWebhooks || refused != 64-MaxWebhooks ||
		n != MaxWebhooks {
		t.Errorf("%d created, %d refused, %d there", created, refused, n)
	}
	other := h.organization("UTC")
	if _, _, err := h.Create(t.Context(), other, Draft{
		Name: "x", URL: "https://example.com", Events: []string{"*"},
	}); err != nil {
		t.Errorf("another organization: %v", err)
	}
	list, err := h.List(t.Context(), h.actor.OrganizationID, page.Request{Limit: 4})
	if err != nil || len(list.Data) != 4 || !list.HasMore {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := h.Delete(t.Context(), h.actor, list.Data[0].ID); err != nil {
		t.Fatal(err)
	}
	tenth := h.webhook("*")
	_, _, err = h.Create(t.Context(), h.actor, Draft{
		ID: tenth.ID, Name: "CRM", URL: "https://example.com", Events: []string{"*"},
	})
	h.refused(err, fault.Conflict, "This webhook was created already")
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	created, secret, err := h.Create(t.Context(), h.actor, Draft{
		Name: "CRM", URL: "https://example.com/a", Events: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id, same, other := created.ID, created.ID.String(), uuid.NewString()
	name, url, events, off := "ERP", "https://example.org/b", []string{"call.*", "call.*"}, false
	w, err := h.Update(t.Context(), h.actor, id, Change{
		Name: &name, URL: &url, Events: &events, IsActive: &off, ID: &same, CreatedAt: &created.CreatedAt,
		Secret: &secret,
	}, nil)

	if err != nil {
		t.Fatal(err)
	}
	if w.Name != name || w.URL != url || !slices.Equal(w.Events, []string{"call.*"}) || w.IsActive ||
		w.InactiveSince == nil {
		t.Errorf("got %+v", w)
	}
	if again, err := h.Update(t.Context(), h.actor, id, Change{Name: &name, IsActive: &off}, nil); err != nil ||
		fmt.Sprint(again) != fmt.Sprint(w) {
		t.Errorf("nothing new: %+v, %v", again, err)
	}
	if got := h.audited(id); !slices.Equal(got, []string{"webhook.created", "webhook.updated", "webhook.paused"}) {
		t.Errorf("audited %v", got)
	}
	// Change a letter near the end of the secret. The letter may already be an A.
	wrong := secret[:len(secret)-2] + "A="
	if wrong == secret {
		wrong = secret[:len(secret)-2] + "E="
	}
	later, none := created.CreatedAt.Add(time.Millisecond), []string(nil)
	for want, c := range map[string]Change{
		"id: cannot be changed; created_at: cannot be changed; secret: cannot be changed, only rotated": {
			ID: &other, CreatedAt: &later, Secret: &wrong,
		},
		"events: at least one is required": {Events: &none},
	} {
		_, err := h.Update(t.Context(), h.actor, id, c, nil)
		h.refused(err, fault.Invalid, want)
	}
}

func TestPauseResumeAndDisable(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, listener := h.webhook("*"), h.webhook("webhook.disabled")
	disableIt := func(reason string) (told *Outbox) {
		t.Helper()
		err := postgres.InTx(t.Context(), h.db.Pool, func(tx pgx.Tx) (err error) {
			told, err = disable(t.Context(), tx, h.actor.OrganizationID, w.ID, reason)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	h.exec(`update webhook set failing_since = clock(), failures = 12, last_failure_at = clock() where id = $1`, w.ID)
	disableIt(DisabledFailing).Wake(postgres.LocalHub())
	got, err := h.Get(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil || got.IsActive || got.InactiveSince == nil || got.DisabledReason == nil ||
		*got.DisabledReason != DisabledFailing || got.Failures != 12 {
		t.Fatalf("%+v, %v", got, err)
	}

	// The organization's other webhooks get one event, with the resource as the API shows
	// it. The disabled webhook gets no event.
	disableIt(DisabledGone)
	told := scan[[]uuid.UUID](h, `select array_agg(webhook_id) from delivery where event_type = 'webhook.disabled'`)
	if !slices.Equal(told, []uuid.UUID{listener.ID}) {
		t.Errorf("told %v", told)
	}
	payload := scan[string](h, `select payload from event where subject_id = $1`, w.ID)
	var body struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	want, _ := json.Marshal(got.Resource())
	if err := json.Unmarshal([]byte(payload), &body); err != nil || body.Type != "webhook.disabled" ||
		string(body.Data) != string(want) {
		t.Errorf("payload %s, want data %s", payload, want)
	}

	// A pause leaves a disabled webhook unchanged. Resuming clears the failures.
	if p, err := h.Pause(t.Context(), h.actor, w.ID); err != nil || p.DisabledReason == nil {
		t.Errorf("%+v, %v", p, err)
	}
	r, err := h.Resume(t.Context(), h.actor, w.ID)
	if err != nil || !r.IsActive || r.DisabledReason != nil || r.InactiveSince != nil || r.Failures != 0 ||
		r.FailingSince != nil || r.LastFailureAt != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if p, err := h.Pause(t.Context(), h.actor, w.ID); err != nil || p.IsActive || p.DisabledReason != nil {
		t.Errorf("%+v, %v", p, err)
	}
	if got := h.audited(w.ID); !slices.Equal(got, []string{
		"webhook.created", "webhook.disabled", "webhook.resumed", "webhook.paused",
	}) {
		t.Errorf("audited %v", got)
	}
	if by := scan[string](
		h, `select actor_kind from audit_entry where action = 'webhook.disabled'`,
	); by != string(account.BySystem) {
		t.Errorf("disabled by %s", by)
	}

	// A webhook that was deleted meanwhile stays unchanged.
	if _, err := h.Resume(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.Delete(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	disableIt(DisabledGone)
}

func TestRotateSecret(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, first, err := h.Create(t.Context(), h.actor, Draft{
		Name: "CRM", URL: "https://example.com", Events: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	signing := func() (shown []string) {
		t.Helper()
		var current, previous []byte
		err := h.db.Pool.QueryRow(t.Context(), `select secret, previous_secret from webhook where id = $1`, w.ID).
			Scan(&current, &previous)
		if err != nil {
			t.Fatal(err)
		}
		secrets, err := openSecrets(h.vault, h.actor.OrganizationID, w.ID, current, previous)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			shown = append(shown, ShowSecret(s))
		}
		return shown
	}
	rotated, second, err := h.RotateSecret(t.Context(), h.actor, w.ID, time.Hour)
	if err != nil || second == first || rotated.PreviousSecretUntil == nil {
		t.Fatalf("%+v, %v", rotated, err)
	}
	if got := signing(); !slices.Equal(got, []string{second, first}) {
		t.Error("both should sign, the new one first")
	}
	_, third, err := h.RotateSecret(t.Context(), h.actor, w.ID, DefaultOverlap)
	if got := signing(); err != nil || !slices.Equal(got, []string{third, second}) {
		t.Errorf("after a second rotation: %v", err)
	}
	h.db.Advance(DefaultOverlap)
	if got, err := h.Get(t.Context(), h.actor.OrganizationID, w.ID); err != nil || got.PreviousSecretUntil != nil {
		t.Errorf("after the overlap: %+v, %v", got, err)
	}
	at, fourth, err := h.RotateSecret(t.Context(), h.actor, w.ID, 0)
	if got := signing(); err != nil || !slices.Equal(got, []string{fourth}) || at.PreviousSecretUntil != nil {
		t.Errorf("without overlap: %v", err)
	}
	for _, overlap := range []time.Duration{-1, MaxOverlap + 1} {
		_, _, err := h.RotateSecret(t.Context(), h.actor, w.ID, overlap)
		h.refused(err, fault.Invalid, "overlap_seconds: must be between 0 and 604,800")
	}
	if n := scan[int](h, `select count(*) from audit_entry where data::text like '%whsec%'`); n != 0 {
		t.Error("a secret is in the audit log")
	}
}

// A form that is sent twice, or by two people, makes one secret only.
func TestRotateSecretOf(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("call.*")
	var sending sync.WaitGroup
	made := make(chan Webhook, 4)
	for range cap(made) {
		sending.Go(func() {
			after, secret, err := h.RotateSecretOf(t.Context(), h.actor, w.ID, time.Hour, w.SecretMark)
			switch {
			case err == nil && secret != "":
				made <- after
			case fault.KindOf(err) != fault.Conflict:
				t.Errorf("got %v, want Conflict", err)
			}
		})
	}
	sending.Wait()
	if len(made) != 1 {
		t.Fatalf("%d secrets were made", len(made))
	}
	after := <-made
	if after.SecretMark == w.SecretMark || after.SecretMark == "" {
		t.Errorf("the mark is %q, and was %q", after.SecretMark, w.SecretMark)
	}
	if _, _, err := h.RotateSecretOf(t.Context(), h.actor, w.ID, time.Hour, after.SecretMark); err != nil {
		t.Error(err)
	}
	if _, _, err := h.RotateSecretOf(t.Context(), h.actor, w.ID, time.Hour, ""); fault.KindOf(err) != fault.Invalid {
		t.Errorf("without a mark: %v", err)
	}
	if _, _, err := h.RotateSecretOf(
		t.Context(), h.organization("UTC"), w.ID, time.Hour, after.SecretMark,
	); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization's: %v", err)
	}
}

// A deleted webhook and its deliveries are gone at once, for everybody. Another
// organization's webhook is not found either.
func TestDeletedAndForeignWebhooks(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, deleted := h.webhook("*"), h.webhook("*")
	d, err := h.Test(t.Context(), h.actor, w.ID, WebhookTest)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := h.Test(t.Context(), h.actor, deleted.ID, WebhookTest)
	if err == nil {
		err = h.Delete(t.Context(), h.actor, deleted.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	stranger := h.organization("UTC")
	for _, c := range []struct {
		what     string
		actor    account.Actor
		id       uuid.UUID
		delivery uuid.UUID
	}{
		{"deleted", h.actor, deleted.ID, gone.ID}, {"foreign", stranger, w.ID, d.ID},
		{"unknown", h.actor, uuid.New(), d.ID},
	} {
		t.Run(c.what, func(t *testing.T) {
			ctx, org := t.Context(), c.actor.OrganizationID
			errs := make([]error, 0, 16)
			add := func(_ any, err error) { errs = append(errs, err) }
			add(h.Get(ctx, org, c.id))
			add(h.Update(ctx, c.actor, c.id, Change{}, nil))
			add(h.Pause(ctx, c.actor, c.id))
			add(h.Resume(ctx, c.actor, c.id))
			add(nil, h.Delete(ctx, c.actor, c.id))
			_, _, err := h.RotateSecret(ctx, c.actor, c.id, 0)
			add(nil, err)
			add(h.Test(ctx, c.actor, c.id, WebhookTest))
			add(h.Resend(ctx, c.actor, c.id, c.delivery))
			add(h.Recover(ctx, c.actor, c.id, time.Now()))
			add(h.LatestRecovery(ctx, org, c.id))
			add(h.Deliveries(ctx, org, c.id, DeliveryFilter{}))
			add(h.Delivery(ctx, org, c.id, c.delivery))
			add(h.DeliveryDetail(ctx, org, c.id, c.delivery))
			add(h.Health(ctx, org, c.id))
			for i, err := range errs {
				if f := fault.As(err); f == nil || f.Kind != fault.NotFound || f.Message != "Webhook not found" {
					t.Errorf("%d: %v", i, err)
				}
			}
			about, err := h.About(ctx, org, c.id)
			if err != nil || len(about) != 0 {
				t.Errorf("about it: %v, %v", about, err)
			}
		})
	}
	// A delivery is found only under its own webhook.
	another := h.webhook("*")
	_, err = h.DeliveryDetail(t.Context(), h.actor.OrganizationID, another.ID, d.ID)
	h.refused(err, fault.NotFound, "Delivery not found")
	_, err = h.Resend(t.Context(), h.actor, another.ID, d.ID)
	h.refused(err, fault.NotFound, "Delivery not found")
	if about, err := h.About(t.Context(), h.actor.OrganizationID, w.ID); err != nil || len(about) != 1 ||
		about[0].ID != d.ID {
		t.Errorf("about the webhook: %v, %v", about, errors.Join(err))
	}
}
