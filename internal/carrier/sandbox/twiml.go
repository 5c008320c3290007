package sandbox

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// verb is one instruction of a TwiML document: Hangup, Reject, Pause, Say or Connect.
type verb struct {
	name   string
	length time.Duration // of Pause
	text   string        // of Say; of Reject: its reason
	action string        // of Connect: address of the next instructions
	relay  relay         // of Connect
}

type xmlVerb struct {
	XMLName xml.Name
	Length  string    `xml:"length,attr"`
	Text    string    `xml:",chardata"`
	Action  string    `xml:"action,attr"`
	Reason  string    `xml:"reason,attr"`
	Relay   *xmlRelay `xml:"ConversationRelay"`
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
		case "Say":
			v.text = strings.TrimSpace(x.Text)
		case "Connect":
			if x.Relay != nil {
				v.relay = x.Relay.relay()
			}
			if v.relay.url == "" {
				return nil, errors.New("parse TwiML: Connect without ConversationRelay")
			}
		default:
			return nil, fmt.Errorf("parse TwiML: unknown verb %s", v.name)
		}
		verbs = append(verbs, v)
	}
	return verbs, nil
}
