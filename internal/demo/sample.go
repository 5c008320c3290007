package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/hours"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/project"
)

//go:embed data
var files embed.FS

// These variables contain the sample data. The people and numbers are fictional: 555 01xx is reserved for fiction.
var (
	meridian     = read[organization]("meridian.json")
	harborStreet = read[organization]("harbor-street.json")
	people       = read[population]("people.json")
)

// read decodes a file of sample data.
func read[T any](name string) (v T) {
	text, err := files.ReadFile("data/" + name)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		err = d.Decode(&v)
	}
	if err != nil {
		panic(fmt.Sprintf("demo: read %s: %v", name, err))
	}
	return v
}

// organization is an organization of the demo with all its data. Lists show the last project, agent and number first.
type organization struct {
	Name         string        `json:"name"`
	TimeZone     string        `json:"time_zone"`
	Region       string        `json:"region"`
	Admin        member        `json:"admin"`
	Members      []member      `json:"members"` // besides the admin
	Projects     []string      `json:"projects"`
	PhoneNumbers []phoneNumber `json:"phone_numbers"`
	NumberPool   string        `json:"number_pool"`      // the name of a pool of all numbers; "" means none
	Model        string        `json:"model_connection"` // the name of a connection to the sandbox's model; "": none
	Destinations []destination `json:"destinations"`
	Agents       []agent       `json:"agents"`
	Past         []past        `json:"past"`
	Key          string        `json:"key"`     // the name of an API key that expires soon; "" means none
	Webhook      string        `json:"webhook"` // the name of a webhook to the sandbox's receiver; "" means none
	Messages     []message     `json:"messages"`
	Campaigns    []upcoming    `json:"campaigns"`
}

type member struct {
	Name  string       `json:"name"`
	Email string       `json:"email"`
	Role  account.Role `json:"role"`
}

type phoneNumber struct {
	PhoneNumber string `json:"phone_number"`
	Name        string `json:"name"`
}

// destination is a phone of people to whom agents transfer calls. Its number is one of the sandbox (README.md).
type destination struct {
	Name        string `json:"name"`
	Project     string `json:"project"`
	PhoneNumber string `json:"phone_number"`
}

// agent is an agent and people's answers to it. In past calls, its part comes from the product's conversation package.
type agent struct {
	Name        string              `json:"name"`
	RecordCalls bool                `json:"record_calls"` // only for future calls: past calls have no sound
	TransfersTo string              `json:"transfers_to"` // the name of a destination; "": nobody
	Script      conversation.Script `json:"script"`
	Replies     map[string][]string `json:"replies"` // by the key of the question
	Unclear     map[string][]string `json:"unclear"` // answers that the agent understands only after a repetition

	Tests []evaluation.CaseInput `json:"tests"` // the page of tests shows the last one first
}

// past is an ended campaign.
type past struct {
	Name           string `json:"name"` // {day} is replaced by the first day
	Project        string `json:"project"`
	Agent          string `json:"agent"`
	PhoneNumber    string `json:"phone_number"`
	FirstPerson    int    `json:"first_person"`
	People         int    `json:"people"`  // number of people to call
	Skipped        int    `json:"skipped"` // number of people on the do-not-call list, or twice on the list
	DaysAgo        int    `json:"days_ago"`
	Days           int    `json:"days"` // days with first calls; Sundays are off
	MaxAttempts    int    `json:"max_attempts"`
	ReachedPercent int    `json:"reached_percent"` // calls that people answer, on average
	LeaveMessage   bool   `json:"leave_message"`
	Variables      values `json:"variables"`
}

// values are values of variables for the recipients of a campaign, in turn.
type values map[string][]string

// message is a message to a person of the demo, or to another number.
type message struct {
	Person    *int              `json:"person"`
	ToNumber  string            `json:"to_number"`
	Template  string            `json:"template"`
	Variables map[string]string `json:"variables"` // {first_name} and {external_id} are replaced
}

