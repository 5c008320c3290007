package sheet

import "strings"

// delimiters are the possible separators of cells, likeliest first.
const delimiters = ",;\t|"

// sampleRows is how many rows are compared to find the delimiter.
const sampleRows = 50

// delimiter returns the separator of a sample's cells: the delimiter that splits the most
// rows into as many cells as the first row. In a tie, it returns the delimiter that makes
// more cells.
func delimiter(sample []byte, eof bool) byte {
	best, bestAlike, bestCells := delimiters[0], -1.0, 1
	for i := range len(delimiters) {
		cells, alike := fit(sample, delimiters[i], eof)
		if cells > 1 && (alike > bestAlike || alike == bestAlike && cells > bestCells) {
			best, bestAlike, bestCells = delimiters[i], alike, cells
		}
	}
	return best
}

// fit returns how many cells the first row has with a delimiter, and the share of the
// rows that have the same number of cells.
func fit(sample []byte, comma byte, eof bool) (cells int, alike float64) {
	rows, same := 0, 0
	for len(sample) > 0 && rows < sampleRows {
		p := parser{comma: comma, eof: eof}
		n, result := p.row(sample)
		if result == incomplete || result == open {
			break
		}
		if result != whole {
			end, brk := lineEnd(sample, true)
			n = end + brk
		}
		sample = sample[n:]
		if len(p.spans) == 1 && strings.TrimSpace(string(p.text)) == "" {
			continue // an empty line has no delimiter
		}
		if rows++; cells == 0 {
			cells = len(p.spans)
		}
		if result == whole && len(p.spans) == cells {
			same++
		}
	}
	if rows == 0 {
		return 0, 0
	}
	return cells, float64(same) / float64(rows)
}

// said returns the delimiter that Excel's own first line names, "sep=;", and the length
// of that line. The length is 0 without that line.
func said(sample []byte) (comma byte, n int) {
	end, brk := lineEnd(sample, true)
	line := strings.Trim(string(sample[:min(end, 16)]), `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, 0
	}
	switch named := line[4:]; {
	case named == `\t`:
		return '\t', end + brk
	case len(named) == 1 && (named[0] == '\t' || named[0] > ' ' && named[0] < 0x7F && named[0] != '"'):
		return named[0], end + brk
	}
	return 0, 0
}
