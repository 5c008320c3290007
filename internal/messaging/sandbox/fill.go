package sandbox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// filling has the values of a request for one part of a template.
type filling struct {
	Type       string      `json:"type"`
	SubType    string      `json:"sub_type"`
	Index      string      `json:"index"`
	Parameters []parameter `json:"parameters"`
}

type parameter struct {
	Type       string `json:"type"`
	Name       string `json:"parameter_name"`
	Text       string `json:"text"`
	CouponCode string `json:"coupon_code"`
	Image      *file  `json:"image"`
	Video      *file  `json:"video"`
	Document   *file  `json:"document"`
}

type file struct {
	Link string `json:"link"`
	ID   string `json:"id"`
}

var (
	placeholder = regexp.MustCompile(`\{\{([a-z0-9_]+)\}\}`)
	badSpace    = regexp.MustCompile(`[\n\t\r]| {5}`)
)

// wanted returns the distinct variables of a text.
func wanted(text string) []string {
	var names []string
	seen := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	return names
}

// fill checks the values for a template, as the operator would, and returns the body that the
// recipient reads.
func (t *Template) fill(given []filling) (body string, refused *refusal) {
	g := gift{fillings: given}
	for _, c := range t.Components {
		switch c.Type {
		case "HEADER":
			refused = t.fillHeader(c, g.take("header", "", ""))
		case "BODY":
			body, refused = write(c.Text, g.take("body", "", ""), t.Named)
		case "BUTTONS":
			for i, b := range c.Buttons {
				if refused == nil {
					refused = fillButton(b, &g, strconv.Itoa(i))
				}
			}
		}
		if refused != nil {
			return "", refused
		}
	}
	if !g.allTaken() {
		return "", refuseWith(132000, "Number of parameters does not match the expected number of params")
	}
	return body, nil
}

// gift has the values for a template, and the number of values that its parts have used.
type gift struct {
	fillings []filling
	taken    int
}

// take returns the values for one part. The kind and the index identify a button.
func (g *gift) take(part, button, index string) []parameter {
	for _, f := range g.fillings {
		if strings.EqualFold(f.Type, part) && strings.EqualFold(f.SubType, button) && f.Index == index {
			g.taken += len(f.Parameters)
			return f.Parameters
		}
	}
	return nil
}

func (g *gift) allTaken() bool {
	all := 0
	for _, f := range g.fillings {
		all += len(f.Parameters)
	}
	return all == g.taken
}

func (t *Template) fillHeader(c Component, ps []parameter) (refused *refusal) {
	if c.Format == "TEXT" {
		_, refused = write(c.Text, ps, t.Named)
		return refused
	}
	if len(ps) != 1 || !strings.EqualFold(ps[0].Type, c.Format) || !ps[0].hasFile() {
		return refuseWith(132012, "header: Format mismatch, expected "+c.Format)
	}
	return nil
}

func fillButton(b Button, g *gift, index string) (refused *refusal) {
	switch b.Type {
	case "URL":
		_, refused = write(b.URL, g.take("button", b.Type, index), false)
	case "COPY_CODE":
		if ps := g.take("button", b.Type, index); len(ps) != 1 || ps[0].CouponCode == "" {
			return refuseWith(131008, "Required parameter is missing: coupon_code")
		}
	case "QUICK_REPLY":
		g.take("button", b.Type, index) // an optional payload
	}
	return refused
}

func (p parameter) hasFile() bool {
	for _, f := range []*file{p.Image, p.Video, p.Document} {
		if f != nil && (f.Link != "" || f.ID != "") {
			return true
		}
	}
	return false
}

// write fills in the variables of one text, which have names or numbers.
func write(text string, ps []parameter, named bool) (string, *refusal) {
	names := wanted(text)
	if len(names) != len(ps) {
		return "", refuseWith(
			132000,
			fmt.Sprintf("localizable_params (%d) does not match the expected number of params (%d)", len(ps),
				len(names)),
		)
	}
	values := map[string]string{}
	for i, p := range ps {
		name := strconv.Itoa(i + 1)
		if named {
			name = p.Name
		}
		switch {
		case !named && p.Name != "":
			return "", refuseWith(100, "Unexpected key \"parameter_name\"")
		case p.Type != "text":
			return "", refuseWith(132012, "Format mismatch, expected TEXT")
		case p.Text == "":
			return "", refuseWith(131008, "Parameter of type text is missing text value")
		case badSpace.MatchString(p.Text):
			return "", refuseWith(
				100, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
			)
		}
		values[name] = p.Text
	}
	for _, name := range names {
		if values[name] == "" {
			return "", refuseWith(100, "Parameter name is missing or empty")
		}
	}
	return placeholder.ReplaceAllStringFunc(text, func(s string) string { return values[strings.Trim(s, "{}")] }), nil
}
