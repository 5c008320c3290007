package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

// startSandbox finds the sandbox telephone network of another process, or runs
// one in this process on a loopback port of its own.
func (in *instance) startSandbox() error {
	if in.p.SandboxURL != "" {
		in.sandboxURL, in.sandboxToken = in.p.SandboxURL, in.p.SandboxToken
		return nil
	}
	if !in.p.Sandbox {
		return nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the sandbox: %w", err)
	}
	in.sandboxURL, in.sandboxToken = "http://"+listener.Addr().String(), rand.Text()
	in.sandbox = sandbox.New(sandbox.Options{AuthToken: in.sandboxToken, Speed: in.p.SandboxSpeed, Log: in.log})
	in.sandboxServer = serveSandbox(in.sandbox, listener, in.log)
	return nil
}

func serveSandbox(network *sandbox.Network, listener net.Listener, log *slog.Logger) *http.Server {
	srv := &http.Server{Handler: network, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := srv.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Error("the sandbox network has stopped", "error", err)
		}
	}()
	return srv
}

// runSandbox is the sandbox as a process of its own: the outside witness of what
// servers asked for, whatever becomes of them.
func runSandbox(ctx context.Context, p *process) error {
	token := p.SandboxToken
	if token == "" {
		token = rand.Text()
		fmt.Fprintf(p.stdout, "export DIALWRIGHT_SANDBOX_TOKEN=%s\n", token)
	}
	listener, err := net.Listen("tcp", p.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	network := sandbox.New(sandbox.Options{AuthToken: token, Speed: p.SandboxSpeed, Log: p.log()})
	srv := serveSandbox(network, listener, p.log())
	fmt.Fprintf(p.stdout, "The sandbox telephone network listens on http://%s\n", listener.Addr())
	<-ctx.Done()
	network.Close()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := srv.Shutdown(stopping); err != nil {
		srv.Close()
	}
	return nil
}
