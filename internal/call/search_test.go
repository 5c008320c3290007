package call

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// say inserts an ended call of the claim's organization with this transcript.
func (w *world) say(c Claim, at time.Time, transcript string) uuid.UUID {
	w.tb.Helper()
	id := uuid.New()
	w.exec(`
		insert into call (
			id, organization_id, project_id, campaign_id, agent_id, phone_number_id, connection_id, carrier,
				own_number, person_number,
			status, outcome, ended_reason, ring_timeout_seconds, max_duration_seconds, created_at, answered_at,
				ended_at, settled_at, transcript_text)
		values ($1, $2, $3, $4, $5, $6, $7, 'sandbox', '+12025550100', '+12025550111', 'completed', 'completed',
			'completed', 30, 600, $8, $8, $8, $8, $9)`,
		id, c.OrganizationID, c.ProjectID, c.CampaignID, c.AgentID, c.PhoneNumberID, c.ConnectionID, at, transcript)
	return id
}

func (w *world) speaks(agent uuid.UUID, language string) {
	w.exec(`update agent set language = $2 where id = $1`, agent, language)
}

func (w *world) find(f Filter) []Call {
	w.tb.Helper()
	list, err := w.calls.List(w.tb.Context(), w.claim.OrganizationID, f)
	if err != nil {
		w.tb.Fatal(err)
	}
	return list.Data
}

