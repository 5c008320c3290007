package cloud

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// HooksPath is the path at which a Hook is mounted. The Hook expects whole paths. The rest of a
// path is the ID of a connection.
const HooksPath = "/hooks/whatsapp/"

// maxWebhook is above WhatsApp's maximum of 3 MB.
const maxWebhook = 4 << 20

// Secrets verify a connection's webhooks.
type Secrets struct {
	AppSecret   string // signs every webhook
	VerifyToken string // in the verification request of the address
}

// ErrNoConnection is the error of Hook.Secrets for an unknown connection.
var ErrNoConnection = errors.New("cloud: no such connection")

// Hook handles webhooks. Any process may receive any webhook. Secrets and Deliver are required.
type Hook struct {
	// Secrets returns the secrets of a connection. Errors: ErrNoConnection, or a fault
	// NotFound.
	Secrets func(ctx context.Context, connectionID uuid.UUID) (Secrets, error)

	// Deliver applies the events of a webhook in order. There is at least one event. It returns
	// when all events are stored. After an error, WhatsApp repeats the whole webhook, for days.
	Deliver func(ctx context.Context, connectionID uuid.UUID, events []Event) error

	Log *slog.Logger // nil: slog.Default()
}

func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	connectionID, err := uuid.Parse(strings.TrimPrefix(r.URL.Path, HooksPath))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	secrets, err := h.Secrets(r.Context(), connectionID)
	if errors.Is(err, ErrNoConnection) || fault.KindOf(err) == fault.NotFound {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		h.fail(w, r, connectionID, "read the connection of a webhook", err)
		return
	}
	if r.Method == http.MethodGet {
		challenge, ok := challenged(secrets.VerifyToken, r.URL.Query())
		if !ok {
			http.Error(w, "verify token does not match", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, challenge)
		return
	}
	h.receive(w, r, connectionID, secrets)
}

func (h *Hook) receive(w http.ResponseWriter, r *http.Request, connectionID uuid.UUID, secrets Secrets) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxWebhook))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		http.Error(w, "body too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "body cut off", http.StatusBadRequest)
		return
	}
	if !signed(secrets.AppSecret, r.Header.Get(signatureHeader), body) {
		http.Error(w, "signature does not match", http.StatusForbidden)
		return
	}
	in, err := parse(body)
	events, skipped := in.events, in.skipped
	if len(in.unknown) > 0 {
		h.log().DebugContext(r.Context(), "a WhatsApp webhook has events that are not used", "connection", connectionID,
			"fields", in.unknown)
	}
	if err != nil || skipped > 0 {
		// The answer is still a success, because WhatsApp would only repeat the same webhook.
		h.log().WarnContext(r.Context(), "parts of a WhatsApp webhook could not be read",
			"connection", connectionID, "bytes", len(body), "skipped", skipped, "readable", err == nil)
	}
	if len(events) > 0 {
		// The events are applied even if WhatsApp closes the connection.
		if err := h.Deliver(context.WithoutCancel(r.Context()), connectionID, events); err != nil {
			h.fail(w, r, connectionID, "apply a webhook", err)
			return
		}
	}
	w.WriteHeader(http.StatusOK)
}

// fail logs an error and sends an answer that makes WhatsApp try again.
func (h *Hook) fail(w http.ResponseWriter, r *http.Request, connectionID uuid.UUID, attempted string, err error) {
	if !errors.Is(err, context.Canceled) {
		h.log().ErrorContext(r.Context(), "WhatsApp webhook failed", "attempted", attempted, "connection", connectionID,
			"error", err)
	}
	http.Error(w, "temporarily unable", http.StatusInternalServerError)
}

func (h *Hook) log() *slog.Logger {
	if h.Log == nil {
		return slog.Default()
	}
	return h.Log
}
