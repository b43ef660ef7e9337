#!/usr/bin/env bash
# Builds the base and backend images from Debian, npm and Go packages. See README.md.
set -euo pipefail
cd "$(dirname "$0")"
export DOCKER_BUILDKIT=1

build() {
  docker build --quiet --file "$1.Dockerfile" --tag "$2" "${3:-.}"
}

work=$(mktemp --directory)
trap 'rm --recursive "$work"' EXIT
(cd ../../libs/backends/ferretdb && CGO_ENABLED=0 GOFLAGS=-mod=mod go build -trimpath -ldflags='-s -w' -o "$work/ferretdb" .)
cp mongo-entry.sh "$work"

build node node:24.21.0-trixie-slim
build nginx nginx:1.28.0-bookworm
build mongo mongo:8.0 "$work"
build rabbitmq rabbitmq:4.1
build valkey valkey/valkey:8.1
build azurite mcr.microsoft.com/azure-storage/azurite:3.35.0
