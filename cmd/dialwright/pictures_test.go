package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// picturesVar names the directory of README's pictures. The test is skipped without it.
const picturesVar = "DIALWRIGHT_PICTURES"

const (
	// picturesDone is how many recipients of the running campaign are done when the pictures are taken.
	picturesDone = 40

	picturesPatience = 8 * time.Minute
)

// TestPictures takes README's pictures from the pages of a demo in real time, so that the page of live calls has
// conversations.
func TestPictures(t *testing.T) {
	dir := os.Getenv(picturesVar)
	if dir == "" {
		t.Skip("make pictures takes the pictures")
	}
	db := pgtest.New(t)
	_, c := runDemo(t, db, 1)
	read := func(what, sql string) (id string) {
		t.Helper()
		for began := time.Now(); id == ""; time.Sleep(200 * time.Millisecond) {
			if err := db.Pool.QueryRow(t.Context(), `select coalesce((`+sql+`)::text, '')`).Scan(&id); err != nil {
				t.Fatalf("find %s: %v", what, err)
			}
			if time.Since(began) > picturesPatience {
				t.Fatalf("the demo has not got %s", what)
			}
		}
		return id
	}
	desktop := browsertest.View{Name: "desktop", Width: 1440, Height: 960}
	dark, phone := desktop, browsertest.Views[3] // in the dark
	dark.Dark = true
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(desktop)
	tab.Go(c.URL + "/sign-in")
	tab.Fill("#email", c.Email)
	tab.Fill("#password", c.Password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	take := func(name string, as browsertest.View, path, scrollTo string) {
		t.Helper()
		tab.Emulate(as)
		if path != "" {
			tab.Go(c.URL + path)
		}
		if scrollTo != "" {
			browsertest.Eval[bool](tab, `(document.querySelector("`+scrollTo+`").scrollIntoView(), true)`)
		}
		picture, err := smaller(tab.Photograph())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}

	campaign := read("a running campaign", `
		select id from campaign
		where name = 'Flu shots, 65 and over' and completed + failed + skipped >= `+strconv.Itoa(picturesDone))
	take("campaign", desktop, "/campaigns/"+campaign, "")
	take("phone", phone, "/campaigns/"+campaign, "")
	live := read("a conversation", `
		select c.id from call c join call_turn t on t.call_id = c.id
		where c.campaign_id = '`+campaign+`' and c.ended_at is null
		group by c.id having count(*) >= 5 order by count(*) limit 1`)
	take("live", desktop, "/live?call="+live, "")
	take("overview", desktop, "/", "")
	take("analysis", desktop, "/analysis", "#when")
	take("answers", desktop, "/analysis/answers?campaign_id="+
		read("a survey", `select id from campaign where name = 'Care survey, second half'`)+"&with="+
		read("a survey", `select id from campaign where name = 'Care survey, first half'`), "")
	take("follow-ups", desktop, "/follow-ups", "")
	take("call", desktop, "/calls/"+read("a reviewed call", `
		select c.id from call c join call_review v on v.call_id = c.id
		where 'Medication' = any(v.tags) and v.note <> '' order by c.created_at desc limit 1`), "")
	take("delivery", dark, read("a delivery that was retried", `
		select '/webhooks/' || webhook_id || '/deliveries/' || id from delivery
		where status = 'succeeded' and attempts = 2 and event_type = 'call.analyzed' order by created_at limit 1`), "")
	tab.Emulate(desktop)
	tab.Go(c.URL + "/calls/" + read("a person with notes", `
		select c.id
		from person_note n
		join organization o on o.id = n.organization_id and o.name = 'Meridian Home Health'
		join call c on c.organization_id = n.organization_id and c.person_number = n.phone_number
		order by count(*) over (partition by n.id) desc, c.created_at desc limit 1`))
	tab.Follow("main a[href^='/people/']")
	take("person", desktop, "", "")
}

// smaller returns a PNG with 256 of its colors, which is half as large. Pages have few colors, and the others are
// shades of letters.
func smaller(picture []byte) ([]byte, error) {
	whole, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	counts := map[color.Color]int{}
	each := func(do func(x, y int, c color.Color)) {
		for y := whole.Bounds().Min.Y; y < whole.Bounds().Max.Y; y++ {
			for x := whole.Bounds().Min.X; x < whole.Bounds().Max.X; x++ {
				do(x, y, whole.At(x, y))
			}
		}
	}
	each(func(_, _ int, c color.Color) { counts[c]++ })
	colors := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] })
	// Each next color is the one whose pixels would differ most from the nearest color before.
	var palette color.Palette
	off := map[color.Color]float64{} // how far a color is from the nearest one of the palette
	for next := colors[0]; len(palette) < min(256, len(colors)); {
		palette = append(palette, next)
		newest, worst := next, -1.0
		for _, c := range colors {
			d := distance(c, newest)
			if before, known := off[c]; known {
				d = min(d, before)
			}
			off[c] = d
			if e := d * float64(counts[c]); e > worst {
				worst, next = e, c
			}
		}
	}
	nearest := map[color.Color]uint8{}
	for c := range counts {
		nearest[c] = uint8(palette.Index(c))
	}
	paletted := image.NewPaletted(whole.Bounds(), palette)
	each(func(x, y int, c color.Color) { paletted.SetColorIndex(x, y, nearest[c]) })
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, paletted)
	return out.Bytes(), err
}

// distance returns the square of the distance between two colors.
func distance(a, b color.Color) (sum float64) {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, d := range []float64{float64(ar) - float64(br), float64(ag) - float64(bg), float64(ab) - float64(bb)} {
		sum += d * d
	}
	return sum
}
