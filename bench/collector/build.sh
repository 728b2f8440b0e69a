#!/usr/bin/env bash
# bench/collector/build.sh FOLDER: builds the OpenTelemetry Collector as FOLDER/otelcol from the
# packages of Debian sid (golang-opentelemetry-collector-dev), which it unpacks below FOLDER without
# installing them: about 3 GB, one and a half minutes of processor time. Where release binaries can
# be downloaded, one of those does as well.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?folder}"
cd "$1"
mkdir -p apt/lists/partial apt/archives/partial debs root
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main' > apt/sources.list
cat > apt/apt.conf <<CONF
Dir::State::Lists "$PWD/apt/lists";
Dir::Cache "$PWD/apt";
Dir::Etc::SourceList "$PWD/apt/sources.list";
Dir::Etc::SourceParts "/nonexistent";
CONF
export APT_CONFIG=$PWD/apt/apt.conf
apt-get update -qq
go=$(apt-cache depends golang-go | sed -n 's/.*Depends: \(golang-[0-9.]*-go\)$/\1/p')
libraries=$(apt-get install -s --no-install-recommends golang-opentelemetry-collector-dev |
  awk '/^Inst golang-.*-dev /{print $2}')
(cd debs && apt-get download -qq "$go" "${go%-go}-src" $libraries)
for package in debs/*.deb; do dpkg -x "$package" root; done
program=root/usr/share/gocode/src/mcp-gen/otelcol
mkdir -p "$program"
cp "$here/main.go" "$program/main.go"
version=${go#golang-}
export GOROOT=$PWD/root/usr/lib/go-${version%-go} GOPATH=$PWD/root/usr/share/gocode
export GO111MODULE=off GOTOOLCHAIN=local GOCACHE=$PWD/cache CGO_ENABLED=0
"$GOROOT/bin/go" build -o otelcol mcp-gen/otelcol
echo "$PWD/otelcol"
