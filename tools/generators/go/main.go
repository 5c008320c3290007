// Command client is what an integrator would write with a client that is
// generated from the description of the API. tools/generators.sh puts the generated
// package beside it, and runs it against a demo.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"client/dialwright"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(
		ctx, strings.TrimRight(os.Getenv("DIALWRIGHT_URL"), "/")+"/api/v1", os.Getenv("DIALWRIGHT_KEY"),
	); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

func connect(url, key string) (*dialwright.ClientWithResponses, error) {
	return dialwright.NewClientWithResponses(url,
		dialwright.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
}

// answered gives what an answer holds, or says what came instead.
func answered[T any](what string, value *T, status string, body []byte, err error) (T, error) {
	var none T
	if err != nil {
		return none, fmt.Errorf("%s: %w", what, err)
	}
	if value == nil {
		return none, fmt.Errorf("%s: %s: %s", what, status, body)
	}
	return *value, nil
}

func run(ctx context.Context, url, key string) error {
	c, err := connect(url, key)
	if err != nil {
		return err
	}
	one := 1
	projects, err := c.ListProjectsWithResponse(ctx, &dialwright.ListProjectsParams{Limit: &one})
	if err != nil {
		return err
	}
	agents, err := c.ListAgentsWithResponse(ctx, &dialwright.ListAgentsParams{Limit: &one})
	if err != nil {
		return err
	}
	numbers, err := c.ListPhoneNumbersWithResponse(ctx, &dialwright.ListPhoneNumbersParams{Limit: &one})
	if err != nil {
		return err
	}
	if projects.JSON200 == nil || agents.JSON200 == nil || numbers.JSON200 == nil {
		return errors.New("the lists of projects, agents and phone numbers were refused")
	}

	number := numbers.JSON200.Data[0].Id.String()
	key1 := fmt.Sprint("generated client ", time.Now().UnixNano())
	order := dialwright.NewCampaign{
		Name: "By a generated client", ProjectId: projects.JSON200.Data[0].Id, AgentId: agents.JSON200.Data[0].Id,
		PhoneNumberId: &number,
		Recipients: &[]dialwright.NewRecipient{
			{PhoneNumber: "+15005000091"}, {PhoneNumber: "+15005010092"}, {PhoneNumber: "+15005020093"},
		},
	}
	create := func() (dialwright.Campaign, error) {
		got, err := c.CreateCampaignWithResponse(ctx, &dialwright.CreateCampaignParams{IdempotencyKey: &key1}, order)
		if err != nil {
			return dialwright.Campaign{}, err
		}
		return answered("create a campaign", got.JSON201, got.Status(), got.Body, nil)
	}
	made, err := create()
	if err != nil {
		return err
	}
	if again, err := create(); err != nil || again.Id != made.Id {
		return fmt.Errorf("the same request made campaign %s, and again %s: %v", made.Id, again.Id, err)
	}

	for made.Status != dialwright.CampaignStatusCompleted {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the campaign is still %s: %+v", made.Status, made.Counters)
		case <-time.After(2 * time.Second): // well within 60 requests a minute
		}
		got, err := c.GetCampaignWithResponse(ctx, made.Id.String())
		if err != nil {
			return err
		}
		if made, err = answered("read the campaign", got.JSON200, got.Status(), got.Body, nil); err != nil {
			return err
		}
	}
	if made.Counters.Total != 3 || made.Calls.Placed != 3 || made.Counters.Completed != 1 {
		return fmt.Errorf("the campaign ended with %+v, %+v", made.Counters, made.Calls)
	}

	listed, err := c.ListCallsWithResponse(ctx, &dialwright.ListCallsParams{CampaignId: new(made.Id.String())})
	if err != nil {
		return err
	}
	calls, err := answered("list the calls", listed.JSON200, listed.Status(), listed.Body, nil)
	if err != nil {
		return err
	}
	var outcomes []string
	for _, call := range calls.Data {
		outcomes = append(outcomes, fmt.Sprint(*call.ToNumber, " ", *call.Outcome))
		if *call.Outcome != "completed" {
			continue
		}
		got, err := c.GetCallWithResponse(ctx, call.Id.String())
		if err != nil {
			return err
		}
		if whole, err := answered("read a call", got.JSON200, got.Status(), got.Body, nil); err != nil ||
			len(whole.Transcript) < 2 {
			return fmt.Errorf("the call has %d turns: %v", len(whole.Transcript), err)
		}
	}
	slices.Sort(outcomes)
	if want := []string{
		"+15005000091 completed", "+15005010092 busy", "+15005020093 no_answer",
	}; !slices.Equal(outcomes, want) {
		return fmt.Errorf("the calls are %q, want %q", outcomes, want)
	}

	// Refusals are typed, too.
	unknown, err := c.GetCampaignWithResponse(ctx, "00000000-0000-7000-8000-000000000000")
	if err != nil || unknown.JSON404 == nil || unknown.JSON404.Error != "Campaign not found" {
		return fmt.Errorf("an unknown campaign: %v, %s", err, unknown.Body)
	}
	stranger, err := connect(url, "ik_live_"+strings.Repeat("0", 64))
	if err != nil {
		return err
	}
	refused, err := stranger.GetCampaignWithResponse(ctx, made.Id.String())
	if err != nil || refused.JSON401 == nil || refused.JSON401.Error != "Invalid or revoked API key" {
		return fmt.Errorf("an unknown key: %v, %s", err, refused.Body)
	}
	fmt.Printf("a client generated from the description ran a campaign: %s\n", strings.Join(outcomes, ", "))
	return nil
}