// upcoming is a campaign that the server runs.
type upcoming struct {
	Name           string         `json:"name"`
	Project        string         `json:"project"`
	Agent          string         `json:"agent"`
	PhoneNumber    string         `json:"phone_number"`
	FirstPerson    int            `json:"first_person"`
	People         int            `json:"people"`
	OtherNumbers   map[int]string `json:"other_numbers"` // sandbox numbers (README.md) by index in the list
	Mix            []string       `json:"mix"`           // outcomes of sandbox numbers, in turn; "": the own number
	Variables      values         `json:"variables"`
	InDays         int            `json:"in_days"` // 0: it starts immediately
	MaxAttempts    int            `json:"max_attempts"`
	RetryDelay     int            `json:"retry_delay_minutes"`
	MaxConcurrency *int           `json:"max_concurrency"`
	CallsPerSecond *float64       `json:"calls_per_second"`
}

// population contains people's names, and their answers to any agent.
type population struct {
	FirstNames []string `json:"first_names"`
	LastNames  []string `json:"last_names"`
	AreaCodes  []string `json:"area_codes"`
	Said       struct {
		WhoIsCalling []string `json:"who_is_calling"`
		Stop         []string `json:"stop"`
		HasToGo      []string `json:"has_to_go"`
		WantsHuman   []string `json:"wants_human"`
		Repeat       []string `json:"repeat"`
	} `json:"said"`
}

func (o organization) settings() account.OrganizationSettings {
	return account.OrganizationSettings{Name: o.Name, TimeZone: o.TimeZone, Region: o.Region}
}

func (o organization) project(name string) project.Settings {
	return project.Settings{Name: name, TimeZone: o.TimeZone, Region: o.Region, CallingHours: hours.Always()}
}

// agent returns the agent of that name.
func (o organization) agent(name string) agent {
	return o.Agents[slices.IndexFunc(o.Agents, func(a agent) bool { return a.Name == name })]
}

// settings returns the agent's current settings. An agent that records calls says so. The connection is that of an
// agent held by a language model. Destinations have their names as keys.
func (a agent) settings(
	connection modelconn.Connection, destinations map[string]project.Destination,
) project.AgentSettings {
	s := project.AgentSettings{Name: a.Name, Script: a.Script, RecordCalls: a.RecordCalls}
	if a.TransfersTo != "" {
		id := destinations[a.TransfersTo].ID
		s.Script.Transfer = &conversation.TransferSettings{Destinations: []uuid.UUID{id}, HumanID: &id}
	}
	if a.Script.Model != nil {
		m := *a.Script.Model
		m.ConnectionID = connection.ID
		s.Script.Model = &m
		s.Script.Analysis.ConnectionID = &m.ConnectionID
	}
	if a.RecordCalls {
		s.Script.Disclosure = "This call is recorded. " + s.Script.Disclosure
	}
	return s
}

// from returns the first day of a past campaign. A campaign of one day never starts on a Sunday.
func (p past) from(now time.Time) time.Time {
	day := now.AddDate(0, 0, -p.DaysAgo)
	if p.Days == 1 && day.Weekday() == time.Sunday {
		return day.AddDate(0, 0, -1)
	}
	return day
}

// of returns the variables of the i-th recipient.
func (v values) of(i int, who person) map[string]any {
	vars := who.variables()
	for name, all := range v {
		vars[name] = all[i%len(all)]
	}
	return vars
}

// person is a person of the demo.
type person struct {
	first, name, number, externalID string
}

// personNo returns the i-th person. It always returns the same person for the same i.
func personNo(i int) person {
	first := people.FirstNames[i*7%len(people.FirstNames)]
	areas := people.AreaCodes
	return person{
		first:      first,
		name:       first + " " + people.LastNames[i%len(people.LastNames)],
		number:     fmt.Sprintf("+1%s555%04d", areas[i%len(areas)], 100+i/len(areas)), // 555 0100 to 0199
		externalID: fmt.Sprintf("MHH-%05d", 20_400+i),
	}
}

func (p person) variables() map[string]any { return map[string]any{"first_name": p.first} }
