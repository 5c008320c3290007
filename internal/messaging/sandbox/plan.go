package sandbox

import (
	"regexp"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// plan determines the course of a message to a recipient. It depends only on the number, so all
// messages to a number have the same course.
type plan struct {
	refused  *refusal      // the error of the answer, for a request that is not accepted
	twice    bool          // refused twice, and accepted the third time
	answer   answer        // form of the answer to the request
	lost     bool          // with an answer other than plain: the message was not accepted
	hold     time.Duration // delay of the answer, in real time
	held     bool          // accepted, and held for a quality assessment
	steps    []step        // the statuses that are reported
	shuffled bool          // out of order: statuses have the time of the event, not the time of the report
	reply    reply
}

// answer is the form of the answer to a request to send.
type answer uint8

const (
	plain   answer = iota // the regular answer
	bare500               // status 500 and nothing else
	code1                 // status 500 and Meta's code 1
	cut                   // no answer: the connection breaks
	garbled               // an answer that cannot be read
)

// step is a status that is reported some time after the status before.
type step struct {
	after  time.Duration // of the operator's time
	status string        // sent, delivered, read, failed
	code   int           // of failed
}

// reply is the recipient's reaction after the last status.
type reply uint8

const (
	nothing reply = iota
	saysStop
	asks
	taps
	stopsMarketing
)

// magic matches the reserved block, +1 500 5oo 9mmn with any oo and n.
var magic = regexp.MustCompile(`^\+15005\d\d9(\d\d)\d$`)

// scripted maps outcomes of the block to error codes.
var scripted = map[string]int{
	"10": 131026, "11": 131050, "12": 131049, "13": 130472, "14": 131009,
	"20": 131056, "21": 130429, "22": 131016, "23": 80007, "24": 131000,
	"30": 131048, "31": 131031, "32": 131042, "33": 133010,
	"40": 190, "41": 10, "42": 131005, "43": 0,
	"50": 132000, "51": 132001, "52": 132015, "53": 132016, "54": 132012,
}

func planFor(to string) plan {
	r := simulation.Draw(to, "message")
	sent := step{time.Duration(200+r.IntN(600)) * time.Millisecond, "sent", 0}
	delivered := step{time.Duration(300+r.IntN(1700)) * time.Millisecond, "delivered", 0}
	read := step{time.Duration(1000+r.IntN(7000)) * time.Millisecond, "read", 0}
	failed := func(code int) step { return step{delivered.after, "failed", code} }
	all := []step{sent, delivered, read}

	m := magic.FindStringSubmatch(to)
	if m == nil {
		if r.IntN(10) < 3 { // three in ten never read it
			return plan{steps: all[:2]}
		}
		return plan{steps: all}
	}
	if code, ok := scripted[m[1]]; ok {
		p := plan{
			refused: refuseWith(code, "scripted by the recipient's number"), twice: m[1][0] == '2' && m[1] != "24",
			steps: all,
		}
		if code == 130429 || code == 80007 {
			p.refused.retryAfter = 1
		}
		return p
	}
	switch m[1] {
	case "01":
		return plan{steps: all[:1]}
	case "02":
		return plan{steps: all[:2]}
	case "03":
		return plan{steps: []step{sent, read}}
	case "04":
		soon := func(s step) step { s.after = 50 * time.Millisecond; return s }
		return plan{
			shuffled: true, steps: []step{delivered, soon(read), soon(sent), soon(read), soon(delivered), soon(sent)},
		}
	case "05":
		return plan{steps: []step{sent, delivered, failed(131000)}}
	case "06":
		return plan{steps: []step{sent, failed(131026)}}
	case "07":
		return plan{steps: []step{failed(131049)}}
	case "08":
		return plan{held: true, steps: []step{failed(132015)}}
	case "09":
		return plan{}
	case "34":
		return plan{refused: noSuchObject}
	case "60":
		return plan{answer: bare500, lost: true}
	case "61":
		return plan{answer: bare500, steps: all}
	case "62":
		return plan{answer: cut, lost: true}
	case "63":
		return plan{answer: cut, steps: all}
	case "64":
		return plan{answer: garbled, steps: all}
	case "65":
		return plan{hold: time.Minute, steps: all}
	case "66":
		return plan{answer: code1, steps: all}
	case "70":
		return plan{steps: all, reply: saysStop}
	case "71":
		return plan{steps: all, reply: asks}
	case "72":
		return plan{steps: all, reply: taps}
	case "73":
		return plan{steps: all, reply: stopsMarketing}
	}
	return plan{steps: all} // 00, and values without a meaning
}
