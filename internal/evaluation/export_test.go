package evaluation

import "context"

// Claim claims an attempt as a process does that dies at once.
func (s *Service) Claim(ctx context.Context) (bool, error) {
	j, err := s.claim(ctx)
	return j != nil, err
}
