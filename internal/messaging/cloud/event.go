package cloud

import "time"

// Event is an event of a webhook: Status, Inbound, Preference, CapabilityUpdate, QualityUpdate,
// NameUpdate, AccountUpdate, AccountAlert, TemplateUpdate, TemplateQualityUpdate or CategoryUpdate.
// Events come at least once and in any order. An event may be about an account of the same app that
// does not belong to the connection.
type Event interface {
	// Account returns the ID of the business account that the event is about.
	Account() string
	event()
}

// State is the state of a message. WhatsApp may add more states.
type State string

const (
	Sent      State = "sent"      // WhatsApp's servers have forwarded it
	Delivered State = "delivered" // it is on a device of the recipient
	Read      State = "read"      // implies delivered; Delivered may never come
	Failed    State = "failed"
)

// Status is a state that a message has reached. A recipient with several devices may
// cause both Delivered and Failed. Delivered and Read win, in whatever order they come.
type Status struct {
	AccountID string
	NumberID  string // the number that sent the message
	MessageID string // identifies the message, like Reference
	Reference string // of Message; "" if WhatsApp withholds it
	State     State
	At        time.Time // by WhatsApp's clock, whole seconds; zero if not reported
	WaID      string    // of the recipient; "" if withheld. Never match by it
	Failure   *Error    // of Failed
	Pricing   Pricing
}

// Pricing is the price class of a message. One of the message's statuses has it.
type Pricing struct {
	Category string // marketing, utility, …; "" if not reported
	Type     string // regular, free_customer_service, free_entry_point
	Billable bool
}

// Inbound is a message from a user. It opens a service window of 24 hours.
type Inbound struct {
	AccountID string
	NumberID  string // the number that received the message
	MessageID string
	WaID      string    // of the sender: the digits of the phone number; "" if withheld
	UserID    string    // of the sender within this portfolio; "" if not reported
	Name      string    // the sender's own name; "" if not reported
	Kind      string    // text, button, interactive, image, …
	Text      string    // the text, or the label of the tapped button; "" for other kinds
	Payload   string    // of the button
	ReplyTo   string    // the message that this message answers; "" if not reported
	At        time.Time // by WhatsApp's clock, whole seconds; zero if not reported
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

// CapabilityUpdate reports a new messaging limit of the account. It may be older than the last
// read, so read the limit again.
type CapabilityUpdate struct {
	AccountID string
	Tier      Tier
}

// QualityUpdate reports a change of a number's throughput or quality. The limit in it may be the
// throughput or the messaging limit, so read the number again.
type QualityUpdate struct {
	AccountID   string
	PhoneNumber string // E.164; "" if not reported
	Kind        string // ONBOARDING, THROUGHPUT_UPGRADE, UPGRADE, DOWNGRADE, FLAGGED, …
}

// AccountUpdate reports a change of the account's state.
type AccountUpdate struct {
	AccountID    string
	Kind         string   // VERIFIED_ACCOUNT, DISABLED_UPDATE, ACCOUNT_RESTRICTION, ACCOUNT_VIOLATION, …
	PhoneNumber  string   // E.164; "" if not reported
	BanState     string   // of DISABLED_UPDATE: SCHEDULE_FOR_DISABLE, DISABLE, REINSTATE
	Violation    string   // of ACCOUNT_VIOLATION
	Restrictions []string // of ACCOUNT_RESTRICTION: RESTRICTED_BIZ_INITIATED_MESSAGING, …
}

// TemplateUpdate reports a change of a template's status.
type TemplateUpdate struct {
	AccountID  string
	TemplateID string
	Name       string
	Language   string
	Status     string // APPROVED, REJECTED, PAUSED, DISABLED, …
	Reason     string // "" without a reason
}

// CategoryUpdate reports that the category of a template has changed or is going to change. The
// category decides the price, and marketing needs the recipient's consent to marketing.
type CategoryUpdate struct {
	AccountID  string
	TemplateID string
	Name       string
	Language   string
	Previous   string    // of a change that has happened
	Category   string    // now
	Next       string    // of a change to come; "" for a change that has happened
	NextAt     time.Time // when Next applies; zero if not reported
}

// TemplateQualityUpdate reports what recipients think of a template.
type TemplateQualityUpdate struct {
	AccountID  string
	TemplateID string
	Name       string
	Language   string
	Previous   string // GREEN, YELLOW, RED, UNKNOWN
	Quality    string
}

// NameUpdate reports the review of a number's display name.
type NameUpdate struct {
	AccountID   string
	PhoneNumber string // E.164
	Decision    string // APPROVED, DEFERRED, PENDING, REJECTED
	Name        string // the name that was reviewed
	Reason      string // of REJECTED; "" without a reason
	At          time.Time
}

// AccountAlert reports something about an account that a person should know.
type AccountAlert struct {
	AccountID   string
	EntityType  string // BUSINESS, PHONE_NUMBER, …
	EntityID    string
	Kind        string // INCREASED_CAPABILITIES_ELIGIBILITY_FAILED, OBA_REJECTED, PROFILE_PICTURE_LOST, …
	Severity    string // CRITICAL, WARNING, INFORMATIONAL
	Status      string // ACTIVE, NONE
	Description string // in English
	At          time.Time
}

// Account implements Event.
func (e CategoryUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e TemplateQualityUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e NameUpdate) Account() string { return e.AccountID }

// Account implements Event.
func (e AccountAlert) Account() string { return e.AccountID }

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

func (CategoryUpdate) event()        {}
func (TemplateQualityUpdate) event() {}
func (NameUpdate) event()            {}
func (AccountAlert) event()          {}
