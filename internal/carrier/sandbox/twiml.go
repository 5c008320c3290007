package sandbox

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// verb is one instruction of a TwiML document: Hangup, Reject, Pause, Redirect, Say, Connect, Dial or Gather.
type verb struct {
	name   string
	length time.Duration // of Pause; of Gather: until the key
	text   string        // of Say and Gather; of Reject: its reason
	action string        // of Connect, Dial and Gather: address of the next instructions; that of Redirect
	relay  relay         // of Connect
	dial   dialing       // of Dial
}

type xmlVerb struct {
	XMLName xml.Name
	Length  string    `xml:"length,attr"`
	Text    string    `xml:",chardata"`
	Action  string    `xml:"action,attr"`
	Reason  string    `xml:"reason,attr"`
	Relay   *xmlRelay `xml:"ConversationRelay"`

	CallerID      string    `xml:"callerId,attr"`
	Timeout       string    `xml:"timeout,attr"`
	TimeLimit     string    `xml:"timeLimit,attr"`
	OnBridge      string    `xml:"answerOnBridge,attr"`
	Record        string    `xml:"record,attr"`
	RecordingHook string    `xml:"recordingStatusCallback,attr"`
	Number        *xmlParty `xml:"Number"`
	SIP           *xmlParty `xml:"Sip"`
	Empty         string    `xml:"actionOnEmptyResult,attr"`
	Say           string    `xml:"Say"`
}

type xmlParty struct {
	URL     string `xml:"url,attr"`
	Address string `xml:",chardata"`
}

// dialing reads <Dial>.
func (x xmlVerb) dialing() (d dialing, err error) {
	party := x.Number
	if party == nil {
		party = x.SIP
	}
	address := ""
	if party != nil {
		address = strings.TrimSpace(party.Address)
	}
	switch {
	case party == nil || x.Number != nil && !e164.MatchString(address) ||
		x.SIP != nil && !strings.HasPrefix(address, "sip"):
		return d, errors.New("parse TwiML: Dial without a Number or a Sip")
	case x.CallerID != "" && !e164.MatchString(x.CallerID):
		return d, errors.New("parse TwiML: Dial without a callerId")
	}
	return dialing{
		to: address, url: party.URL, from: x.CallerID, ringTime: seconds(x.Timeout, 30*time.Second),
		limit: seconds(x.TimeLimit, 4*time.Hour), ringing: x.OnBridge == "true",
		record: strings.HasPrefix(x.Record, "record-from-"), recordingHook: x.RecordingHook,
	}, nil
}

// parseTwiML reads the supported verbs. Any other verb is an error, because it is a mistake in the
// product that tests should show.
func parseTwiML(document []byte) ([]verb, error) {
	var doc struct {
		XMLName xml.Name  `xml:"Response"`
		Verbs   []xmlVerb `xml:",any"`
	}
	if err := xml.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("parse TwiML: %w", err)
	}
	var verbs []verb
	for _, x := range doc.Verbs {
		v := verb{name: x.XMLName.Local, action: x.Action}
		switch v.name {
		case "Hangup":
		case "Reject":
			v.text = x.Reason
		case "Pause":
			seconds, err := strconv.Atoi(x.Length)
			if err != nil {
				seconds = 1
			}
			v.length = time.Duration(seconds) * time.Second
		case "Redirect":
			if v.action = strings.TrimSpace(x.Text); v.action == "" {
				return nil, errors.New("parse TwiML: Redirect without an address")
			}
		case "Say":
			v.text = strings.TrimSpace(x.Text)
		case "Connect":
			if x.Relay != nil {
				v.relay = x.Relay.relay()
			}
			if v.relay.url == "" {
				return nil, errors.New("parse TwiML: Connect without ConversationRelay")
			}
		case "Dial":
			var err error
			if v.dial, err = x.dialing(); err != nil {
				return nil, err
			}
		case "Gather":
			if x.Empty != "true" || v.action == "" {
				return nil, errors.New("parse TwiML: Gather that may end without an action")
			}
			v.text, v.length = strings.TrimSpace(x.Say), seconds(x.Timeout, 5*time.Second)
		default:
			return nil, fmt.Errorf("parse TwiML: unknown verb %s", v.name)
		}
		verbs = append(verbs, v)
	}
	return verbs, nil
}
