package main

import (
	"context"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/reference"
)

// printOpenAPI prints the description of the API as a server with this version serves it.
func printOpenAPI(_ context.Context, p *process) error {
	published, err := reference.Publish(api.Description, p.PublicURL+"/api/v1")
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(published.JSON)
	return err
}
