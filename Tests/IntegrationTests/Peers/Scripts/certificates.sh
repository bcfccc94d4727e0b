#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Creates good and bad certificates in the current folder. The tests run the script every time, so no certificate in the
# repository can expire.
set -eu
export OPENSSL_CONF=/dev/null # ignore the system's configuration

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

# root NAME: a certificate authority.
root() {
    key "$1"
    cat >"$1.conf" <<END
[req]
distinguished_name = name
x509_extensions = extensions
[name]
[extensions]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
END
    openssl req -x509 -new -config "$1.conf" -key "$1.key" -subj "/CN=Tern test $1" -days 7 -out "$1.pem"
}

# leaf NAME START END ALTERNATIVE-NAMES: a server's certificate, signed by the root.
leaf() {
    key "$1"
    cat >"$1.conf" <<END
[req]
distinguished_name = name
[ca]
default_ca = authority
[authority]
database = $1.index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = name
x509_extensions = extensions
[name]
commonName = supplied
[extensions]
basicConstraints = CA:false
extendedKeyUsage = serverAuth
subjectAltName = $4
END
    : >"$1.index"
    openssl req -new -config "$1.conf" -key "$1.key" -subj "/CN=Tern test $1" -out "$1.csr"
    openssl ca -batch -notext -config "$1.conf" -cert root.pem -keyfile root.key -startdate "$2" -enddate "$3" \
        -in "$1.csr" -out "$1.pem"
}

long_ago=20200101000000Z
ago=20200201000000Z
far=20491231235959Z
loopback=DNS:localhost,IP:127.0.0.1,IP:::1

{
    root root
    root stranger
    leaf good "$long_ago" "$far" "$loopback"
    leaf expired "$long_ago" "$ago" "$loopback"
    leaf early 20480101000000Z "$far" "$loopback"
    leaf wrong-host "$long_ago" "$far" DNS:elsewhere.example,IP:127.0.0.9
    leaf shared "$long_ago" "$far" DNS:one.tern.test,DNS:two.tern.test
    leaf two "$long_ago" "$far" DNS:two.tern.test
    key self-signed
    openssl req -x509 -new -config good.conf -key self-signed.key -subj /CN=localhost -addext "subjectAltName=$loopback" \
        -days 7 -out self-signed.pem
} >certificates.log 2>&1 || {
    cat certificates.log >&2
    exit 1
}
