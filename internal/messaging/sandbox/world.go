package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Portfolio is a business: the owner of accounts, whose numbers share one limit. A portfolio
// without an ID is not reported. Then each number has a separate limit.
type Portfolio struct {
	ID       string
	Name     string
	Tier     string // the operator's value: "TIER_250"; "" leaves it out
	Accounts []Account
}

// Account is a WhatsApp Business Account.
type Account struct {
	ID        string // digits
	Name      string
	Numbers   []Number
	Templates []Template // nil: StandardTemplates()
}

// Number is a number of an account.
type Number struct {
	ID          string // digits
	PhoneNumber string // as displayed: "+1 312-555-0122"
	Name        string // registered name; "": null
	Quality     string // "": GREEN
	Status      string // "": CONNECTED
	Throughput  string // "": STANDARD; HIGH takes 1,000 messages a second
}

// IDs of the standard world, in the order of the limits.
const (
	Portfolio250  = "300000000000001"
	Portfolio1K   = "300000000000002"
	Portfolio10K  = "300000000000003"
	Portfolio100K = "300000000000004"

	Account250  = "100000000000001"
	Account1K   = "100000000000002"
	Account10K  = "100000000000003"
	Account100K = "100000000000004"

	Number250  = "200000000000001"
	Number1K   = "200000000000002"
	Number10K  = "200000000000003"
	Number100K = "200000000000004"
)

// Standard returns a world with the four known levels: a business, an account and a number for
// each.
func Standard() []Portfolio {
	one := func(portfolio, account, number, tier, phone, name string) Portfolio {
		return Portfolio{ID: portfolio, Name: name, Tier: tier, Accounts: []Account{{
			ID: account, Name: name,
			Numbers: []Number{{ID: number, PhoneNumber: phone, Name: name}},
		}}}
	}
	return []Portfolio{
		one(Portfolio250, Account250, Number250, "TIER_250", "+1 312-555-0122", "Care team"),
		one(Portfolio1K, Account1K, Number1K, "TIER_1K", "+1 312-555-0133", "Reminders"),
		one(Portfolio10K, Account10K, Number10K, "TIER_10K", "+1 312-555-0144", "Offers"),
		one(Portfolio100K, Account100K, Number100K, "TIER_100K", "+1 312-555-0155", "Newsletter"),
	}
}

// portfolio, business and line are the running world. Operator.Mu guards their variable fields.
type portfolio struct {
	id, name string
	tier     string
	accounts []*business
}

type business struct {
	portfolio *portfolio
	id, name  string
	numbers   []*line
	templates []*Template
	trouble   Trouble

	subscribed bool   // the app is subscribed to the account's webhooks
	callback   string // the app's own address
	override   string // address for messages and statuses instead of the app's own; "": no override
}

type line struct {
	business *business
	Number
}

// scope returns the ID of the portfolio or number whose recipients count together for the limit.
func (l *line) scope() string {
	if l.business.portfolio.id != "" {
		return l.business.portfolio.id
	}
	return l.ID
}

func (op *Operator) settle(world []Portfolio) {
	for _, p := range world {
		owner := &portfolio{id: p.ID, name: p.Name, tier: p.Tier}
		for _, a := range p.Accounts {
			b := &business{portfolio: owner, id: a.ID, name: a.Name}
			if op.accounts[a.ID] != nil || a.ID == "" {
				panic("sandbox: two accounts with the id " + a.ID)
			}
			op.accounts[a.ID] = b
			owner.accounts = append(owner.accounts, b)
			for _, n := range a.Numbers {
				if op.numbers[n.ID] != nil || op.accounts[n.ID] != nil || n.ID == "" {
					panic("sandbox: two numbers with the id " + n.ID)
				}
				if n.Quality == "" {
					n.Quality = "GREEN"
				}
				if n.Status == "" {
					n.Status = "CONNECTED"
				}
				if n.Throughput == "" {
					n.Throughput = "STANDARD"
				}
				l := &line{business: b, Number: n}
				op.numbers[n.ID] = l
				b.numbers = append(b.numbers, l)
			}
			templates := a.Templates
			if templates == nil {
				templates = StandardTemplates()
			}
			for _, t := range templates {
				b.templates = append(b.templates, &t)
			}
		}
	}
}

// SetTier changes the limit of the account's portfolio, and reports it to every account of the
// portfolio. "" leaves the limit out of answers.
func (op *Operator) SetTier(accountID, tier string) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	b := op.accounts[accountID]
	if b == nil {
		return fmt.Errorf("no account %s", accountID)
	}
	b.portfolio.tier = tier
	for _, sibling := range b.portfolio.accounts {
		// Meta's documentation has a name in some places, and a number in others.
		op.tell(sibling, "business_capability_update", map[string]any{
			"max_daily_conversations_per_business": tierValue(tier),
			"max_phone_numbers_per_business":       2,
		})
	}
	return nil
}

