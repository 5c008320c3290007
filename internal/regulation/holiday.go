package regulation

import (
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/hours"
)

// holiday is a public holiday. day returns its day in a year, and false if the year has none.
type holiday struct {
	name string
	day  func(year int) (hours.Date, bool)
}

// fixed is the same day of each year.
func fixed(name string, month time.Month, day int) holiday {
	return holiday{name, func(year int) (hours.Date, bool) {
		return hours.Date{Year: year, Month: month, Day: day}, true
	}}
}

// observed is a fixed day that falls on a weekday: shift returns the days to add to it.
func observed(name string, month time.Month, day int, shift func(time.Weekday) int) holiday {
	return holiday{name, func(year int) (hours.Date, bool) {
		t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		return hours.DateOf(t.AddDate(0, 0, shift(t.Weekday()))), true
	}}
}

// nth is the nth weekday of a month. A negative n counts from the end of the month.
func nth(name string, n int, weekday time.Weekday, month time.Month) holiday {
	return holiday{name, func(year int) (hours.Date, bool) {
		t := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		if n < 0 {
			t = t.AddDate(0, 1, 0) // the next month
		}
		t = t.AddDate(0, 0, (int(weekday)-int(t.Weekday())+7)%7)
		if n > 0 {
			t = t.AddDate(0, 0, -7)
		}
		return hours.DateOf(t.AddDate(0, 0, 7*n)), true
	}}
}

// easter is a day relative to Easter Sunday.
func easter(name string, days int) holiday {
	return holiday{name, func(year int) (hours.Date, bool) {
		return hours.DateOf(easterSunday(year).AddDate(0, 0, days)), true
	}}
}

// since is a holiday that exists from a year on.
func since(year int, h holiday) holiday {
	return holiday{h.name, func(y int) (hours.Date, bool) {
		d, ok := h.day(y)
		return d, ok && y >= year
	}}
}

