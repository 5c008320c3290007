package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// errLost means that the claim was lost: another process has the analysis, or it has ended.
var errLost = errors.New("the claim of the analysis was lost")

// finish stores the end of an analysis with its event, in one transaction, if the claim is still ours. Errors: errLost.
func (s *Service) finish(ctx context.Context, j job, o outcome) error {
	var out *webhook.Outbox
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		var removed bool
		err = tx.QueryRow(ctx, `
			select transcript_removed_at is not null from call where id = $1 for no key update`, j.CallID).
			Scan(&removed)
		if err != nil {
			return fmt.Errorf("lock call %s: %w", j.CallID, err)
		}
		if removed && o.result != nil {
			o.result, o.needs, o.reason = nil, nil, "The transcript of the call was removed"
		}
		done, err := tx.Exec(ctx, `delete from call_analysis_due where analysis_id = $1 and claims = $2`,
			j.AnalysisID, j.Claims)
		if err != nil {
			return fmt.Errorf("end analysis %s: %w", j.AnalysisID, err)
		}
		if done.RowsAffected() == 0 {
			return errLost
		}
		if err := s.store(ctx, tx, j, o); err != nil {
			return err
		}
		if out, err = webhook.Open(ctx, tx, j.OrganizationID); err != nil {
			return err
		}
		if err := s.calls.EmitAnalyzed(ctx, tx, out, j.OrganizationID, j.CallID); err != nil {
			return err
		}
		if err := followup.Add(ctx, tx, out, o.needs); err != nil {
			return err
		}
		if err := out.Write(ctx, tx); err != nil {
			return err
		}
		return connection.Spend(ctx, tx, j.OrganizationID, o.from, o.usage)
	})
	if err != nil {
		return err
	}
	out.Wake(s.hub)
	result := resultReady
	if o.result == nil {
		result = resultFailed
	}
	analyses.WithLabelValues(result).Inc()
	return nil
}

// store writes the end of an analysis to its row and to its call.
func (s *Service) store(ctx context.Context, tx pgx.Tx, j job, o outcome) error {
	a, err := addUsage(ctx, tx, j, o)
	if err != nil {
		return err
	}
	// The keys of patch replace those of the call's analysis.
	status, patch := conversation.Ready, map[string]any{"error": nil}
	if o.result == nil {
		status, patch["error"] = conversation.Failed, o.reason
	} else {
		text, err := json.Marshal(o.result)
		if err == nil {
			err = json.Unmarshal(text, &patch)
		}
		if err != nil {
			return fmt.Errorf("encode the result of analysis %s: %w", j.AnalysisID, err)
		}
		patch["method"], patch["usage"] = call.ByModel, a.usage()
	}
	patch["status"] = status
	batch := &pgx.Batch{}
	batch.Queue(`
		update call_analysis set status = @status, result = @result, error = @error, finished_at = clock()
		where organization_id = @organization_id and id = @id`, pgx.NamedArgs{
		"status": status, "result": o.result, "error": postgres.OrNull(o.reason), "id": j.AnalysisID,
		"organization_id": j.OrganizationID,
	})
	batch.Queue(`
		update call set analysis = analysis || @patch::jsonb
		where organization_id = @organization_id and id = @id and analysis is not null`, pgx.NamedArgs{
		"patch": patch, "organization_id": j.OrganizationID, "id": j.CallID,
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store analysis %s: %w", j.AnalysisID, err)
	}
	return nil
}

// count adds what a try used whose analysis has not ended.
func (s *Service) count(ctx context.Context, j job, o outcome) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := addUsage(ctx, tx, j, o); err != nil {
			return err
		}
		return connection.Spend(ctx, tx, j.OrganizationID, o.from, o.usage)
	})
}

// addUsage adds what a try used to its analysis, and returns the analysis. The cost counts all tries at the prices of
// the last one.
func addUsage(ctx context.Context, tx pgx.Tx, j job, o outcome) (Analysis, error) {
	a, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Analysis], `
		update call_analysis y set
			model = coalesce(@model, y.model), input_tokens = y.input_tokens + @input,
			cached_tokens = y.cached_tokens + @cached, output_tokens = y.output_tokens + @output,
			estimated = y.estimated or @estimated
		where y.organization_id = @organization_id and y.id = @id
		returning `+columns, pgx.NamedArgs{
		"model": postgres.OrNull(o.name), "input": o.usage.Input, "cached": o.usage.Cached, "output": o.usage.Output,
		"estimated": o.usage.Estimated, "organization_id": j.OrganizationID, "id": j.AnalysisID,
	})
	if err != nil {
		return a, fmt.Errorf("count the tokens of analysis %s: %w", j.AnalysisID, err)
	}
	all := model.Usage{Input: a.InputTokens, Cached: a.CachedTokens, Output: a.OutputTokens}
	amount, known := o.from.Price().Of(all)
	if !known {
		return a, nil
	}
	a.Cost, a.CostCurrency = &amount, &o.from.Currency
	_, err = tx.Exec(ctx, `
		update call_analysis set cost = @cost::numeric, cost_currency = @currency
		where organization_id = @organization_id and id = @id`, pgx.NamedArgs{
		"cost": amount, "currency": o.from.Currency, "organization_id": j.OrganizationID, "id": j.AnalysisID,
	})
	if err != nil {
		return a, fmt.Errorf("store the cost of analysis %s: %w", j.AnalysisID, err)
	}
	return a, nil
}
