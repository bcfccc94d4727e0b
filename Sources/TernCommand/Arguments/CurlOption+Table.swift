// SPDX-License-Identifier: Apache-2.0

extension CurlOption {
    /// Every option of curl 8 that no command declares, grouped by its meaning in `tern-cli`.
    ///
    /// An equals sign marks an option that takes a value.
    static let table: [(meaning: Meaning, names: String)] = Self.accepted + Self.refused + Self.foreign

    /// Options whose effect is the default in `tern-cli`, or that have another name in `tern-cli`.
    private static let accepted: [(meaning: Meaning, names: String)] = [
        (
            .words([]),
            """
            N:no-buffer #:progress-bar g:globoff retry-connrefused tcp-nodelay styled-output no-styled-output
            keepalive keepalive-time= no-npn no-alpn 1:tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 ssl-reqd ssl fail-early
            proxy-anyauth p:proxytunnel suppress-connect-headers no-sessionid form-escape happy-eyeballs-timeout-ms=
            """
        ),
        (.words(["--quiet"]), "no-progress-meter"),
        (.words(["--proxy=socks5://%"]), "socks5= socks5-hostname="),
    ]

    /// Options that `tern-cli` rejects, because it does not support their effect, or offers it in another way.
    private static let refused: [(meaning: Meaning, names: String)] = [
        (
            .refused("tern-cli speaks HTTP/1.1 and HTTP/2; use --http1.1, --http2 or --http2-prior-knowledge"),
            "0:http1.0 http0.9 http3 http3-only proxy-http2 proxy1.0= haproxy-protocol"
                + " haproxy-clientip= alt-svc="
        ),
        (.refused("use Basic, Digest (--digest) or Bearer (--bearer)"), "ntlm ntlm-wb negotiate krb= delegation="),
        (.refused("sign requests in a program with RequestSigner"), "aws-sigv4="),
        (
            .refused("put the user and the password into the proxy URL: -x http://name:password@host:port"),
            """
            U:proxy-user= proxy-basic proxy-digest proxy-ntlm proxy-negotiate socks5-basic socks5-gssapi
            socks5-gssapi-nec socks5-gssapi-service= proxy-service-name= service-name=
            """
        ),
        (.refused("use -x with http://, https:// or socks5://"), "socks4= socks4a= preproxy="),
        (
            .refused("use --cacert or -k, which apply to proxies, too; a proxy gets no client certificate"),
            """
            proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-insecure
            proxy-key= proxy-key-type= proxy-pass= proxy-pinnedpubkey= proxy-ssl-allow-beast proxy-tls13-ciphers=
            proxy-ssl-auto-client-cert proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-ca-native
            """
        ),
        (.refused("the fields of -H go to the proxy, too, but only with http URLs"), "proxy-header="),
        (.refused("use --cacert with one file of PEM certificates"), "capath= ca-native dump-ca-embed"),
        (.refused("the oldest supported version is TLS 1.2; use --tlsv1.3 or --tls-max"), "2:sslv2 3:sslv3"),
        (
            .refused("the file name decides: .p12 and .pfx are PKCS#12, all others PEM"),
            "cert-type= key-type="
        ),
        (
            .refused("cipher suites cannot be chosen; use --tlsv1.3 or --tls-max to choose the version"),
            "ciphers= tls13-ciphers= curves= signature-algorithms= tls-earlydata ech="
        ),
        (
            .refused("revocation is not checked; use --pin to name the keys to accept"),
            "crlfile= cert-status ssl-no-revoke ssl-revoke-best-effort"
        ),
        (
            .refused("TLS options are --cacert, --cert, --key, --pass, --pin, --tlsv1.3, --tls-max and -k"),
            """
            egd-file= engine= random-file= false-start ssl-allow-beast ssl-auto-client-cert tlsauthtype= tlspassword=
            tlsuser= ssl-sessions=
            """
        ),
        (.refused("use --resolve host:port:address, or --connect-to"), "4:ipv4 6:ipv6 dns-interface= dns-ipv4-addr="),
        (
            .refused("the system looks up names; use --resolve host:port:address to override it"),
            "dns-ipv6-addr= dns-servers= doh-url= doh-cert-status doh-insecure"
        ),
        (
            .refused("the system chooses the local end; use --unix-socket or --connect-to to choose the other end"),
            "interface= local-port= abstract-unix-socket= tcp-fastopen mptcp ip-tos= vlan-priority= no-keepalive"
                + " keepalive-cnt="
        ),
        (
            .refused("credentials are only sent to their server; call the other server by its URL, with -u"),
            "location-trusted"
        ),
        (
            .refused("301, 302 and 303 turn a POST into a GET; call the new URL to send the POST again"),
            "post301 post302 post303 follow"
        ),
        (
            .refused("only http and https are supported, and no redirect from https to http is followed"),
            "proto= proto-redir= proto-default= disallow-username-in-url"
        ),
        (.refused("run one command per URL; use xargs -P to run several at once"), "Z:parallel parallel-immediate"),
        (.refused("run one command for each URL"), ":next parallel-max= rate= remote-name-all parallel-max-host="),
        (.refused("type the options, or run a file of requests with 'tern-cli run'"), "K:config= disable variable="),
        (.refused("use -v to see what is sent and received, or --timing"), "trace= trace-ascii= trace-time trace-ids"),
        (.refused("use -v to see what is sent and received, or --timing"), "trace-config= libcurl="),
        (.refused("use 2>file"), "stderr="),
        (
            .refused("use -m to limit the time of the whole call; the speed cannot be limited"),
            "limit-rate= Y:speed-limit= y:speed-time="
        ),
        (.refused("-m limits the whole call, retries included"), "retry-max-time="),
        (
            .refused("--retry repeats failures that another attempt may fix; use a shell loop to repeat any failure"),
            "retry-all-errors"
        ),
        (
            .refused("the body is sent after one second; use -H 'Expect:' to send it without waiting"),
            "expect100-timeout="
        ),
        (.refused("use --cache folder, which sends the stored ETag"), "etag-compare= etag-save="),
        (.refused("use -H 'If-Modified-Since: date', or --cache folder"), "z:time-cond="),
        (.refused("strict transport (HSTS) is only available in the library"), "hsts="),
        (.refused("the path of the URL is always sent as typed"), "path-as-is request-target="),
        (.refused("put the query into the URL, or use -G with -d or --data-urlencode"), "url-query="),
        (.refused("the server decides the length of a body"), "ignore-content-length"),
        (.refused("use -H 'Accept-Encoding: identity' to get the content as it is stored"), "raw tr-encoding"),
        (.refused("the file keeps the time at which it was written"), "R:remote-time xattr"),
        (
            .refused("use 'tern-cli download': it replaces a file only with --force, and removes incomplete files"),
            "no-clobber clobber remove-on-error skip-existing"
        ),
        (.refused("the shell's umask decides who may read the file"), "create-file-mode="),
        (.refused("use -n, which reads ~/.netrc; the file must exist"), "netrc-optional"),
        (.refused("bodies are sent unchanged; convert the file first"), "crlf B:use-ascii"),
        (.refused("use --help"), "M:manual"),
    ]

    /// Options for protocols that are not supported.
    private static let foreign: [(meaning: Meaning, names: String)] = [
        (
            .refused("it is not for HTTP, and tern-cli only speaks HTTP and WebSocket"),
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