func values[T any](w *world, sql string, args ...any) []T {
	w.tb.Helper()
	rows, err := w.db.Pool.Query(w.tb.Context(), sql, args...)
	if err != nil {
		w.tb.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

func value[T any](w *world, sql string, args ...any) T {
	w.tb.Helper()
	all := values[T](w, sql, args...)
	if len(all) != 1 {
		w.tb.Fatalf("%d rows: %s", len(all), sql)
	}
	return all[0]
}

func text(segments []Segment) string {
	var b strings.Builder
	for _, s := range segments {
		if s.Match {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestSearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now().Truncate(time.Millisecond)
	other := w.tenant("Elsewhere", "+12025550177")
	w.say(other, now, "Agent: A refund of theirs.")
	refund := w.say(w.claim, now.Add(-time.Hour),
		"Agent: Hello, this is the clinic.\nRecipient: I was promised refunds <b>twice</b>.\nAgent: Thank you.")
	clinic := w.say(w.claim, now, "Agent: Hello, this is the agent of another clinic.\nRecipient: No.")
	w.speaks(w.claim.AgentID, "de-AT")
	german := w.say(w.claim, now.Add(-2*time.Hour),
		"Agent: Guten Tag.\nRecipient: Die Häuser sind verkauft, ich will eine Erstattung (refund).")
	w.speaks(w.claim.AgentID, "en-US") // existing calls keep the language in which they were indexed

	for q, want := range map[string][]uuid.UUID{
		"refund":                   {refund, german},
		"REFUNDED":                 {refund}, // an English word, found by its stem
		"Haus":                     {german},
		"clinic":                   {clinic, refund},
		`clinic -"another clinic"`: {refund},
		`"another clinic"`:         {clinic},
		`"clinic another"`:         nil,
		"haus or another":          {clinic, german},
		"-refund":                  {clinic},
		"agent":                    {clinic}, // the speaker's label is not searched
		"recipient":                nil,
		"nothing-of-that":          nil,
		`it's "C:\refund' | & !`:   nil,
	} {
		var got []uuid.UUID
		for _, c := range w.find(Filter{Query: q}) {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", q, got, want)
		}
	}
	for what, test := range map[string]struct {
		filter Filter
		want   int
	}{
		"the project":     {Filter{ProjectID: &w.claim.ProjectID}, 2},
		"another project": {Filter{ProjectID: new(uuid.New())}, 0},
		"a recipient":     {Filter{RecipientID: new(uuid.New())}, 0},
	} {
		test.filter.Query = "refund"
		if got := w.find(test.filter); len(got) != test.want {
			t.Errorf("%d calls of %s are found, want %d", len(got), what, test.want)
		}
	}
	for who, want := range map[Speaker][]uuid.UUID{
		SaidByAnyone: {clinic, refund}, SaidByAgent: {clinic, refund}, SaidByRecipient: nil,
	} {
		var got []uuid.UUID
		for _, c := range w.find(Filter{Query: "clinic", SaidBy: who}) {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("said by %s: got %v, want %v", who, got, want)
		}
	}
	found := w.find(Filter{Query: "promises", SaidBy: SaidByRecipient})
	if len(found) != 1 || text(found[0].Snippet) != "…[promised] refunds twice…" {
		t.Errorf("the recipient's words: %+v", found)
	}
	found = w.find(Filter{Query: "refund"})
	if got := text(found[0].Snippet); got != "Hello, this is the clinic. I was promised [refunds] twice . Thank…" {
		t.Error(got)
	}
	if got := text(found[1].Snippet); !strings.Contains(got, "Erstattung ([refund]") {
		t.Error(got)
	}

	// A cleared or deleted transcript is not found. A corrected transcript is.
	w.exec(`update call set transcript_text = 'Agent: A voucher.' where id = $1`, refund)
	w.exec(`update call set transcript_text = '' where id = $1`, german)
	if got := w.find(Filter{Query: "refund"}); len(got) != 0 {
		t.Errorf("%d calls are found by what was cleared", len(got))
	}
	if got := w.find(Filter{Query: "vouchers"}); len(got) != 1 {
		t.Errorf("%d calls have a voucher", len(got))
	}
	w.exec(`delete from call where organization_id = $1`, w.claim.OrganizationID)
	if left := value[int](
		w, `select count(*) from call_search where organization_id = $1`, w.claim.OrganizationID,
	); left != 0 {
		t.Errorf("%d deleted calls can be searched", left)
	}
}

// A straight and a curly apostrophe find each other, also in transcripts that were indexed before they did.
func TestApostrophesFindEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now().Truncate(time.Millisecond)
	straight := w.say(w.claim, now, "Agent: Hello.\nRecipient: I can't find O'Brien.")
	curly := w.say(w.claim, now.Add(-time.Hour), "Agent: Hello.\nRecipient: I can’t find O’Brien.")
	letter := w.say(w.claim, now.Add(-2*time.Hour), "Agent: Hello.\nRecipient: I canʼt find OʼBrien.")
	w.say(w.claim, now.Add(-3*time.Hour), "Agent: Hello.\nRecipient: I can look for Oscar.")
	old := w.say(w.claim, now.Add(-4*time.Hour), "Agent: Hello.\nRecipient: I canʼt find OʼBrien.")
	// The locale of this database takes only one of the curly apostrophes for a letter.
	w.exec(`
		update call_search s set document = setweight(to_tsvector(s.language::regconfig, 'I canʼt find OʼBrien.'), 'A')
		where call_id = $1`, old)
	all := []uuid.UUID{straight, curly, letter, old}
	for _, q := range []string{
		"O'Brien", "O’Brien", "oʼbrien", "O‘Brien find", `"can't find"`, `"can’t find"`, "can't find o’brien",
	} {
		for _, by := range []Speaker{SaidByAnyone, SaidByRecipient} {
			found := w.find(Filter{Query: q, SaidBy: by})
			if got := IDs(found); !slices.Equal(got, all) {
				t.Errorf("%s by %s: got %v, want %v", q, by, got, all)
			}
		}
	}
	for _, q := range []string{"find -o'brien", "find -O’Brien"} {
		for _, c := range w.find(Filter{Query: q}) {
			if slices.Contains(all[:3], c.ID) {
				t.Errorf("%s finds a call with O'Brien", q)
			}
		}
	}
	if got := w.find(Filter{Query: "O’Brien", SaidBy: SaidByAgent}); len(got) != 0 {
		t.Errorf("an agent said it in %d calls", len(got))
	}
	if got := text(w.find(Filter{Query: "o'brien"})[1].Snippet); !strings.Contains(got, "[O]’[Brien]") &&
		!strings.Contains(got, "[O’Brien]") {
		t.Errorf("the snippet of a curly one is %s", got)
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.say(w.claim, time.Now(), "Agent: Hello.")
	for want, f := range map[string]Filter{
		"q: contains only words that are too common to search for": {Query: "the of"},
		"q: contains nothing to search for":                        {Query: `"`},
		"q: must have at most 200 characters":                      {Query: strings.Repeat("ä", 201)},
		"q: must be valid text":                                    {Query: "a\x00b"},
		"sort: relevance requires q":                               {Sort: Relevance},
		"said_by: requires q":                                      {SaidBy: SaidByAgent},
		"sort: must be one of newest, relevance, not \"best\"":     {Query: "hello", Sort: "best"},
		"cursor: must be empty when results are sorted by relevance": {
			Query: "hello", Sort: Relevance, Request: page.Request{Cursor: page.Cursor(time.Now(), uuid.New())},
		},
	} {
		_, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSearchByRelevance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	w.say(w.claim, now, "Agent: "+strings.Repeat("So many other words were said. ", 30)+"Then a refund.")
	best := w.say(w.claim, now.Add(-400*24*time.Hour), "Recipient: Refund! I want a refund.")
	got := w.find(Filter{Query: "refund", Sort: Relevance, Request: page.Request{Limit: 1}})
	if len(got) != 1 || got[0].ID != best || text(got[0].Snippet) != "[Refund]! I want a [refund]" {
		t.Errorf("%+v", got)
	}
}

// The words of a call are indexed in the language of its agent if PostgreSQL knows the language,
// and unchanged otherwise.
func TestEveryLanguageIsSearched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known := map[string]string{"en": "english", "da": "danish", "de": "german", "el": "greek", "es": "spanish",
		"fr": "french", "it": "italian",
		"nb": "norwegian", "nl": "dutch", "pt": "portuguese", "ro": "romanian", "sv": "swedish", "tr": "turkish",
		"cs": "simple", "pl": "simple"}
	for _, tag := range append(conversation.LanguageTags(), "no-NO", "de", "pt_BR") {
		base := strings.Replace(tag[:2], "no", "nb", 1)
		var config string
		err := w.db.Pool.QueryRow(t.Context(), `select search_language($1)::regconfig::text`, tag).Scan(&config)
		if err != nil || config != known[base] {
			t.Errorf("%s is read as %q, want %q: %v", tag, config, known[base], err)
		}
	}
}

// A search reads at most mostFound calls at once, whatever its limit.
func TestSearchPagesAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range mostFound + 1 {
		w.say(w.claim, time.Now().Add(-time.Duration(i)*time.Minute), "Agent: hello")
	}
	f := Filter{Request: page.Request{Limit: page.MaxLimit}, Query: "hello"}
	for _, want := range []int{mostFound, 1} {
		list, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
		if err != nil || len(list.Data) != want || list.HasMore != (want > 1) {
			t.Fatalf("%d calls, more %t, %v; want %d", len(list.Data), list.HasMore, err, want)
		}
		if list.HasMore {
			f.Cursor = *list.NextCursor
		}
	}
}

// Whether the finder reads few calls or many, the pages together have the matching calls, each call
// once, newest first.
func TestSearchPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.claim
	campaign, agent := uuid.Must(uuid.NewV7()), uuid.New()
	second.CampaignID = &campaign
	w.exec(
		`insert into agent (id, organization_id, name, language, script)
			select $2, organization_id, 'Second', 'es-MX', script from agent where id = $1`,
		w.claim.AgentID, agent,
	)
	second.AgentID = agent
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	now := time.Now().Truncate(time.Millisecond)
	for i := range 200 {
		// Calls close together, far apart, and at the same moment.
		age := []time.Duration{
			time.Duration(r.IntN(3)) * time.Minute, time.Duration(r.IntN(72)) * time.Hour,
			time.Duration(r.IntN(9000)) * 24 * time.Hour,
		}[r.IntN(3)]
		said := []string{"hello"}
		for word, often := range map[string]int{
			"often": 2, "seldom": 20, "casas": 5, "casa": 5, "run": 3, "running": 4,
		} {
			if r.IntN(often) == 0 {
				said = append(said, word)
			}
		}
		if i%50 == 0 {
			said = append(said, strings.Repeat("long", 50))
		}
		claim := w.claim
		if i%3 == 0 {
			claim = second
		}
		by := r.IntN(len(said) + 1)
		w.say(claim, now.Add(-age), "Agent: "+strings.Join(said[:by], " ")+"\nRecipient: "+strings.Join(said[by:], " "))
	}
	sides := func() (old bool) {
		n, err := w.calls.IndexSides(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	// Some transcripts were indexed before sides were.
	w.exec(`update call_search set document = to_tsvector(language::regconfig, search_text(c.transcript_text))
		from call c where c.id = call_id and c.id::text < '8'`)
	w.exec(`insert into call_search_backlog (done_to) values ('00000000-0000-0000-0000-000000000000')`)
	old := true
	queries := []string{"hello", "often", "seldom", "casa", "run often", "run or seldom", "-run", "hello -often",
		`"run running"`, "often -\"seldom run\"",
		strings.Repeat("long", 50), "never"}
	for run := range 30 {
		w.calls.walked, w.calls.crowded = 1+r.IntN(60), 1+r.IntN(20)
		w.calls.patience = []time.Duration{0, time.Minute}[r.IntN(2)]
		f := Filter{Query: queries[r.IntN(len(queries))], Request: page.Request{Limit: 1 + r.IntN(20)}}
		if r.IntN(4) == 0 {
			f.CampaignID = &campaign
		}
		if r.IntN(6) == 0 {
			f.AgentID = &w.claim.AgentID
		}
		if r.IntN(6) == 0 {
			f.Outcomes = []Outcome{OutcomeBusy, OutcomeCompleted}
			f.PersonNumber, f.Statuses = "+12025550111", []Status{Queued, Completed}
		}
		f.SaidBy = Speakers[r.IntN(len(Speakers))]
		if run == 15 {
			for old = sides(); old; old = sides() {
			}
			if left := value[int](w, `select count(*) from call_search where not search_sides(document)`); left > 0 {
				t.Fatalf("%d transcripts do not tell who said what", left)
			}
		}
		if r.IntN(3) == 0 {
			f.CreatedAfter = now.Add(-time.Duration(r.IntN(5000)) * time.Hour)
		}
		if r.IntN(3) == 0 {
			f.CreatedBefore = value[time.Time](w,
				`select created_at from call order by created_at desc offset $1 limit 1`, r.IntN(200))
		}
		before := f.CreatedBefore
		if before.IsZero() {
			before = now.Add(time.Hour)
		}
		want := values[uuid.UUID](w, `
			select c.id from call c join call_search s on s.call_id = c.id
			where to_tsvector(s.language::regconfig, search_text(case
					when $8 and c.id::text < '8' then c.transcript_text
					when $7 = 'agent' then split_part(c.transcript_text, E'\n', 1)
					when $7 = 'recipient' then split_part(c.transcript_text, E'\n', 2)
					else c.transcript_text end)) @@ websearch_to_tsquery(s.language::regconfig, $2)
			  and c.organization_id = $1 and ($3::uuid is null or c.campaign_id = $3) and ($4::uuid is null
				or c.agent_id = $4)
			  and c.created_at > $5 and c.created_at < $6
			order by c.created_at desc, c.id desc`, w.claim.OrganizationID, f.Query, f.CampaignID, f.AgentID,
			f.CreatedAfter, before, f.SaidBy, old)
		var got []uuid.UUID
		for pages := 0; ; pages++ {
			list, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Data) > f.Limit || pages > 1000 {
				t.Fatalf("seed %d, run %d: %d calls on page %d", seed, run, len(list.Data), pages)
			}
			for _, c := range list.Data {
				got = append(got, c.ID)
				if c.Snippet == nil {
					t.Fatal("a call without a snippet")
				}
			}
			if !list.HasMore {
				break
			}
			f.Cursor = *list.NextCursor
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, run %d, %+v, walked %d, crowded %d: %d calls, want %d", seed, run, f, w.calls.walked,
				w.calls.crowded, len(got), len(want))
		}
	}
}

// The key of a word is made in SQL, for the index, and in Go, for the search.
func TestSearchKeys(t *testing.T) {
	t.Parallel()
	w := words{prefix: "01234567"}
	for query, want := range map[string]string{
		`'a'`:                       `'01234567wa'`,
		`'a' <-> 'b' | 'c' <2> 'd'`: `'01234567wa' & '01234567wb' | '01234567wc' & '01234567wd'`,
		`'it''s' & 'c:\\d'`:         `'01234567wit''s' & '01234567wc:\\d'`,
		fmt.Sprintf(`'%s'`, strings.Repeat("ä", 201)): fmt.Sprintf(`'01234567w%s'`, strings.Repeat("ä", 200)),
	} {
		if got := w.key(query, "w"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	const query = `'it''s' & !'c:\\d\'' <-> 'x'`
	if got := SaidByRecipient.weigh(query); got != `'it''s':AD & !'c:\\d\'':AD <-> 'x':AD` {
		t.Errorf("weighed: %s", got)
	}
}

// The words of a transcript have the weights of those who said them, and the keys of the index are those that Go asks
// for. Rows of before stay in the index, so the keys must never change.
func TestSearchIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("ä", 201)
	blocks := "'22222222072' '2222222214' '2222222220' '2222222230' '2222222240' "
	ids := " 'c' 'n33333333-3333-3333-3333-333333333333'"
	for _, test := range []struct{ transcript, document, words, agent string }{
		{"", "", "", "11111111-1111-1111-1111-111111111111"},
		{
			"Agent: Refunds\n\nRecipient: Agent: Yes, refund\nEnded by Ada",
			"'ada':7C 'agent':2A 'by':6C 'ended':5C 'refund':4A 'refunds':1B 'yes':3A",
			"'22222222ragent' '22222222rrefund' '22222222ryes' '22222222s' '22222222wada' '22222222wagent' " +
				"'22222222wby' '22222222wended' '22222222wrefund' '22222222wrefunds' '22222222wyes' ", "",
		},
		{
			"Recipient: " + long, "'" + long + "':1A",
			"'22222222r" + long[2:] + "' '22222222s' '22222222w" + long[2:] + "' ", "",
		},
	} {
		var document, keys string
		if err := w.db.Pool.QueryRow(t.Context(), `
			select d::text, search_keys('00000000-0000-0000-0000-000022222222', '1970-01-03 23:59:59.5Z', null,
				nullif($2, '')::uuid, '33333333-3333-3333-3333-333333333333', d)::text
			from search_document('simple', $1) d`, test.transcript, test.agent).Scan(&document, &keys); err != nil {
			t.Fatal(err)
		}
		if want := blocks + test.words + "'a" + test.agent + "'" + ids; document != test.document || keys != want {
			t.Errorf("%.50q: the words %s, want %s; the keys %s, want %s", test.transcript, document, test.document,
				keys, want)
		}
	}
	old := value[string](w, `select search_keys('00000000-0000-0000-0000-000022222222', '1970-01-03 23:59:59.5Z',
		'44444444-4444-4444-4444-444444444444', null, '33333333-3333-3333-3333-333333333333',
		to_tsvector('simple', 'old words'))::text`)
	want := blocks + "'22222222wold' '22222222wwords' 'a' 'c44444444-4444-4444-4444-444444444444'" +
		ids[len(" 'c'"):]
	if old != want {
		t.Errorf("the keys of a document without sides: %s, want %s", old, want)
	}
}

// A transcript may be longer than a tsvector may be (1 MB). Its call still ends, and is found by
// the words at the beginning of the transcript.
func TestALongTranscriptIsSearchedByItsBeginning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	word := func(i int) string {
		return strings.ToLower(fmt.Sprintf("%c%c%c%c%c", 'ა'+i%33, 'ა'+i/33%33, 'ა'+i/1089%33, 'Ა'+i%7, 'a'+i%26))
	}
	var b strings.Builder
	b.WriteString("Agent: Hello.\nRecipient: A refund, please. ")
	for i := range 400_000 {
		b.WriteString(word(i) + " ")
	}
	id := w.say(w.claim, time.Now(), b.String())
	for _, q := range []string{"refund", word(100)} {
		if found := w.find(Filter{Query: q}); len(found) != 1 || found[0].ID != id {
			t.Errorf("%s: %d calls", q, len(found))
		}
	}
}
