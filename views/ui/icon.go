package ui

import (
	"context"
	"io"
)

// Icon is the content of a 16 by 16 drawing in one stroke. It is always decoration,
// because the text beside it has the meaning.
type Icon string

const (
	IconSearch   Icon = `<circle cx="7" cy="7" r="4.3"/><path d="m10.3 10.3 3.2 3.2"/>`
	IconMenu     Icon = `<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>`
	IconClose    Icon = `<path d="m4 4 8 8M12 4l-8 8"/>`
	IconOverview Icon = `<path d="M2.5 7.2 8 2.8l5.5 4.4v6H9.8V9.6H6.2v3.6H2.5z"/>`
	IconCampaign Icon = `<path d="M2.5 6.5v3l8 3v-9zM10.5 6a2 2 0 0 1 0 4M4.5 10.3l.7 3h1.8l-.6-2.3"/>`
	IconCall     Icon = `<path d="M5.6 2.5 7 5.7 5.4 7a7.5 7.5 0 0 0 3.6 3.6l1.3-1.6 3.2 1.4v2.3c0 ` +
		`.5-.4.8-.9.8A10.3 10.3 0 0 1 2.5 3.4c0-.5.3-.9.8-.9z"/>`
	IconAnalysis Icon = `<path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6"/>`
	IconLive     Icon = `<circle cx="8" cy="8" r="1.6"/><path d="M5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6M2.9 ` +
		`13.1a7.2 7.2 0 0 1 0-10.2M13.1 2.9a7.2 7.2 0 0 1 0 10.2"/>`
	IconMessage Icon = `<path d="M2.5 3.5h11v7.5H7l-3 2.5V11H2.5zM5.3 6.2h5.4M5.3 8.4h3.4"/>`
	IconWebhook Icon = `<path d="M8 6.5 5.7 10.7M8 6.5A2.2 2.2 0 1 0 6 5M5.7 10.7a2.2 2.2 0 1 1-2.6-1M5.7 ` +
		`10.9h4.6M10.3 10.9a2.2 2.2 0 1 1 1 1.8M10.8 8.9 8.3 4.8"/>`
	IconAgain   Icon = `<path d="M13 4v3.5H9.5M12.7 7.3A5 5 0 1 0 13 9.5"/>`
	IconKey     Icon = `<circle cx="5.5" cy="10.5" r="2.8"/><path d="m7.6 8.4 5.4-5.4M10.5 5.5l2 2"/>`
	IconProject Icon = `<path d="M2.5 4h4l1.3 1.7h5.7v7.1h-11z"/>`
	IconAgent   Icon = `<path d="M3 9V7.5a5 5 0 0 1 10 0V9M3 8.5h1.8V12H3.5a.5.5 0 0 1-.5-.5zM13 ` +
		`8.5h-1.8V12h1.3a.5.5 0 0 0 .5-.5zM11.5 12c0 1-1 1.7-2.5 1.7"/>`
	IconPhoneNumber  Icon = `<path d="M6.5 2.5 5 13.5M11 2.5 9.5 13.5M3 6h10.5M2.5 10H13"/>`
	IconIntegration  Icon = `<path d="M6 2.5v3M10 2.5v3M4.5 5.5h7V8a3.5 3.5 0 0 1-7 0zM8 11.5v2"/>`
	IconDoNotCall    Icon = `<circle cx="8" cy="8" r="5.5"/><path d="m4.2 4.2 7.6 7.6"/>`
	IconOrganization Icon = `<path d="M3 13.5v-11h6v11M9 6h4v7.5M2 13.5h12M5.5 5.5h1M5.5 8h1M5.5 10.5h1M11 ` +
		`8.5h.1M11 11h.1"/>`
	IconCompliance Icon = `<path d="M8 2.5v11M5 13.5h6M3.2 4.5h9.6M3.2 4.5 1.5 9h3.4zM12.8 4.5 11.1 9h3.4z"/>`
	IconFile       Icon = `<path d="M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5"/>`
	IconMoon       Icon = `<path d="M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z"/>`
	IconSun        Icon = `<circle cx="8" cy="8" r="2.7"/><path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 ` +
		`3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1"/>`
	IconTool Icon = `<path d="M10.2 2.8a3.3 3.3 0 0 0-3.4 4.5L2.6 11.5l1.9 1.9 4.2-4.2a3.3 3.3 0 0 0 ` +
		`4.4-4.2L11 7.1 8.9 5z"/>`
	IconFollowUp Icon = `<path d="M3 2.5h10v11H3zM5.5 6l1 1 1.8-2M5.5 10.2l1 1 1.8-2M10 6.2h1M10 10.4h1"/>`
	IconPlus     Icon = `<path d="M8 3v10M3 8h10"/>`
	IconWarning  Icon = `<path d="M8 2.5 14 13.3H2zM8 6.5v3M8 11.3v.01"/>`
	IconEdit     Icon = `<path d="M10.5 3 13 5.5 5.7 12.8l-3 .5.5-3z"/>`
	IconPause    Icon = `<path d="M5.5 3.5v9M10.5 3.5v9"/>`
	IconPlay     Icon = `<path d="M5 3.2v9.6L12.5 8z"/>`
	IconClock    Icon = `<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3l2 1.5"/>`
	IconInfo     Icon = `<circle cx="8" cy="8" r="5.5"/><path d="M8 7.5v3M8 5.3v.01"/>`
	IconDownload Icon = `<path d="M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2M3 13.5h10"/>`
	IconUpload   Icon = `<path d="M8 10.5v-8M4.8 5.5 8 2.3l3.2 3.2M3 13.5h10"/>`
	IconBack     Icon = `<path d="M10 3.5 5.5 8l4.5 4.5"/>`
	IconForward  Icon = `<path d="M6 3.5 10.5 8 6 12.5"/>`
	IconUp       Icon = `<path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7"/>`
	IconDown     Icon = `<path d="M8 3.5v9M4.5 9 8 12.5 11.5 9"/>`
	IconCopy     Icon = `<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/>`
	IconCheck    Icon = `<path d="m3 8.5 3.2 3L13 4.5"/>`
	IconPrint    Icon = `<path d="M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z"/>`
	IconListen   Icon = `<path d="M2.5 9.5V8a5.5 5.5 0 0 1 11 0v1.5M2.5 9.5h2.3v4H2.5zM11.2 9.5h2.3v4h-2.3z"/>`
	IconPerson   Icon = `<circle cx="8" cy="5.3" r="2.6"/><path d="M3 13.5c.4-2.8 2.3-4.2 5-4.2s4.6 1.4 5 4.2"/>`
	IconMembers  Icon = `<circle cx="6" cy="5.5" r="2.3"/><path d="M1.8 13c.3-2.5 1.9-3.8 4.2-3.8s3.9 1.3 4.2 ` +
		`3.8M10.3 3.4a2.3 2.3 0 0 1 0 4.2M11.6 9.5c1.6.4 2.5 1.6 2.7 3.5"/>`
	IconAudit   Icon = `<path d="M3 3h7.5M3 6.5h10M3 10h6M3 13.5h8"/><path d="M13 3v.01M13 10v.01M13.5 13.5v.01"/>`
	IconSignOut Icon = `<path d="M9.5 2.5h-6v11h6M6.5 8h7M11 5.3 13.7 8 11 10.7"/>`
)

// Render draws the icon. An empty icon draws nothing.
func (i Icon) Render(_ context.Context, w io.Writer) error {
	if i == "" {
		return nil
	}
	_, err := io.WriteString(w, `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">`+string(i)+`</svg>`)
	return err
}
