package carrier

import (
	"context"
	"time"
)

// Line carries the conversation of a live call: it reports what was heard, and speaks the agent's
// utterances. Say, Stream, Language, Press, Flush, Hangup and Transfer may be called while another goroutine waits in
// Next.
type Line interface {
	// CarrierCallID is the carrier's ID of the call.
	CarrierCallID() string

	// Next waits for the next Heard. Its error is the error of the context, which leaves the line
	// unchanged, or io.EOF after Closed.
	Next(ctx context.Context) (Heard, error)

	// Say queues an utterance and returns its number on this line, from 1. Utterances are
	// played one after the other. Each is followed by exactly one Spoken, in order and
	// before Closed. An error says that the line is closed. Closed says why.
	Say(ctx context.Context, text string, opt SayOptions) (utterance int, err error)

	// Stream queues an utterance whose text comes in parts, and returns its number as Say does. It
	// is played while its text comes. Utterances behind it wait until its text is complete and was played.
	Stream(ctx context.Context, opt SayOptions) (utterance int, s Speech, err error)

	// Language continues the call in another language (BCP 47): what is heard from now on is recognized in
	// it, and the utterances after those that are queued are spoken in it. Its voice and transcription are
	// those that the Manner of the call has for it. An error says that the line is closed.
	Language(ctx context.Context, tag string) error

	// Press sends keys to the other side, such as a phone menu: 0 to 9, *, # and w, a pause of half a
	// second. It does not wait for what is being said. An error says that the line is closed.
	Press(ctx context.Context, digits string) error

	// Flush drops the queued utterances. The next utterance cuts off the utterance that is being
	// played, because carriers have no command for silence.
	Flush(ctx context.Context) error

	// Hangup ends the call at once, even during an utterance. To let the recipient hear a goodbye,
	// wait for its Spoken first. Closed follows.
	Hangup(ctx context.Context) error

	// Transfer ends the line without ending the call. The carrier then asks Host.Proceed what comes next. Closed
	// follows, with CloseTransfer.
	Transfer(ctx context.Context) error
}

// Speech is the text of a streamed utterance. It may be used by several goroutines, also while
// others use its Line. Every Speech must be closed or abandoned, because an utterance without an end
// is followed by silence.
//
// Spoken of the utterance has the part that was played of the text so far. It is empty for an
// utterance that ends without any words.
type Speech interface {
	// Write appends to the text: whole words with their spaces. The last word may be played only
	// after more text or Close. After the text was ended by Close, Abandon, an interruption, Flush
	// or the end of the line, the error is io.ErrClosedPipe.
	Write(text string) error

	// Close says that the text is complete. Its error says that the utterance is over already.
	Close() error

	// Abandon says that no more text comes, and drops what was not sent to the carrier yet. What was
	// sent is played to its end, and with it the word that carriers need to end an utterance. It
	// always returns nil, and after the end of the text it does nothing.
	Abandon() error
}

// SayOptions are the options of an utterance. Most utterances use the zero value.
type SayOptions struct {
	Language        string // BCP 47; empty: the language of the call
	Uninterruptible bool   // continues when the recipient speaks or presses a key; this input is still reported
}

// Heard is one of Prompt, Digit, Spoken and Closed.
type Heard interface{ heard() }

// Prompt is a finished utterance of the recipient, as text.
type Prompt struct {
	Text     string
	Language string // BCP 47, perhaps without a region, as recognized; empty: not reported
	// Start and End are when this process received the carrier's reports that the recipient
	// began and stopped speaking. They are zero without a report.
	Start, End time.Time
	At         time.Time // when this process received it; zero: unknown
}

// Digit is a key the recipient pressed: "0" to "9", "*" or "#".
type Digit struct{ Digit string }

// Spoken reports how much of an utterance was played.
type Spoken struct {
	Utterance int
	Text      string // the part that was played: all, the part before the cut, or nothing
	Cut       Cut
	// Confirmed is true when the carrier reported what was played. It is false when this is
	// inferred: the recipient answered, or the time that the utterance takes has passed. With
	// CutClosed, a confirmed Text is a lower bound: the recipient may have heard a few more words.
	Confirmed bool
	// Start and End are as in Prompt.
	Start, End time.Time
}

// Cut is why an utterance was not played to the end.
type Cut string

const (
	CutNot       Cut = ""            // played to the end
	CutRecipient Cut = "interrupted" // the recipient spoke or pressed a digit
	CutFlushed   Cut = "flushed"     // by Flush
	CutRefused   Cut = "refused"     // the carrier could not play it; the recipient heard nothing of it
	CutClosed    Cut = "closed"      // the line ended
)

// Closed is the last Heard of a line.
type Closed struct {
	Reason CloseReason
	Detail string // for the log
}

// CloseReason is why a line ended.
type CloseReason string

const (
	CloseHangup   CloseReason = "hung_up"   // by Line.Hangup
	CloseTransfer CloseReason = "transfer"  // by Line.Transfer; the call continues without a line
	CloseRemote   CloseReason = "remote"    // the carrier closed it in order: the call is over or about to end
	CloseFailed   CloseReason = "failed"    // the carrier can't play what is said; it ends the call
	CloseLost     CloseReason = "lost"      // the socket broke; the call may continue and return on a new line
	CloseReplaced CloseReason = "replaced"  // this process received a newer line for the same call
	CloseShutdown CloseReason = "shut_down" // this process is stopping; another process takes over the call
)

func (Prompt) heard() {}
func (Digit) heard()  {}
func (Spoken) heard() {}
func (Closed) heard() {}
