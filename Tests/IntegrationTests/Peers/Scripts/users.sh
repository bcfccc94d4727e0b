#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the password files of a server or a proxy into the current folder: users.basic like htpasswd, and users.digest
# like htdigest. Usage: users.sh REALM [USER PASSWORD]…
set -eu
realm=$1
shift
: >users.basic
: >users.digest
while [ $# -gt 0 ]; do
    printf '%s:%s\n' "$1" "$(printf %s "$2" | openssl passwd -apr1 -stdin)" >>users.basic
    hash=$(printf '%s:%s:%s' "$1" "$realm" "$2" | openssl md5 -r | cut -c 1-32)
    printf '%s:%s:%s\n' "$1" "$realm" "$hash" >>users.digest
    shift 2
done
