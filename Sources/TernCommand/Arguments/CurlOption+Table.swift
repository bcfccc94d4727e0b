// SPDX-License-Identifier: Apache-2.0

extension CurlOption {
    /// Every option of curl 8 that no command declares, by what becomes of it; `=` marks those that take a value.
    static let table: [(meaning: Meaning, names: String)] = Self.accepted + Self.refused + Self.foreign

    /// Options that ask for something that is done anyway, or that has another name.
    private static let accepted: [(meaning: Meaning, names: String)] = [
        (
            .words([]),
            """
            N:no-buffer http1.1 #:progress-bar g:globoff retry-connrefused tcp-nodelay styled-output no-styled-output
            keepalive keepalive-time= no-npn no-alpn 1:tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 ssl-reqd ssl fail-early
            proxy-anyauth p:proxytunnel suppress-connect-headers no-sessionid form-escape happy-eyeballs-timeout-ms=
            """
        ),
        (.words(["--quiet"]), "no-progress-meter"),
        (.words(["--proxy=socks5://%"]), "socks5= socks5-hostname="),
    ]

    /// Options that ask for something that is done in another way, or not at all.
    private static let refused: [(meaning: Meaning, names: String)] = [
        (
            .refused("HTTP/1.1 is all that tern-cli speaks; --http1.1 is accepted"),
            "0:http1.0 http0.9 http2 http2-prior-knowledge http3 http3-only proxy-http2 proxy1.0= haproxy-protocol"
                + " haproxy-clientip= alt-svc="
        ),
        (.refused("use Basic, Digest (--digest) or Bearer (--bearer)"), "ntlm ntlm-wb negotiate krb= delegation="),
        (.refused("sign the request in a program, with RequestSigner"), "aws-sigv4="),
        (
            .refused("put user and password into the URL of the proxy: -x http://name:password@host:port"),
            """
            U:proxy-user= proxy-basic proxy-digest proxy-ntlm proxy-negotiate socks5-basic socks5-gssapi
            socks5-gssapi-nec socks5-gssapi-service= proxy-service-name= service-name=
            """
        ),
        (.refused("use -x with http://, https:// or socks5://"), "socks4= socks4a= preproxy="),
        (
            .refused("the proxy is trusted as servers are: use --cacert, --cert or -k"),
            """
            proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-insecure
            proxy-key= proxy-key-type= proxy-pass= proxy-pinnedpubkey= proxy-ssl-allow-beast proxy-tls13-ciphers=
            proxy-ssl-auto-client-cert proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-ca-native
            """
        ),
        (.refused("a proxy is sent the fields of -H, and those that it needs"), "proxy-header="),
        (.refused("use --cacert with one file of PEM certificates"), "capath= ca-native dump-ca-embed"),
        (.refused("TLS 1.2 is the oldest version that is used; --tlsv1.3 and --tls-max choose"), "2:sslv2 3:sslv3"),
        (
            .refused("the type follows the name: .p12 and .pfx are PKCS#12, anything else is PEM"),
            "cert-type= key-type="
        ),
        (
            .refused("the cipher suites cannot be chosen; --tlsv1.3 and --tls-max choose the version"),
            "ciphers= tls13-ciphers= curves= signature-algorithms= tls-earlydata ech="
        ),
        (
            .refused("whether a certificate was revoked is not asked; --pin names the keys to accept"),
            "crlfile= cert-status ssl-no-revoke ssl-revoke-best-effort"
        ),
        (
            .refused("TLS is set up by --cacert, --cert, --key, --pass, --pin, --tlsv1.3, --tls-max and -k alone"),
            """
            egd-file= engine= random-file= false-start ssl-allow-beast ssl-auto-client-cert tlsauthtype= tlspassword=
            tlsuser= ssl-sessions=
            """
        ),
        (.refused("use --resolve host:port:address, or --connect-to"), "4:ipv4 6:ipv6 dns-interface= dns-ipv4-addr="),
        (
            .refused("names are looked up by the system; --resolve host:port:address replaces its answer"),
            "dns-ipv6-addr= dns-servers= doh-url= doh-cert-status doh-insecure"
        ),
        (
            .refused("the system chooses the way and the port; --unix-socket and --connect-to choose the other end"),
            "interface= local-port= abstract-unix-socket= tcp-fastopen mptcp ip-tos= vlan-priority= no-keepalive"
                + " keepalive-cnt="
        ),
        (
            .refused("credentials and cookies stay with their server; call the other one by its own URL, with -u"),
            "location-trusted"
        ),
        (
            .refused("a redirected POST becomes GET after 301, 302 and 303; call the new URL itself to send it again"),
            "post301 post302 post303 follow"
        ),
        (
            .refused("http and https are all that is spoken, and no redirect leads from https to http"),
            "proto= proto-redir= proto-default= disallow-username-in-url"
        ),
        (.refused("run one command for each URL; xargs -P runs several at once"), "Z:parallel parallel-immediate"),
        (.refused("run one command for each URL"), ":next parallel-max= rate= remote-name-all parallel-max-host="),
        (.refused("options are typed; a file of requests is for 'tern-cli run'"), "K:config= disable variable="),
        (.refused("-v shows what goes out and comes in, --timing when"), "trace= trace-ascii= trace-time trace-ids"),
        (.refused("-v shows what goes out and comes in, --timing when"), "trace-config= libcurl="),
        (.refused("use 2>file"), "stderr="),
        (
            .refused("a limit of time for the whole call is set by -m; nothing limits the speed"),
            "limit-rate= Y:speed-limit= y:speed-time="
        ),
        (.refused("-m limits the whole call, retries included"), "retry-max-time="),
        (
            .refused("--retry tries again what another attempt may mend; a loop in the shell tries again anything"),
            "retry-all-errors"
        ),
        (
            .refused("the limit is one second, after which the body is sent; -H 'Expect:' does not wait"),
            "expect100-timeout="
        ),
        (.refused("use --cache folder, which asks with the stored ETag"), "etag-compare= etag-save="),
        (.refused("use -H 'If-Modified-Since: date', or --cache folder"), "z:time-cond="),
        (.refused("strict transport is a setting of the library"), "hsts="),
        (.refused("what the URL says is asked for; the path is not tidied"), "path-as-is request-target="),
        (.refused("put it into the URL, or use -G with -d or --data-urlencode"), "url-query="),
        (.refused("the length of a body is what the server says"), "ignore-content-length"),
        (.refused("-H 'Accept-Encoding: identity' gets the content as it is stored"), "raw tr-encoding"),
        (.refused("the file keeps the time at which it was written"), "R:remote-time xattr"),
        (
            .refused("'tern-cli download' replaces a file only with --force, and leaves nothing of a call that failed"),
            "no-clobber clobber remove-on-error skip-existing"
        ),
        (.refused("the mask of the shell (umask) says who may read a file"), "create-file-mode="),
        (.refused("-n takes ~/.netrc; a file that may be missing is not supported"), "netrc-optional"),
        (.refused("bodies are sent as they are; convert the file before"), "crlf B:use-ascii"),
        (.refused("--help shows everything"), "M:manual"),
    ]

    /// They are for protocols that are not spoken.
    private static let foreign: [(meaning: Meaning, names: String)] = [
        (
            .refused("it is not for HTTP, and tern-cli speaks HTTP and WebSocket alone"),
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
