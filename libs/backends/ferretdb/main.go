// Speaks MongoDB's protocol on one address and keeps the documents in PostgreSQL.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		slog.Error("usage: ferretdb <host:port> <PostgreSQL URL>")
		os.Exit(2)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:      ferretdb.ListenerConfig{TCP: os.Args[1]},
		Logger:        slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Handler:       "postgresql",
		PostgreSQLURL: os.Args[2],
	})
	if err != nil {
		slog.Error("cannot start", "error", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ctx); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}
