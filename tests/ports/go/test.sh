#!/bin/sh
# test.sh OUT: the port's tests in Go, and what gofmt and vet say, with the caches of build.sh.
set -eu
cd "$(dirname "$0")"
export GOCACHE="$1/cache" GOPATH="$1/path" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOWORK=off
unformatted=$(gofmt -l . ../../../frng/go)
[ -z "$unformatted" ] || { echo "gofmt has other wishes: $unformatted"; exit 1; }
(cd ../../../frng/go && go vet ./...)
PATH=$1/../../../driver:$PATH go test -count=1 ./runs
