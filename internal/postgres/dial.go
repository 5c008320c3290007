package postgres

import (
	"net"
	"time"
)

// userTimeout is how long sent data may stay unacknowledged before the kernel closes the connection. The kernel's
// default is about 15 minutes.
const userTimeout = 15 * time.Second

// dialer makes connections that detect within half a minute that the machine at the other end is gone, even if they
// are idle.
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
