package sandbox

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// verb is one instruction of a TwiML document: Hangup, Pause, Say or Connect.
type verb struct {
	name   string
	length time.Duration // of Pause
	text   string        // of Say
	action string        // of Connect: address of the next instructions
	relay  relay         // of Connect
}

// relay is <ConversationRelay>. interruptible and preemptible are the defaults for utterances.
type relay struct {
	url           string
	interruptible bool
	preemptible   bool
	digits        bool
	report        bool // report speech during an uninterruptible utterance
	speakerEvents bool
	tokensPlayed  bool
	language      string // BCP 47; empty if not specified
	voice         string // empty: the default of the language
	parameters    map[string]string
}

type xmlVerb struct {
	XMLName xml.Name
	Length  string    `xml:"length,attr"`
	Text    string    `xml:",chardata"`
	Action  string    `xml:"action,attr"`
	Relay   *xmlRelay `xml:"ConversationRelay"`
}

type xmlRelay struct {
	URL           string `xml:"url,attr"`
	Interruptible string `xml:"interruptible,attr"`
	Preemptible   string `xml:"preemptible,attr"`
	DTMF          string `xml:"dtmfDetection,attr"`
	Report        string `xml:"reportInputDuringAgentSpeech,attr"`
	Events        string `xml:"events,attr"`
	Language      string `xml:"language,attr"`
	Voice         string `xml:"voice,attr"`
	Parameters    []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"Parameter"`
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
		case "Pause":
			seconds, err := strconv.Atoi(x.Length)
			if err != nil {
				seconds = 1
			}
			v.length = time.Duration(seconds) * time.Second
		case "Say":
			v.text = strings.TrimSpace(x.Text)
		case "Connect":
			if x.Relay == nil || x.Relay.URL == "" {
				return nil, errors.New("parse TwiML: Connect without ConversationRelay")
			}
			v.relay = x.Relay.relay()
		default:
			return nil, fmt.Errorf("parse TwiML: unknown verb %s", v.name)
		}
		verbs = append(verbs, v)
	}
	return verbs, nil
}

func (x *xmlRelay) relay() relay {
	r := relay{
		url:           x.URL,
		interruptible: x.Interruptible != "none" && x.Interruptible != "false",
		preemptible:   x.Preemptible == "true",
		digits:        x.DTMF == "true",
		report:        x.Report == "any" || x.Report == "speech",
		speakerEvents: hasWord(x.Events, "speaker-events"),
		tokensPlayed:  hasWord(x.Events, "tokens-played"),
		language:      x.Language,
		voice:         x.Voice,
		parameters:    map[string]string{},
	}
	for _, p := range x.Parameters {
		r.parameters[p.Name] = p.Value
	}
	return r
}
