// Package testwait says how long a test waits for what has to come.
package testwait

import "time"

// Limit is when a test gives up. No machine is so slow that it reaches it: only
// what is broken does.
const Limit = time.Hour
