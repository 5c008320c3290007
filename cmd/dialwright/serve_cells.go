package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/loop"
)

const (
	// directoryLook is how often a process looks for new cells, and tries again those that it could not open.
	directoryLook = 5 * time.Second

	// openTime is how long the start waits for cells. One that takes longer is served when it is open.
	openTime = 20 * time.Second
)

// openCells opens the cells of the directory. One that is away does not keep the server from serving the others.
func (s *server) openCells(ctx context.Context) error {
	vault, err := openVault(s.p)
	if err != nil {
		return err
	}
	if s.directory, err = cell.OpenDirectory(ctx, s.p.DirectoryURL, vault, s.p.Migrate); err != nil {
		return err
	}
	s.router = cell.NewRouter(cell.RouterOptions{
		PublicURL: s.publicURL(), Vault: vault, TrustedProxies: s.p.TrustedProxies, Log: s.log,
	})
	s.opening = map[int]bool{}
	cells, err := s.directory.Cells(ctx)
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return errNoCell
	}
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		s.openMissing(ctx, cells).Wait()
	}()
	select {
	case <-opened:
	case <-time.After(openTime):
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// watchCells opens what the directory lists until ctx ends.
func (s *server) watchCells(ctx context.Context) {
	for loop.Sleep(ctx, directoryLook) {
		cells, err := s.directory.Cells(ctx)
		if err != nil { // the cells go on without their directory
			if ctx.Err() == nil {
				s.log.Warn("could not read the directory of cells", "error", err)
			}
			continue
		}
		s.openMissing(ctx, cells)
	}
}

// openMissing begins to open the cells that this process does not serve yet.
func (s *server) openMissing(ctx context.Context, cells []cell.Cell) *sync.WaitGroup {
	s.mu.Lock()
	defer s.mu.Unlock()
	served := map[int]bool{}
	for _, in := range s.instances {
		served[in.db.cell.Number] = true
	}
	var began sync.WaitGroup
	s.unopened = nil
	for _, c := range cells {
		if served[c.Number] {
			continue
		}
		s.unopened = append(s.unopened, c.Number)
		if s.opening[c.Number] {
			continue
		}
		s.opening[c.Number] = true
		began.Go(func() { s.openOne(ctx, c) })
	}
	s.tellRouter()
	return &began
}

// openOne opens a cell and serves it.
func (s *server) openOne(ctx context.Context, c cell.Cell) {
	db, err := openCell(ctx, s.p, s.directory, s.directory.Vault(), c)
	if err == nil {
		err = s.open(ctx, db)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.opening, c.Number)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("a cell is not available", "cell", c.Number, "error", err)
		}
		return
	}
	s.unopened = slices.DeleteFunc(s.unopened, func(n int) bool { return n == c.Number })
	s.tellRouter()
}

// tellRouter tells the router what this process serves. The caller has the lock.
func (s *server) tellRouter() {
	sites := make([]cell.Site, len(s.instances))
	for i, in := range s.instances {
		sites[i] = cell.Site{
			Number:  in.db.cell.Number,
			Handler: in.surfaces,
			Ready:   in.Ready,
			HasPeople: func(ctx context.Context) (bool, error) {
				needed, err := in.Accounts.SetupNeeded(ctx)
				return !needed, err
			},
			KnowsKey:        in.Accounts.KnowsKey,
			KnowsEmail:      in.Accounts.KnowsEmail,
			KnowsConnection: in.Accounts.KnowsConnection,
		}
	}
	s.router.Serve(sites, slices.Clone(s.unopened))
}
