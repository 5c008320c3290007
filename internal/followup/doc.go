// Package followup owns what needs a person: the follow-ups of calls. The settlement of a call, its analysis and a
// failed transfer open them in their own transactions, each at most once per call and kind. People work them.
package followup
