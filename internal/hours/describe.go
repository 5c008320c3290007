package hours

import "strings"

// Describe describes the hours in words: "Recipient's time, 15:00–20:00, Mon–Fri".
func Describe(h Hours) string {
	week := h.Week()
	type group struct {
		times string
		days  []int
	}
	var groups []group
days:
	for i, spans := range week {
		if len(spans) == 0 {
			continue
		}
		times := describeSpans(spans)
		for g := range groups {
			if groups[g].times == times {
				groups[g].days = append(groups[g].days, i)
				continue days
			}
		}
		groups = append(groups, group{times, []int{i}})
	}
	if len(groups) == 0 {
		return "Never"
	}
	if len(groups) == 1 && len(groups[0].days) == 7 && groups[0].times == "00:00–24:00" {
		return "Always"
	}
	clock := "Recipient's time"
	if h.Timezone != Recipient {
		clock = h.Timezone
	}
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = g.times + ", " + describeDays(g.days)
	}
	return clock + ", " + strings.Join(parts, "; ")
}

func describeSpans(spans []Span) string {
	parts := make([]string, len(spans))
	for i, s := range spans {
		start, end := s.Clock()
		parts[i] = start + "–" + end
	}
	return strings.Join(parts, " and ")
}

// describeDays writes runs of three or more days as a range.
func describeDays(days []int) string {
	if len(days) == 7 {
		return "every day"
	}
	names := [7]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	var parts []string
	for i := 0; i < len(days); {
		end := i
		for end+1 < len(days) && days[end+1] == days[end]+1 {
			end++
		}
		if end-i >= 2 {
			parts = append(parts, names[days[i]]+"–"+names[days[end]])
			i = end + 1
			continue
		}
		parts = append(parts, names[days[i]])
		i++
	}
	return strings.Join(parts, ", ")
}
