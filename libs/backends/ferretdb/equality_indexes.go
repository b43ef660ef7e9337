package main

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// MongoDB finds the documents with a value of an indexed field by the index. FerretDB 1.24 creates the index in PostgreSQL,
// but asks by an operator for which PostgreSQL cannot use it, and so reads the whole table for each query. This creates an
// index for that operator on the first field of each index, once a table has grown: small ones are read as fast without.

// Some hundreds of documents.
const largeBytes = 1 << 20

// Statements for what lacks such an index. Fields are expressions: (_jsonb -> 'eventId'::text). CONCURRENTLY, as FerretDB
// would wait for writes that wait for the index.
const missingIndexes = `
	WITH grown AS MATERIALIZED (
		SELECT oid FROM pg_class WHERE relkind = 'r' AND pg_relation_size(oid) > $1
	), wanted AS (
		SELECT DISTINCT oid::regclass AS grown, field, 'equality_' || oid || '_' || md5(field) AS name
		FROM grown JOIN pg_index ON indrelid = oid
		CROSS JOIN LATERAL substring(pg_get_indexdef(indexrelid, 1, true) from '^\(?_jsonb -> ''(\w+)''::text\)?$') AS field
		WHERE field IS NOT NULL
	)
	SELECT
		format('CREATE INDEX CONCURRENTLY %I ON %s USING gin ((_jsonb->%L) jsonb_path_ops) WITH (fastupdate = off)', name, grown, field),
		format('ANALYZE %s', grown)
	FROM wanted WHERE NOT EXISTS (SELECT FROM pg_class WHERE relname = name)`

// Counts what is inserted, and signals when a table may have grown.
type growth struct {
	bytes   atomic.Int64
	signals chan struct{}
}

func newGrowth() *growth {
	inserted := &growth{signals: make(chan struct{}, 1)}
	// Tables may be large already.
	inserted.add(largeBytes)
	return inserted
}

func (g *growth) add(bytes int) {
	if g.bytes.Add(int64(bytes)) < largeBytes {
		return
	}
	g.bytes.Store(0)
	select {
	case g.signals <- struct{}{}:
	default:
	}
}

func (g *growth) createIndexes(ctx context.Context, postgresURL string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.signals:
		}
		// Without an index, queries only take longer: as they do where PostgreSQL is being stopped.
		if err := createMissingIndexes(ctx, postgresURL); err != nil && ctx.Err() == nil {
			slog.Warn("indexes were not created", "error", err)
		}
	}
}

func createMissingIndexes(ctx context.Context, postgresURL string) error {
	connection, err := pgx.Connect(ctx, postgresURL)
	if err != nil {
		return err
	}
	defer connection.Close(context.WithoutCancel(ctx))
	rows, err := connection.Query(ctx, missingIndexes, largeBytes)
	if err != nil {
		return err
	}
	type statements struct{ Create, Analyze string }
	missing, err := pgx.CollectRows(rows, pgx.RowToStructByPos[statements])
	if err != nil {
		return err
	}
	for _, index := range missing {
		for _, statement := range []string{index.Create, index.Analyze} {
			if _, err := connection.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}