// easterSunday computes Easter of the Gregorian calendar (Meeus, Jones and Butcher).
func easterSunday(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// nearest moves a day from the weekend to the nearest weekday, as the federal holidays of the
// United States.
func nearest(d time.Weekday) int {
	switch d {
	case time.Saturday:
		return -1
	case time.Sunday:
		return 1
	}
	return 0
}

// following moves a Saturday to the next Monday, and a Sunday by the given number of days.
func following(sunday int) func(time.Weekday) int {
	return func(d time.Weekday) int {
		switch d {
		case time.Saturday:
			return 2
		case time.Sunday:
			return sunday
		}
		return 0
	}
}

// holidays are the public holidays by place, computed for any year. A state has those of its
// country and its own. For France and the other countries they are the holidays of the whole
// country, without those of regions.
var holidays = map[Place][]holiday{
	"US": {
		fixed("New Year's Day", time.January, 1), observed("New Year's Day (observed)", time.January, 1, nearest),
		nth("Martin Luther King Jr. Day", 3, time.Monday, time.January),
		nth("Washington's Birthday", 3, time.Monday, time.February),
		nth("Memorial Day", -1, time.Monday, time.May),
		fixed("Juneteenth", time.June, 19), observed("Juneteenth (observed)", time.June, 19, nearest),
		fixed("Independence Day", time.July, 4), observed("Independence Day (observed)", time.July, 4, nearest),
		nth("Labor Day", 1, time.Monday, time.September), nth("Columbus Day", 2, time.Monday, time.October),
		fixed("Veterans Day", time.November, 11), observed("Veterans Day (observed)", time.November, 11, nearest),
		nth("Thanksgiving Day", 4, time.Thursday, time.November),
		fixed("Christmas Day", time.December, 25), observed("Christmas Day (observed)", time.December, 25, nearest),
	},
	"US-AL": {
		nth("Confederate Memorial Day", 4, time.Monday, time.April),
		nth("Jefferson Davis' Birthday", 1, time.Monday, time.June),
	},
	"US-LA": {easter("Mardi Gras", -47), easter("Good Friday", -2), fixed("All Saints' Day", time.November, 1)},
	"US-RI": {nth("Victory Day", 2, time.Monday, time.August)},
	"US-UT": {fixed("Pioneer Day", time.July, 24), observed("Pioneer Day (observed)", time.July, 24, nearest)},
	"CA": {
		fixed("New Year's Day", time.January, 1), easter("Good Friday", -2),
		{"Victoria Day", func(year int) (hours.Date, bool) { // the Monday before 25 May
			t := time.Date(year, time.May, 24, 0, 0, 0, 0, time.UTC)
			return hours.DateOf(t.AddDate(0, 0, -(int(t.Weekday())+6)%7)), true
		}},
		fixed("Canada Day", time.July, 1), nth("Labor Day", 1, time.Monday, time.September),
		since(2021, fixed("National Day for Truth and Reconciliation", time.September, 30)),
		nth("Thanksgiving", 2, time.Monday, time.October), fixed("Remembrance Day", time.November, 11),
		fixed("Christmas Day", time.December, 25), fixed("Boxing Day", time.December, 26),
	},
	"GB": { // England and Wales
		fixed("New Year's Day", time.January, 1),
		observed("New Year's Day (substitute)", time.January, 1, following(1)),
		easter("Good Friday", -2), easter("Easter Monday", 1),
		nth("Early May bank holiday", 1, time.Monday, time.May), nth("Spring bank holiday", -1, time.Monday, time.May),
		nth("Summer bank holiday", -1, time.Monday, time.August),
		fixed("Christmas Day", time.December, 25), fixed("Boxing Day", time.December, 26),
		observed("Christmas Day (substitute)", time.December, 25, following(2)),
		observed("Boxing Day (substitute)", time.December, 26, following(2)),
	},
	"DE": {
		fixed("New Year's Day", time.January, 1), easter("Good Friday", -2), easter("Easter Monday", 1),
		fixed("Labor Day", time.May, 1), easter("Ascension Day", 39), easter("Whit Monday", 50),
		fixed("German Unity Day", time.October, 3), fixed("Christmas Day", time.December, 25),
		fixed("Second day of Christmas", time.December, 26),
	},
	"FR": {
		fixed("New Year's Day", time.January, 1), easter("Easter Monday", 1), fixed("Labor Day", time.May, 1),
		fixed("Victory in Europe Day", time.May, 8), easter("Ascension Day", 39), easter("Whit Monday", 50),
		fixed("Bastille Day", time.July, 14), fixed("Assumption Day", time.August, 15),
		fixed("All Saints' Day", time.November, 1), fixed("Armistice Day", time.November, 11),
		fixed("Christmas Day", time.December, 25),
	},
	"ES": {
		fixed("New Year's Day", time.January, 1), fixed("Epiphany", time.January, 6), easter("Good Friday", -2),
		fixed("Labor Day", time.May, 1), fixed("Assumption Day", time.August, 15),
		fixed("National Day", time.October, 12), fixed("All Saints' Day", time.November, 1),
		fixed("Constitution Day", time.December, 6), fixed("Immaculate Conception", time.December, 8),
		fixed("Christmas Day", time.December, 25),
	},
	"IT": {
		fixed("New Year's Day", time.January, 1), fixed("Epiphany", time.January, 6), easter("Easter Sunday", 0),
		easter("Easter Monday", 1), fixed("Liberation Day", time.April, 25), fixed("Labor Day", time.May, 1),
		fixed("Republic Day", time.June, 2), fixed("Assumption Day", time.August, 15),
		since(2026, fixed("Saint Francis", time.October, 4)), fixed("All Saints' Day", time.November, 1),
		fixed("Immaculate Conception", time.December, 8), fixed("Christmas Day", time.December, 25),
		fixed("Saint Stephen's Day", time.December, 26),
	},
	"NL": {
		fixed("New Year's Day", time.January, 1), easter("Easter Sunday", 0), easter("Easter Monday", 1),
		observed("King's Day", time.April, 27, func(d time.Weekday) int {
			if d == time.Sunday {
				return -1
			}
			return 0
		}),
		fixed("Liberation Day", time.May, 5), easter("Ascension Day", 39), easter("Whit Sunday", 49),
		easter("Whit Monday", 50), fixed("Christmas Day", time.December, 25),
		fixed("Second day of Christmas", time.December, 26),
	},
}

// HolidayCountries are the countries whose public holidays are known, in order.
var HolidayCountries = []Place{"CA", "DE", "ES", "FR", "GB", "IT", "NL", "US"}

// years caches the holidays of a place and a year. Its keys are few: places times years.
var years sync.Map // yearOf → map[hours.Date]string

type yearOf struct {
	place Place
	year  int
}

// Holiday returns the name of the public holiday of a place on a day: one of its country, or of the
// state itself. It is empty on other days.
func Holiday(p Place, d hours.Date) string {
	if country := p.Country(); country != p {
		if name := Holiday(country, d); name != "" {
			return name
		}
	}
	if holidays[p] == nil {
		return ""
	}
	key := yearOf{p, d.Year}
	known, ok := years.Load(key)
	if !ok {
		days := map[hours.Date]string{}
		for year := d.Year - 1; year <= d.Year+1; year++ { // New Year's Day may be observed in December
			for _, h := range holidays[p] {
				if day, exists := h.day(year); exists && day.Year == d.Year && days[day] == "" {
					days[day] = h.name
				}
			}
		}
		known, _ = years.LoadOrStore(key, days)
	}
	return known.(map[hours.Date]string)[d]
}
