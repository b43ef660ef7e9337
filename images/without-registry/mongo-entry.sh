# Runs PostgreSQL and FerretDB in front of it. SIGTERM stops both; when one exits, the other is stopped.
set -euo pipefail
data=/data/db/postgres
[ -f "$data/PG_VERSION" ] || initdb --pgdata "$data" --username ferretdb --auth trust --encoding UTF8 --locale C >/dev/null
rm --force "$data/postmaster.pid"
postgres -D "$data" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 &
postgres=$!
until pg_isready --quiet --host 127.0.0.1; do sleep 0.2; done
ferretdb 0.0.0.0:27017 postgres://ferretdb@127.0.0.1:5432/postgres &
ferretdb=$!
trap 'kill -TERM $ferretdb; kill -INT $postgres' TERM INT
wait -n || true
kill -TERM $ferretdb 2>/dev/null || true
kill -INT $postgres 2>/dev/null || true
wait
