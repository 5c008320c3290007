package app

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// accountAge is how long an account stays cached, because every callback of every call
// needs one. A changed token takes effect after this time at the latest.
const accountAge = 5 * time.Second

// telephony finds the carrier of a connection. It implements project.Carriers for the
// App.
type telephony struct {
	app       *App
	twilioURL string
	sandbox   Sandbox
	accounts  sync.Map // connection id → keptAccount
}

type keptAccount struct {
	twilio.Account
	at time.Time
}

// Check asks Twilio whether an account's token is valid.
func (p *telephony) Check(ctx context.Context, c project.Credentials) error {
	return p.app.Twilio.Check(ctx, p.onTwilio(c))
}

// onTwilio returns the Twilio account of a connection. An address of Twilio's API in the
// settings of the server replaces those of the regions.
func (p *telephony) onTwilio(c project.Credentials) twilio.Account {
	return twilio.Account{
		SID:           c.Account,
		AuthToken:     c.Token,
		PreviousToken: c.PreviousToken,
		APIKey:        c.APIKey,
		APISecret:     c.APISecret,
		APIURL:        cmp.Or(p.twilioURL, twilio.RegionURL(string(c.Region))),
	}
}

// Numbers asks the carrier of a connection for the account's numbers.
func (p *telephony) Numbers(ctx context.Context, connectionID uuid.UUID) ([]carrier.Number, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	return p.app.Twilio.Numbers(ctx, account)
}

// State asks the carrier of a connection for the state of the account.
func (p *telephony) State(ctx context.Context, connectionID uuid.UUID) (carrier.AccountState, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return carrier.AccountState{}, err
	}
	return p.app.Twilio.State(ctx, account)
}

// MayCallFrom asks the carrier of a connection whether the account may call from a number.
func (p *telephony) MayCallFrom(ctx context.Context, connectionID uuid.UUID, number string) (bool, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return false, err
	}
	return p.app.Twilio.MayCallFrom(ctx, account, number)
}

// Reach checks that callbacks for a connection arrive at the server. The sandbox may reach it
// at an address of this machine.
func (p *telephony) Reach(ctx context.Context, connectionID uuid.UUID) error {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return err
	}
	return p.app.Twilio.Reach(ctx, connectionID, account, p.sandbox.URL != "" && account.APIURL == p.sandbox.URL)
}

// NumberMustDo returns what a number of a connection must do at its carrier.
func (p *telephony) NumberMustDo(ctx context.Context, connectionID uuid.UUID) (carrier.NumberSetUp, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return carrier.NumberSetUp{}, err
	}
	return p.app.Twilio.NumberMustDo(connectionID, account), nil
}

// NumberDoes asks the carrier of a connection what a number does.
func (p *telephony) NumberDoes(
	ctx context.Context, connectionID uuid.UUID, number string,
) (carrier.NumberSetUp, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return carrier.NumberSetUp{}, err
	}
	return p.app.Twilio.NumberDoes(ctx, account, number)
}

// SetUpNumber sets what a number does at the carrier of a connection.
func (p *telephony) SetUpNumber(
	ctx context.Context, connectionID uuid.UUID, number string, do carrier.NumberSetUp,
) (carrier.NumberSetUp, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return carrier.NumberSetUp{}, err
	}
	return p.app.Twilio.SetUpNumber(ctx, account, number, do)
}

// CallIn lets somebody of the sandbox call a number of a sandbox connection.
func (p *telephony) CallIn(ctx context.Context, connectionID uuid.UUID, in sandbox.CallIn) error {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return err
	}
	if p.sandbox.URL == "" || account.APIURL != p.sandbox.URL {
		return errors.New("only a connection to the sandbox has people who call")
	}
	in.Account = account.SID
	in.VoiceURL, in.StatusURL = p.app.Twilio.NumberHooks(connectionID, account)
	return sandbox.RequestCallIn(ctx, p.sandbox.URL, p.sandbox.Token, in)
}

// Carrier returns the carrier of a connection.
func (p *telephony) Carrier(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error) {
	account, err := p.account(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	return p.app.Twilio.Carrier(connectionID, account), nil
}

// account returns the account of a connection. A sandbox connection uses the same adapter
// with the URL of the sandbox.
func (p *telephony) account(ctx context.Context, connectionID uuid.UUID) (twilio.Account, error) {
	if kept, ok := p.accounts.Load(connectionID); ok && time.Since(kept.(keptAccount).at) < accountAge {
		return kept.(keptAccount).Account, nil
	}
	account, err := p.readAccount(ctx, connectionID)
	if err == nil {
		p.accounts.Store(connectionID, keptAccount{account, time.Now()})
	}
	return account, err
}

func (p *telephony) readAccount(ctx context.Context, connectionID uuid.UUID) (twilio.Account, error) {
	c, err := p.app.Projects.Credentials(ctx, connectionID)
	if fault.KindOf(err) == fault.NotFound {
		return twilio.Account{}, twilio.ErrNoConnection
	}
	if err != nil {
		return twilio.Account{}, err
	}
	if c.Kind != project.Sandbox {
		return p.onTwilio(c), nil
	}
	if p.sandbox.URL == "" {
		return twilio.Account{}, errors.New("this server runs without the sandbox. Start it with --sandbox")
	}
	return twilio.Account{
		SID:       c.Account,
		AuthToken: sandbox.AccountToken(p.sandbox.Token, c.Account),
		APIURL:    p.sandbox.URL,
		PublicURL: p.sandbox.CallbackURL,
	}, nil
}
