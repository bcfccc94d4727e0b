// SPDX-License-Identifier: Apache-2.0

extension CurlOption {
    /// Every option of curl 8 that no command declares; an equals sign marks one that takes a value.
    static let table: [(meaning: Meaning, names: String)] = Self.accepted + Self.refused + Self.foreign

    private static let accepted: [(meaning: Meaning, names: String)] = [
        (
            .words([]),
            """
            N:no-buffer #:progress-bar g:globoff retry-connrefused tcp-nodelay styled-output no-styled-output
            keepalive keepalive-time= no-npn no-alpn 1:tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 ssl-reqd ssl fail-early
            parallel-immediate proxy-basic p:proxytunnel suppress-connect-headers no-sessionid form-escape
            happy-eyeballs-timeout-ms=
            """
        ),
        (.words(["--quiet"]), "no-progress-meter"),
        (.words(["--include"]), "show-headers"),
        (.words(["--output=/dev/null"]), "out-null"),
        (.words(["--proxy=socks5://%"]), "socks5= socks5-hostname="),
    ]

    /// Options whose effect is not supported, or achieved in another way.
    private static let refused: [(meaning: Meaning, names: String)] = [
        (
            .refused("tern-cli speaks HTTP/1.1 and HTTP/2; use --http1.1, --http2 or --http2-prior-knowledge"),
            "0:http1.0 http0.9 http3 http3-only"
        ),
        (.refused("tern-cli does not speak HTTP/1.0 to a proxy; use -x http://host:port"), "proxy1.0="),
        (.refused("tern-cli offers HTTP/2 to an https:// proxy by default; leave the option out"), "proxy-http2"),
        (.refused("tern-cli speaks HTTP/1.1 and HTTP/2 to an https:// proxy; leave the option out"), "proxy-http3"),
        (
            .refused("only a proxy sends this header to a server; send the request through that proxy, with -x"),
            "haproxy-protocol haproxy-clientip="
        ),
        (.refused("Alt-Svc fields are not followed; use --connect-to to choose another server"), "alt-svc="),
        (.refused("use Basic, Digest (--digest) or Bearer (--bearer)"), "ntlm ntlm-wb negotiate krb= delegation="),
        (
            .refused("sign the request in a Swift program, with the library's RequestSigner"),
            "aws-sigv4= httpsig-algo= httpsig-headers= httpsig-key= httpsig-keyid="
        ),
        (
            .refused("use --proxy-user name:password, with --proxy-anyauth if the proxy supports Digest"),
            """
            proxy-digest proxy-ntlm proxy-negotiate socks5-basic socks5-gssapi socks5-gssapi-nec
            socks5-gssapi-service= proxy-service-name= service-name=
            """
        ),
        (.refused("use -x with http://, https:// or socks5://"), "socks4= socks4a= preproxy="),
        (
            .refused("use --cacert or -k, which also apply to proxies; a proxy gets no client certificate"),
            """
            proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-insecure
            proxy-key= proxy-key-type= proxy-pass= proxy-pinnedpubkey= proxy-ssl-allow-beast proxy-tls13-ciphers=
            proxy-ssl-auto-client-cert proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-ca-native
            """
        ),
        (.refused("use -H, whose fields also go to the proxy if the URL begins with http://"), "proxy-header="),
        (.refused("use --cacert with one file of PEM certificates"), "capath="),
        (.refused("the certificates of the system are trusted by default; leave the option out"), "ca-native"),
        (.refused("tern-cli contains no certificates, and uses those of the system"), "dump-ca-embed"),
        (.refused("the oldest supported version is TLS 1.2; use --tlsv1.3 or --tls-max"), "2:sslv2 3:sslv3"),
        (
            .refused("the file name determines the type: .p12 and .pfx are PKCS#12, all others are PEM"),
            "cert-type= key-type="
        ),
        (
            .refused("the TLS library chooses the algorithms; use --tlsv1.3 or --tls-max to choose the version"),
            "ciphers= tls13-ciphers= curves= sigalgs= signature-algorithms="
        ),
        (.refused("the TLS library does not support this feature; leave the option out"), "tls-earlydata ech="),
        (
            .refused("revocation is not checked; use --pin to name the keys to accept"),
            "crlfile= cert-status ssl-no-revoke ssl-revoke-best-effort"
        ),
        (
            .refused("the TLS options are --cacert, --cert, --key, --pass, --pin, --tlsv1.3, --tls-max and -k"),
            """
            egd-file= engine= random-file= false-start ssl-allow-beast ssl-auto-client-cert tlsauthtype= tlspassword=
            tlsuser= ssl-sessions=
            """
        ),
        (
            .refused("the system looks up names; use --resolve host:port:address to override it"),
            "dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-url= doh-cert-status doh-insecure"
        ),
        (
            .refused("the system chooses the local address and port; change its routes instead"),
            "interface= local-port="
        ),
        (.refused("use --unix-socket with the path of a socket"), "abstract-unix-socket="),
        (
            .refused("tern-cli does not know ipfs:// and ipns://; write the gateway into the URL"),
            "ipfs-gateway="
        ),
        (
            .refused("tern-cli leaves the settings of TCP and IP to the system; change them there"),
            "tcp-fastopen mptcp ip-tos= vlan-priority= no-keepalive keepalive-cnt="
        ),
        (
            .refused("-u and --bearer apply only to the URL's server; call the other server by its URL"),
            "location-trusted"
        ),
        (
            .refused("a redirect with 301, 302 or 303 turns a POST into a GET; send the POST to the new URL"),
            "post301 post302 post303 follow"
        ),
        (
            .refused("tern-cli supports only http and https, and follows no redirect from https to http"),
            "proto= proto-redir= proto-default="
        ),
        (
            .refused("tern-cli accepts a user name in a URL; check the URL before you run tern-cli"),
            "disallow-username-in-url"
        ),
        (.refused("use --parallel-max, which limits the transfers of all hosts"), "parallel-max-host="),
        (.refused("run one command for each URL, and let the shell sleep between them"), "rate="),
        (.refused("type the options, or run a file of requests with 'tern-cli run'"), "variable="),
        (.refused("tern-cli reads no configuration file without --config; leave the option out"), "disable"),
        (
            .refused("use -v to see what is sent and received, or --timing to see when"),
            "trace= trace-ascii= trace-time trace-ids trace-config="
        ),
        (.refused("tern-cli does not generate C code; use -v to see the request"), "libcurl="),
        (.refused("redirect standard error in the shell, with 2>file"), "stderr="),
        (
            .refused("use -m to limit the time of the whole call; a call without a byte for 60 seconds ends anyway"),
            "Y:speed-limit= y:speed-time="
        ),
        (
            .refused(
                "use -m, which limits a call with all its retries; if 'download' starts again from the beginning, the "
                    + "limit starts again, too"
            ),
            "retry-max-time="
        ),
        (
            .refused("--retry applies only to failures that another attempt may fix; for others, use a shell loop"),
            "retry-all-errors"
        ),
        (
            .refused("tern-cli waits one second for 100 (Continue); -H 'Expect:' turns this wait off"),
            "expect100-timeout="
        ),
        (.refused("use --cache folder, which stores the ETag and sends it"), "etag-compare= etag-save="),
        (.refused("only the library supports strict transport (HSTS); type https:// in the URL"), "hsts="),
        (
            .refused("tern-cli never removes '.' and '..' from the path of the URL; leave the option out"),
            "path-as-is"
        ),
        (
            .refused("tern-cli sends the path and the query of the URL; write the target into the URL"),
            "request-target="
        ),
        (.refused("the server determines the length of a body; use --range to read less"), "ignore-content-length"),
        (.refused("use -H 'Accept-Encoding: identity' to get the content as it is stored"), "raw"),
        (.refused("tern-cli requests compressed content by default; leave the option out"), "tr-encoding"),
        (.refused("tern-cli does not store the URL with the file; print it with -w '%{url}'"), "xattr"),
        (
            .refused("use 'tern-cli download': it replaces a file only with --force, and removes incomplete files"),
            "no-clobber clobber remove-on-error skip-existing"
        ),
        (.refused("use the shell's umask to decide who may read the file"), "create-file-mode="),
        (.refused("use -n, which reads ~/.netrc; the file must exist"), "netrc-optional"),
        (.refused("tern-cli sends a body unchanged; convert the file first"), "crlf B:use-ascii"),
        (.refused("use --help"), "M:manual"),
    ]

    private static let foreign: [(meaning: Meaning, names: String)] = [
        (
            .refused("the option is for another protocol, and tern-cli speaks only HTTP and WebSocket"),
            """
            a:append compressed-ssh disable-eprt disable-epsv ftp-account= ftp-alternative-to-user= ftp-create-dirs
            ftp-method= ftp-pasv P:ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control
            hostpubmd5= hostpubsha256= l:list-only login-options= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails
            metalink pubkey= Q:quote= sasl-authzid= sasl-ir t:telnet-option= tftp-blksize= tftp-no-options
            upload-flags= knownhosts=
            """
        )
    ]
}
