package carrier

import "errors"

// NumberSetUp is what a number at its carrier does when somebody calls it.
type NumberSetUp struct {
	VoiceURL             string `json:"voice_url"` // asks what to do with the call
	VoiceMethod          string `json:"voice_method"`
	VoiceFallbackURL     string `json:"voice_fallback_url"` // is asked after VoiceURL has failed
	VoiceFallbackMethod  string `json:"voice_fallback_method"`
	StatusCallback       string `json:"status_callback"` // receives the end of the call
	StatusCallbackMethod string `json:"status_callback_method"`
	VoiceApplicationSID  string `json:"voice_application_sid"` // replaces all addresses; empty: nothing does
	TrunkSID             string `json:"trunk_sid"`             // replaces all addresses and the application
}

// ErrUnknownNumber says that the carrier answered, and that the account does not have the number.
var ErrUnknownNumber = errors.New("carrier: no such number")
