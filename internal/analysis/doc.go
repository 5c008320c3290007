// Package analysis has language models analyze calls after their end. The settlement of a call queues its analysis, a
// person may queue another one, and any process makes it. The transcript is data for the model, never an instruction,
// and what the model says is checked: each value against its question, and each quote against the transcript.
package analysis
