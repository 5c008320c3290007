package postgres

import (
	"net"
	"time"
)

// userTimeout is how long what was sent may stay unacknowledged before the
// connection is given up. The kernel's own limit is about 15 minutes.
const userTimeout = 15 * time.Second

// dialer finds out within half a minute that the machine at the other end is
// gone, whether the connection is idle or not.
func dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout: timeout,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable:   true,
			Idle:     10 * time.Second,
			Interval: 5 * time.Second,
			Count:    3,
		},
		Control: limitUnacknowledged,
	}
}
