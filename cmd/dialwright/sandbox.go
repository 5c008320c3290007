package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	sample "github.com/dialwright/dialwright/internal/demo"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	model "github.com/dialwright/dialwright/internal/model/sandbox"
)

// The paths of the sandbox's WhatsApp operator and of its model server. All other paths of the sandbox belong to the
// phone network.
const (
	whatsappPath = "/whatsapp"
	modelPath    = "/model"
)

// box is the sandbox: a phone network, a WhatsApp operator and a stand-in for language models behind one address. The
// token of the sandbox is also the token of every WhatsApp account. The token of each account of the phone network is
// derived from it. The models need none.
type box struct {
	network  *sandbox.Network
	operator *whatsapp.Operator
	server   *http.Server
}

func openBox(listener net.Listener, token string, speed float64, log *slog.Logger) *box {
	b := &box{
		network:  sandbox.New(sandbox.Options{Token: token, Speed: speed, Log: log}),
		operator: whatsapp.New(whatsapp.Options{Token: token, Speed: speed, Log: log}),
	}
	mux := http.NewServeMux()
	mux.Handle("/", b.network)
	mux.HandleFunc(sample.ReceiverPath, sample.Receive)
	mux.Handle(whatsappPath+"/", http.StripPrefix(whatsappPath, b.operator))
	mux.Handle(modelPath+"/", http.StripPrefix(modelPath, model.New(model.Options{Speed: speed})))
	b.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := b.server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Error("the sandbox has stopped", "error", err)
		}
	}()
	return b
}

// leave drops every call and message, as a power failure does.
func (b *box) leave() {
	b.network.Close()
	b.operator.Close()
}

func (b *box) close() {
	b.leave()
	b.server.Close()
}

// startSandbox uses the sandbox of another process, or runs a sandbox in this process on its own loopback port.
func (s *server) startSandbox() error {
	if s.p.SandboxURL != "" {
		s.sandboxURL, s.sandboxToken = s.p.SandboxURL, s.p.SandboxToken
		return nil
	}
	if !s.p.Sandbox {
		return nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the sandbox: %w", err)
	}
	s.sandboxURL, s.sandboxToken = "http://"+listener.Addr().String(), sandboxToken(s.p.MasterKeys)
	s.sandbox = openBox(listener, s.sandboxToken, s.p.SandboxSpeed, s.log)
	return nil
}

// sandboxWhatsApp reports whether messages go to the sandbox's operator, whose token this process knows.
func (s *server) sandboxWhatsApp() bool {
	return s.p.WhatsApp && s.p.WhatsAppURL == "" && s.sandboxURL != ""
}

// sandboxToken returns the token of the sandbox in this process. It is the same after a restart and in every process
// of an installation, because connections to the WhatsApp operator store it, sealed, in the database.
func sandboxToken(masterKeys []string) string {
	mac := hmac.New(sha256.New, []byte(masterKeys[0]))
	mac.Write([]byte("dialwright sandbox token"))
	return hex.EncodeToString(mac.Sum(nil))
}

// runSandbox runs the sandbox as a separate process. It keeps its record of the servers' requests even if the servers
// fail.
func runSandbox(ctx context.Context, p *process) error {
	token := p.SandboxToken
	if token == "" {
		token = rand.Text()
		fmt.Fprintf(p.stdout, "export DIALWRIGHT_SANDBOX_TOKEN=%s\n", token)
	}
	listener, err := listen(p.Addr)
	if err != nil {
		return err
	}
	b := openBox(listener, token, p.SandboxSpeed, p.log())
	fmt.Fprintf(p.stdout, "The sandbox, a simulated phone network and WhatsApp, listens on http://%s\n",
		listener.Addr())
	<-ctx.Done()
	b.leave()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := b.server.Shutdown(stopping); err != nil {
		b.server.Close()
	}
	return nil
}
