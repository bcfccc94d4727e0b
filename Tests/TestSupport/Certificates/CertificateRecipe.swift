// SPDX-License-Identifier: Apache-2.0

enum CertificateRecipe {
    /// The script, which uses `openssl ca`, because in older versions of openssl no other command sets both dates.
    static let script = """
        set -eu
        export OPENSSL_CONF=/dev/null # what the system configures must not matter here
        cat >ca.conf <<'END'
        \(CertificateRecipe.settings)
        END
        : >index
        \(CertificateRecipe.functions)
        \(CertificateRecipe.authorities)
        \(CertificateRecipe.servers)
        \(CertificateRecipe.clients)
        """

    private static let settings = """
        [req]
        distinguished_name = name
        [ca]
        default_ca = authority
        [authority]
        database = index
        new_certs_dir = .
        rand_serial = yes
        default_md = sha256
        policy = name
        unique_subject = no
        [name]
        commonName = supplied
        [root]
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [intermediate]
        basicConstraints = critical, CA:true, pathlen:0
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [limited]
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        nameConstraints = critical, permitted;DNS:tern.test
        [clients-only]
        basicConstraints = critical, CA:true
        extendedKeyUsage = clientAuth
        [not-signing]
        basicConstraints = critical, CA:true
        keyUsage = critical, digitalSignature
        [unknown-above]
        basicConstraints = critical, CA:true
        1.3.6.1.4.1.32473.1 = critical, ASN1:UTF8String:unknown
        [server]
        basicConstraints = CA:false
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
        [address-only]
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = IP:127.0.0.1, IP:::1
        [wildcard]
        basicConstraints = CA:false
        subjectAltName = DNS:*.Tern.test, DNS:*.com, DNS:a*.part.tern.test, DNS:xn--bcher-kva.tern.test
        [wrong-host]
        basicConstraints = CA:false
        subjectAltName = DNS:elsewhere.example, IP:127.0.0.9
        [wrong-usage]
        basicConstraints = CA:false
        extendedKeyUsage = clientAuth
        subjectAltName = DNS:localhost
        [no-alternative-name]
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        [unknown-extension]
        basicConstraints = CA:false
        subjectAltName = DNS:localhost
        1.3.6.1.4.1.32473.1 = critical, ASN1:UTF8String:unknown
        [client]
        basicConstraints = CA:false
        extendedKeyUsage = clientAuth
        """

    private static let functions = """
        key() {
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"
            openssl req -new -config ca.conf -key "$1.key" -subj "/CN=$1" -out "$1.csr"
        }
        # key_of NAME ALGORITHM [OPTION...]
        key_of() {
            name=$1 algorithm=$2
            shift 2
            openssl genpkey -algorithm "$algorithm" "$@" -out "$name.key"
            openssl req -new -config ca.conf -key "$name.key" -subj "/CN=$name" -out "$name.csr"
        }
        start=20200101000000Z
        end=20491231235959Z
        # sign NAME REQUEST COMMON-NAME OPTION...
        sign() {
            name=$1 request=$2 common_name=$3
            shift 3
            openssl ca -batch -notext -config ca.conf -startdate "$start" -enddate "$end" -subj "/CN=$common_name" \\
                -in "$request.csr" -out "$name.pem" "$@"
        }
        # issue NAME REQUEST COMMON-NAME SECTION SIGNER SIGNER'S-KEY [OPTION...]
        issue() {
            section=$4 signer=$5 signing_key=$6
            extras="$7"
            # shellcheck disable=SC2086
            sign "$1" "$2" "$3" -extensions "$section" -cert "$signer.pem" -keyfile "$signing_key.key" $extras
        }
        # server NAME SECTION SIGNER SIGNER'S-KEY [OPTION...]: one of the servers' certificates.
        server() { issue "$1" server localhost "$2" "$3" "$4" "${5-}"; }
        # chain NAME CERTIFICATE...
        chain() {
            name=$1
            shift
            for certificate; do cat "$certificate.pem"; done >"$name.chain.pem"
        }
        pin() {
            openssl x509 -in "$1.pem" -noout -pubkey | openssl pkey -pubin -outform der |
                openssl dgst -sha256 -binary | openssl base64 -A >"$1.pin"
        }
        """

