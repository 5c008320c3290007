package cloud

import "time"

// Event is something WhatsApp tells: one of Status, Inbound, Preference,
// CapabilityUpdate, QualityUpdate, AccountUpdate and TemplateUpdate. It comes at
// least once and in any order, and may be of another account of the same app
// than the connection it came in by.
type Event interface {
	// Account is the business account it is about.
	Account() string
	event()
}

// State is how far a message has come. WhatsApp may add others.
type State string

const (
	Sent      State = "sent"      // WhatsApp's servers have passed it on
	Delivered State = "delivered" // it is on a device of the recipient
	Read      State = "read"      // which implies delivered; that may never be told
	Failed    State = "failed"
)

// Status is what became of a message. A recipient with several devices may
// cause both Delivered and Failed: Delivered and Read win, whatever comes last.
type Status struct {
	AccountID string
	NumberID  string // that sent
	MessageID string // what matches it to a message, or Reference
	Reference string // of Message; "" when WhatsApp withholds it
	State     State
	At        time.Time // by WhatsApp's clock, whole seconds; zero when not told
	WaID      string    // of the recipient; "" when withheld. Never match by it
	Failure   *Error    // of Failed
	Pricing   Pricing
}

// Pricing is what a message costs, told once with one of its statuses.
type Pricing struct {
	Category string // marketing, utility, …; "" when not told
	Type     string // regular, free_customer_service, free_entry_point
	Billable bool
}

// Inbound is a message from a user. It opens a service window of 24 hours.
type Inbound struct {
	AccountID string
	NumberID  string // that was written to
	MessageID string
	WaID      string    // of the sender: the digits of the phone number; "" when withheld
	UserID    string    // of the sender within this portfolio; "" when not told
	Name      string    // as the sender calls themself; "" when not told
	Kind      string    // text, button, interactive, image, …
	Text      string    // what was written, or stands on the button that was tapped; "" for others
	Payload   string    // of the button
	ReplyTo   string    // the message answered to, when one is named
	At        time.Time // by WhatsApp's clock, whole seconds; zero when not told
}

// Preference is a recipient's choice about a category of messages.
type Preference struct {
	AccountID string
	NumberID  string
	WaID      string
	Category  string // marketing_messages
	Value     string // stop, resume
	At        time.Time
}

// CapabilityUpdate tells the account's new messaging limit. It may be older
// than what was read meanwhile: read the limit again.
type CapabilityUpdate struct {
	AccountID string
	Tier      Tier
}

// QualityUpdate tells that something about a number has changed: its
// throughput, or its quality. The limit it names may mean either: read the
// number again.
type QualityUpdate struct {
	AccountID   string
	PhoneNumber string // E.164; "" when not told
	Kind        string // ONBOARDING, THROUGHPUT_UPGRADE, UPGRADE, DOWNGRADE, FLAGGED, …
}

// AccountUpdate tells of the account's state.
type AccountUpdate struct {
	AccountID    string
	Kind         string   // VERIFIED_ACCOUNT, DISABLED_UPDATE, ACCOUNT_RESTRICTION, ACCOUNT_VIOLATION, …
	PhoneNumber  string   // E.164; "" when not told
	BanState     string   // of DISABLED_UPDATE: SCHEDULE_FOR_DISABLE, DISABLE, REINSTATE
	Violation    string   // of ACCOUNT_VIOLATION
	Restrictions []string // of ACCOUNT_RESTRICTION: RESTRICTED_BIZ_INITIATED_MESSAGING, …
}

// TemplateUpdate tells that a template's status has changed.
type TemplateUpdate struct {
	AccountID  string
	TemplateID string
	Name       string
	Language   string
	Status     string // APPROVED, REJECTED, PAUSED, DISABLED, …
	Reason     string // "" when there is none
}

// Account implements Event.
func (e Status) Account() string { return e.AccountID }

// Account implements Event.
func (e Inbound) Account() string { return e.AccountID }

// Account implements Event.
func (e Preference) Account() string { return e.AccountID }

// Account implements Event.
func (e CapabilityUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e QualityUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e AccountUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e TemplateUpdate) Account() string { return e.AccountID }

func (Status) event()           {}
func (Inbound) event()          {}
func (Preference) event()       {}
func (CapabilityUpdate) event() {}
func (QualityUpdate) event()    {}
func (AccountUpdate) event()    {}
func (TemplateUpdate) event()   {}
