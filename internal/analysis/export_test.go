package analysis

import (
	"context"
	"time"
)

// Job is a claimed analysis.
type Job = job

// Claim claims at most most analyses.
func (s *Service) Claim(ctx context.Context, most int) ([]Job, error) { return s.claim(ctx, most) }

// Work makes a claimed analysis.
func (s *Service) Work(ctx context.Context, j Job) error { return s.work(ctx, j) }

// FailOverdue ends analyses that waited for too long.
func (s *Service) FailOverdue(ctx context.Context) error { return s.failOverdue(ctx) }

// Times that tests wait for.
const (
	Lease  = lease
	GiveUp = giveUp
)

// Pauses are the pauses after failed tries.
func Pauses() []time.Duration { return pauses }