// tierValue returns the number of a known level, and otherwise the name.
func tierValue(tier string) any {
	numbers := map[string]int{
		"TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10000, "TIER_100K": 100000,
		"TIER_UNLIMITED": -1,
	}
	if n, ok := numbers[tier]; ok {
		return n
	}
	return tier
}

// limit returns the number that RefuseBeyond enforces, or -1 without a limit.
func (p *portfolio) limit() int {
	if n, ok := tierValue(p.tier).(int); ok {
		return n
	}
	return -1
}

// SetQuality changes the rating of a number, GREEN, YELLOW or RED, and reports it.
func (op *Operator) SetQuality(numberID, quality string) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	l := op.numbers[numberID]
	if l == nil {
		return fmt.Errorf("no number %s", numberID)
	}
	l.Quality = quality
	event := "UPGRADE"
	if quality == "RED" {
		event = "DOWNGRADE"
	}
	op.tell(l.business, "phone_number_quality_update", map[string]any{
		"display_phone_number": digits(l.PhoneNumber), "event": event,
		"current_limit": "TIER_UNLIMITED", // of the throughput, which is not the messaging limit
	})
	return nil
}

// SetTemplateStatus changes the status of a template, for example to "APPROVED" or "PAUSED", and
// reports it.
func (op *Operator) SetTemplateStatus(accountID, name, language, status string) error {
	return op.onTemplate(accountID, name, language, func(b *business, t *Template, value map[string]any) {
		t.Status = status
		value["event"], value["reason"] = status, "NONE"
		op.tell(b, "message_template_status_update", value)
	})
}

// SetTemplateCategory changes the category of a template, and reports it. If at is not zero, it
// only announces the change.
func (op *Operator) SetTemplateCategory(accountID, name, language, category string, at time.Time) error {
	return op.onTemplate(accountID, name, language, func(b *business, t *Template, value map[string]any) {
		if at.IsZero() {
			value["previous_category"], value["new_category"] = t.Category, category
			t.Category = category
		} else {
			value["correct_category"], value["new_category"] = category, t.Category
			value["category_update_timestamp"] = at.Unix()
		}
		op.tell(b, "template_category_update", value)
	})
}

// SetTemplateQuality changes the quality of a template, for example to "RED", and reports it.
func (op *Operator) SetTemplateQuality(accountID, name, language, quality string) error {
	return op.onTemplate(accountID, name, language, func(b *business, t *Template, value map[string]any) {
		value["previous_quality_score"], value["new_quality_score"] = t.quality(), quality
		t.Quality = quality
		op.tell(b, "message_template_quality_update", value)
	})
}

// onTemplate changes a template. value names the template in a webhook.
func (op *Operator) onTemplate(
	accountID, name, language string, change func(b *business, t *Template, value map[string]any),
) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	b := op.accounts[accountID]
	if b == nil {
		return fmt.Errorf("no account %s", accountID)
	}
	t := b.template(name, language)
	if t == nil {
		return fmt.Errorf("no template %s in %s", name, language)
	}
	change(b, t, map[string]any{
		"message_template_id": t.id(), "message_template_name": name, "message_template_language": language,
	})
	return nil
}

// ReviewName reports the review of a number's new display name: "APPROVED", which changes the
// name, "DEFERRED" or "REJECTED".
func (op *Operator) ReviewName(numberID, name, decision, reason string) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	l := op.numbers[numberID]
	if l == nil {
		return fmt.Errorf("no number %s", numberID)
	}
	if decision == "APPROVED" {
		l.Name = name
	}
	op.tell(l.business, "phone_number_name_update", map[string]any{
		"display_phone_number": digits(l.PhoneNumber), "decision": decision, "requested_verified_name": name,
		"rejection_reason": cmp.Or(reason, "NONE"),
	})
	return nil
}

// Alert reports an alert of an account.
func (op *Operator) Alert(accountID, kind, severity, description string) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	b := op.accounts[accountID]
	if b == nil {
		return fmt.Errorf("no account %s", accountID)
	}
	op.tell(b, "account_alerts", map[string]any{
		"entity_type": "BUSINESS", "entity_id": b.portfolio.id, "alert_severity": severity, "alert_status": "ACTIVE",
		"alert_type": kind, "alert_description": description,
	})
	return nil
}

func (b *business) template(name, language string) *Template {
	i := slices.IndexFunc(b.templates, func(t *Template) bool { return t.Name == name && t.Language == language })
	if i < 0 {
		return nil
	}
	return b.templates[i]
}
