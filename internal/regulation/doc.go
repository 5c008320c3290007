// Package regulation owns the rules on calls by place: the hours, days and numbers of calls that
// countries and states allow, their public holidays, and what an organization makes of them. The
// table is a help for settings, not legal advice.
package regulation
