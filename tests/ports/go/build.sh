#!/bin/sh
# build.sh OUT: build OUT/queue, OUT/suite and OUT/tested, and keep what Go caches there. 77: Go is missing.
set -eu
cd "$(dirname "$0")"
command -v go >/dev/null || { echo "go is not installed"; exit 77; }
export GOCACHE="$1/cache" GOPATH="$1/path" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOWORK=off
(cd ../../../frng/go && go build -o "$1/queue" ./queue)
go build -o "$1/suite" .
go test -c -vet=off -o "$1/tested" .
