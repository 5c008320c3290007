package carrier

import (
	"context"
	"time"
)

// Line is a call that is up: what was heard, and what is to be said.
// Say, Flush and Hangup may be called while another goroutine waits in Next.
type Line interface {
	// CarrierCallID is the carrier's id of the call.
	CarrierCallID() string

	// Next waits for the next thing heard. Its error is the context's (the
	// line stays as it is), or io.EOF after Closed was returned.
	Next(ctx context.Context) (Heard, error)

	// Say queues an utterance and returns its number on this line, counted
	// from 1. Utterances are played one after the other. Exactly one Spoken
	// comes for each, in order, at the latest before Closed. An error means
	// the line is closed; Closed tells why.
	Say(ctx context.Context, text string, opt SayOptions) (utterance int, err error)

	// Flush drops what is queued, and cuts off what is being played as soon
	// as the next utterance follows (carriers know no bare "be quiet").
	Flush(ctx context.Context) error

	// Hangup ends the call at once, cutting off what is being played: wait
	// for Spoken to let a goodbye be heard. Closed follows.
	Hangup(ctx context.Context) error
}

// SayOptions modifies one utterance. The zero value is right for most.
type SayOptions struct {
	Language        string // BCP 47; empty is the call's
	Uninterruptible bool   // goes on playing when the recipient speaks or presses a digit; both are still heard
}

// Heard is one of Prompt, Digit, Spoken and Closed.
type Heard interface{ heard() }

// Prompt is what the recipient said, a finished utterance in words.
type Prompt struct {
	Text     string
	Language string // as recognized; empty when not reported
	// Start and End are when the recipient began and stopped speaking: the
	// moments this process received the carrier's report of it. Zero when
	// the carrier reports none.
	Start, End time.Time
}

// Digit is a key the recipient pressed: "0" to "9", "*" or "#".
type Digit struct{ Digit string }

// Spoken tells what was really played of one utterance.
type Spoken struct {
	Utterance int
	Text      string // what was played: all of it, or the part before the cut, or nothing
	Cut       Cut
	// Confirmed is true when the carrier reported what was played, false when
	// it is inferred (the recipient answered, or the time it takes is over).
	// After Cut == CutClosed it says that Text is a lower bound: the recipient
	// may have heard a few words more.
	Confirmed bool
	// Start and End as in Prompt. Zero when the carrier reports none.
	Start, End time.Time
}

// Cut is why an utterance was not played to its end.
type Cut string

const (
	CutNot       Cut = ""            // it was played to its end
	CutRecipient Cut = "interrupted" // the recipient spoke or pressed a digit
	CutFlushed   Cut = "flushed"     // by Flush
	CutClosed    Cut = "closed"      // the line ended meanwhile
)

// Closed is the last thing heard on a line.
type Closed struct {
	Reason CloseReason
	Detail string // for the log
}

// CloseReason is why a line ended.
type CloseReason string

const (
	CloseHangup   CloseReason = "hung_up"   // by Line.Hangup
	CloseRemote   CloseReason = "remote"    // the carrier closed it in order: the call is over or ending
	CloseLost     CloseReason = "lost"      // the socket broke; the call may live on and come back on a new line
	CloseReplaced CloseReason = "replaced"  // this instance was given a newer line for the same call
	CloseShutdown CloseReason = "shut_down" // this instance is stopping; the call is to be taken over
)

func (Prompt) heard() {}
func (Digit) heard()  {}
func (Spoken) heard() {}
func (Closed) heard() {}
