package conversation

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A model makes up an hour for every wish. Only an hour that was said is one.
func TestAnHourNobodyNamedIsNotClaimed(t *testing.T) {
	t.Parallel()
	const monday, tuesday = "2026-03-02T", "2026-03-03T"
	german := modelCheckIn()
	german.Languages = []Translation{{Language: "de"}}
	for name, row := range map[string]struct {
		asked  string   // by the agent before the last words
		person []string // what the person says
		script *Script
		at     string
		named  string
		want   Leeway
		words  string
	}{
		"afternoon, by a model that claims an hour": {
			person: []string{"Call me tomorrow afternoon."}, at: tuesday + "14:00", named: "hour",
			want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"afternoon, by a model that leaves out what was named": {
			person: []string{"Call me tomorrow afternoon."}, at: tuesday + "14:00",
			want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"afternoon, by an honest model": {
			person: []string{"Call me tomorrow afternoon."}, at: tuesday + "14:00", named: "part_of_day",
			want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"a day": {
			person: []string{"Call me tomorrow."}, at: tuesday + "10:00", named: "hour",
			want: WholeDay, words: "on 3 Mar",
		},
		"a week": {
			person: []string{"Call me next week."}, at: "2026-03-09T10:00", named: "hour",
			want: WholeWeek, words: "in the week of 9 Mar",
		},
		"words that we do not know": {
			person: []string{"Call me when the kids are at school."}, at: tuesday + "10:30", named: "hour",
			want: PartOfDay, words: "on 3 Mar, in the morning",
		},
		"words that only the model knows": {
			person: []string{"Call me when I'm back from Rome, that's Friday week."},
			at:     "2026-03-13T10:30", named: "day", want: WholeDay, words: "on 13 Mar",
		},
		"hour": {
			person: []string{"Call me tomorrow afternoon at half past two."}, at: tuesday + "14:30", named: "hour",
			words: "on 3 Mar, 14:30",
		},
		"hour, by a model that does not notice it": {
			person: []string{"Call me tomorrow at 2:30 pm."}, at: tuesday + "14:30", named: "day",
			words: "on 3 Mar, 14:30",
		},
		"hour of another half of the day": {
			person: []string{"Call me tomorrow at 2:30 am."}, at: tuesday + "14:30", named: "hour", want: PartOfDay,
			words: "on 3 Mar, in the afternoon",
		},
		"another hour": {
			person: []string{"Call me tomorrow after three."}, at: tuesday + "16:15", named: "hour",
			want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"hour that was corrected": {
			person: []string{"Call me tomorrow at nine, no, at four."}, at: tuesday + "16:00", named: "hour",
			words: "on 3 Mar, 16:00",
		},
		"duration": {
			person: []string{"Call me in two hours."}, at: monday + "12:00", named: "hour", words: "on 2 Mar, 12:00",
		},
		"hour in other words before": {
			person: []string{"I have time tomorrow at four.", "Yes, please do that."}, at: tuesday + "16:00",
			named: "hour", words: "on 3 Mar, 16:00",
		},
		"a number alone": {
			asked: "At what time?", person: []string{"Call me tomorrow.", "Four."}, at: tuesday + "16:00",
			named: "hour", words: "on 3 Mar, 16:00",
		},
		"the number of an answer": {
			person: []string{"A three.", "Call me tomorrow afternoon."}, at: tuesday + "15:00", named: "hour",
			want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"hour of the agent": {
			asked: "Shall we call you tomorrow at two?", person: []string{"I am busy.", "Yes."}, at: tuesday + "14:00",
			named: "hour", words: "on 3 Mar, 14:00",
		},
		"hour of the agent that was not taken": {
			asked: "Shall we call you tomorrow at two?", person: []string{"I am busy.", "Some time in the afternoon."},
			at: tuesday + "14:00", named: "part_of_day", want: PartOfDay, words: "on 3 Mar, in the afternoon",
		},
		"another language": {
			script: &german, person: []string{"Rufen Sie mich morgen um halb drei an."}, at: tuesday + "14:30",
			named: "hour", words: "on 3 Mar, 14:30",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := modelCheckIn()
			if row.script != nil {
				script = *row.script
			}
			d := newDialog(t, script).hear().answers("How are you?").hear()
			for i, text := range row.person {
				if i > 0 {
					asked := row.asked
					if asked == "" {
						asked = "I see."
					}
					d.answers(asked).hear()
				}
				d.step(Prompt{Text: text})
			}
			d.answers("", "schedule_callback", fmt.Sprintf(`{"at": %q, "named": %q}`, row.at, row.named))
			if d.state.Intent != CallBack || d.state.Leeway != row.want {
				t.Errorf("left open %q, want %q\n%s", d.state.Leeway, row.want, d.said())
			}
			at := d.state.CallBackAt.In(time.FixedZone("", 3600)).Format("2006-01-02T15:04")
			if at != row.at {
				t.Errorf("calls at %s, want %s", at, row.at)
			}
			if !strings.Contains(d.said(), fmt.Sprintf("%q", row.words)) {
				t.Errorf("the model sees\n%s\nwant %s", d.said(), row.words)
			}
			if promised := strings.Contains(d.said(), "promise none"); promised != (row.want != NoLeeway) {
				t.Errorf("the model sees\n%s", d.said())
			}
		})
	}
}
