#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue in go test, with the caches of build.sh.
set -eu
cd "$(dirname "$0")"
export GOCACHE="$1/cache" GOPATH="$1/path" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOWORK=off
FRNG_FOUND=$2 exec go test -count=1 -v -vet=off -run TestFindings .
