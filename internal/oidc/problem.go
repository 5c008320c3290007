package oidc

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
)

// Host returns the host of an issuer, as people read it.
func Host(issuer string) string {
	if u, err := url.Parse(issuer); err == nil && u.Host != "" {
		return u.Host
	}
	return issuer
}

// explain says what is wrong with a provider, for the person who connects it. Nothing that the provider sent is in it.
func (c *Client) explain(err error) string {
	if mismatch, ok := errors.AsType[*oidc.IssuerMismatchError](err); ok {
		return "the provider calls itself " + cut(mismatch.Discovered) + ". Enter its issuer in exactly this way"
	}
	if incomplete, ok := errors.AsType[errIncomplete](err); ok {
		return incomplete.what
	}
	if text := c.unreachable(err); text != "" {
		return text
	}
	return "no provider answers at this address with " + wellKnown
}

// unreachable returns why a provider gave no answer, or "" if it gave one.
func (c *Client) unreachable(err error) string {
	if blocked, ok := errors.AsType[*guard.BlockedError](err); ok {
		return blocked.Error() + ". Use a public https address"
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		strings.Contains(err.Error(), "Client.Timeout") {
		return "the provider did not answer within " + c.time.String()
	}
	if errors.Is(err, errTooLong) || strings.Contains(err.Error(), errTooLong.Error()) {
		return "the provider's answer is too long"
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "the host can't be found"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the certificate of the provider is not valid"
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return "the provider can't be reached"
	}
	return ""
}

// gateway is the fault of a sign-in that failed because of the provider.
func (c *Client) gateway(issuer string, err error) error {
	text := c.unreachable(err)
	if text == "" {
		text = "its answer can't be used"
	}
	return fault.New(fault.BadGateway, "%s could not sign you in: %s. Try again, or ask an admin of your organization",
		Host(issuer), text).Because(short(err))
}

// maxCause bounds how much of a provider's answer is logged, in bytes.
const maxCause = 500

// short bounds the text of an error, which may contain a whole answer.
func short(err error) error {
	if text := err.Error(); len(text) > maxCause {
		return errors.New(strings.ToValidUTF8(text[:maxCause], "") + "…")
	}
	return err
}

// cut bounds a text of a provider that people see.
func cut(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
