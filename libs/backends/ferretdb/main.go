// Serves MongoDB's protocol on a TCP address and stores the documents in PostgreSQL.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		slog.Error("usage: ferretdb <host:port> <PostgreSQL URL>")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address, postgresURL string) error {
	folder, err := os.MkdirTemp("", "ferretdb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "socket")

	server, err := ferretdb.New(&ferretdb.Config{
		Listener:      ferretdb.ListenerConfig{Unix: socket},
		Logger:        slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Handler:       "postgresql",
		PostgreSQLURL: postgresURL,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, 2)
	go func() { failed <- server.Run(ctx) }()
	inserted := newGrowth()
	go func() { failed <- serveOneChangeAtATime(ctx, address, socket, inserted) }()
	go inserted.createIndexes(ctx, postgresURL)
	return <-failed
}