    private static let authorities = """
        for name in root other intermediate server client; do key "$name"; done
        for name in rsa-root rsa; do key_of "$name" RSA -pkeyopt rsa_keygen_bits:2048; done
        key_of p521 EC -pkeyopt ec_paramgen_curve:P-521
        key_of ed25519 ED25519
        key_of ed448 ED448
        sign root root "Tern test root" -extensions root -selfsign -keyfile root.key
        sign other other "Tern test other" -extensions root -selfsign -keyfile other.key
        sign rsa-root rsa-root "Tern test RSA root" -extensions root -selfsign -keyfile rsa-root.key
        above() { issue "$1" intermediate "Tern test $1" "$2" "$3" "$4" ""; }
        above intermediate intermediate root root
        above deep root intermediate intermediate
        above limited limited root root
        above clients-only clients-only root root
        above not-signing not-signing root root
        above unknown-above unknown-above root root
        end=20200201000000Z
        above expired-intermediate intermediate root root
        end=20491231235959Z
        sign version-one intermediate "Tern test version-one" -cert root.pem -keyfile root.key
        """

    private static let servers = """
        for name in address-only wildcard wrong-host wrong-usage no-alternative-name unknown-extension; do
            server "$name" "$name" intermediate intermediate
            chain "$name" "$name" intermediate
        done
        for name in valid expired not-yet-valid wrong-host-and-expired; do
            section=server
            case $name in
            expired) end=20200201000000Z ;;
            not-yet-valid) start=20480101000000Z ;;
            wrong-host-and-expired) end=20200201000000Z section=wrong-host ;;
            esac
            server "$name" "$section" intermediate intermediate
            chain "$name" "$name" intermediate
            start=20200101000000Z end=20491231235959Z
        done
        chain incomplete-chain valid
        # around NAME SIGNER: a good certificate under an authority that is not, or not well.
        around() {
            server "$1" server "$2" intermediate
            name=$1
            shift
            chain "$name" "$name" "$@"
        }
        around expired-above expired-intermediate
        around wrong-usage-above clients-only
        around name-constraints limited
        around version-one-above version-one
        around no-certificate-signing not-signing
        around unknown-extension-above unknown-above
        around path-too-long deep intermediate
        issue another-server server "Tern test another server" server intermediate intermediate ""
        server not-an-authority server another-server server
        chain not-an-authority not-an-authority another-server intermediate
        server unknown-root server other other
        chain unknown-root unknown-root
        sign self-signed server localhost -extensions server -selfsign -keyfile server.key
        chain self-signed self-signed
        # The same key signs and serves.
        for kind in p521 ed25519; do
            issue "$kind-intermediate" "$kind" "Tern test $kind" intermediate root root ""
            issue "$kind" "$kind" localhost server "$kind-intermediate" "$kind" ""
            chain "$kind" "$kind" "$kind-intermediate"
        done
        issue ed448 ed448 localhost server intermediate intermediate ""
        chain ed448 ed448 intermediate
        issue rsa rsa localhost server rsa-root rsa-root ""
        chain rsa rsa
        server withdrawn-digest server rsa-root rsa-root "-md sha1"
        chain withdrawn-digest withdrawn-digest
        for name in valid intermediate root rsa; do pin "$name"; done
        """

    private static let clients = """
        issue client client "Tern test client" client root root ""
        issue client-stranger client "Tern test stranger" client other other ""
        openssl pkey -in client.key -aes256 -passout "pass:\(CertificateMatrix.passphrase)" -out client.encrypted.key
        openssl pkcs12 -export -in client.pem -inkey client.key -passout "pass:\(CertificateMatrix.passphrase)" -out client.p12
        """
}
