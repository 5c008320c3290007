// Package listen lets people hear a call while it lasts.
//
// The carrier sends the sound of a call to any process (Hear), once for all who listen (Listen), who may be at other
// processes. The sound passes through PostgreSQL in parts of a quarter of a second. A row of the call says until when
// somebody wants the sound, and which ticket it must have. When the sound stays away, whoever still listens asks the
// carrier again, with a new ticket, so that the sound has one source.
package listen
