#!/bin/sh
# Makes an authority and a serving certificate for an installation by hand. Needs openssl, 1.1.1 or newer. The server never runs
# this. See README.md beside it for what each file is for.
set -eu

namespace=olm
service=packageserver-service
days=365
authority_days=3650
out=

usage() {
  echo "usage: $0 --out FOLDER [--namespace $namespace] [--service $service] [--days $days]" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --out) out=$2 ;;
    --namespace) namespace=$2 ;;
    --service) service=$2 ;;
    --days) days=$2 ;;
    *) usage ;;
  esac
  shift 2
done
[ -n "$out" ] || usage

# Keys are for their owner alone, from the moment they exist.
umask 077
mkdir -p "$out"
if git -C "$out" rev-parse --is-inside-work-tree >/dev/null 2>&1 && ! git -C "$out" check-ignore -q apiserver.key; then
  echo "$0: $out is inside a git repository that would take the keys: choose another folder" >&2
  exit 2
fi

# 1. The authority: kept while it outlives the certificate to be made.
if [ -f "$out/ca.key" ] && openssl x509 -in "$out/ca.crt" -noout -checkend "$((days * 86400))" >/dev/null 2>&1; then
  echo "kept  $out/ca.crt"
else
  openssl ecparam -name prime256v1 -genkey -noout -out "$out/ca.key"
  openssl req -x509 -new -sha256 -key "$out/ca.key" -days "$authority_days" -out "$out/ca.crt" \
    -subj "/CN=$service.$namespace authority" \
    -addext "basicConstraints=critical,CA:TRUE,pathlen:0" -addext "keyUsage=critical,keyCertSign,cRLSign"
  echo "made  $out/ca.crt"
fi

# 2. The server's key and what it wants signed: every name of its Service, for servers only.
extensions=$(mktemp)
trap 'rm -f "$extensions" "$out/apiserver.csr"' EXIT
cat >"$extensions" <<END
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:$service.$namespace.svc, DNS:$service.$namespace.svc.cluster.local, DNS:$service.$namespace, DNS:$service
END
openssl ecparam -name prime256v1 -genkey -noout -out "$out/apiserver.key.new"
openssl req -new -sha256 -key "$out/apiserver.key.new" -subj "/CN=$service.$namespace.svc" -out "$out/apiserver.csr"

# 3. Signed.
openssl x509 -req -sha256 -in "$out/apiserver.csr" -CA "$out/ca.crt" -CAkey "$out/ca.key" -days "$days" \
  -set_serial "0x$(openssl rand -hex 16)" -extfile "$extensions" -out "$out/apiserver.crt.new" 2>/dev/null
mv "$out/apiserver.key.new" "$out/apiserver.key"
mv "$out/apiserver.crt.new" "$out/apiserver.crt"
openssl verify -CAfile "$out/ca.crt" -purpose sslserver "$out/apiserver.crt" >/dev/null
echo "made  $out/apiserver.crt, for $service.$namespace.svc, $days days"
