// Package line runs the lines of answered calls: it runs the conversation, and stores each turn
// before the reply is spoken.
//
// A line belongs to the holder with the newest epoch. When a carrier opens another line for the
// same call, its holder takes the next epoch and resumes the stored conversation. The former holder
// stops at its next write, and may still add the words that it has heard.
package line
