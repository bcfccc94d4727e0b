// SPDX-License-Identifier: Apache-2.0

extension CommandGrammar {
    private static let general = "h:help V:version"

    private static let connection = """
        H:header= connect-timeout= unix-socket= resolve= connect-to= 4:ipv4 6:ipv6 A:user-agent= e:referer= v:verbose
        u:user= digest basic anyauth bearer= oauth2-bearer= n:netrc netrc-file= ask
        cacert= ca= E:cert= key= pass= pin= pinnedpubkey= k:insecure tls-info tlsv1.3 tls-max= http1.1
        http2 http2-prior-knowledge
        x:proxy= U:proxy-user= proxy-anyauth no-proxy noproxy= max-redirects= max-redirs= no-redirects no-location L:location
        b:cookie= c:cookie-jar= j:junk-session-cookies cache=
        """

    /// The options that `CallOptions` declares, and `--url`, whose value becomes the URL argument.
    private static let call = """
        url= g:globoff X:request= method= m:max-time= timeout= retry= retry-delay= compressed r:range= z:time-cond= max-filesize=
        limit-rate= q:quiet s:silent S:show-error w:write-out= report= timing
        """

    private static let content = """
        d:data= data-ascii= data-raw= data-binary= data-urlencode= json= F:form= form-string= G:get url-query=
        """

    private static let get = """
        o:output= O:remote-name J:remote-header-name R:remote-time output-dir= create-dirs C:continue-at= T:upload-file=
        i:include I:head D:dump-header= f:fail fail-with-body
        fail-early Z:parallel parallel-max= remote-name-all ::next K:config=
        """

    /// As in curl, these options of `get` are for all operations of a command line.
    static let globalNames: Set<String> = [
        "fail-early", "parallel", "parallel-max", "verbose", "quiet", "silent", "show-error", "report", "timing",
    ]

    private static let webSocket = """
        subprotocol= no-compression binary limit= wait= ping= max-message-size= timeout= m:max-time= report= q:quiet
        """

    private static let run = """
        name= var= list i:include f:fail fail-with-body limit= timeout= m:max-time= retry= retry-delay= report= timing
        q:quiet s:silent S:show-error
        """

    private static let transfers = """
        directory= json report= q:quiet all completed
        url= o:output= force checksum= upload= X:request= method= protocol= part-size= restart-changed repeatable
        priority= label= forever concurrent= concurrent-per-host= retry= retry-delay=
        """

    static let commands: [String: CommandGrammar] = [
        "get": CommandGrammar(Self.general, Self.call, Self.content, Self.get, Self.connection),
        "download": CommandGrammar(
            Self.general,
            Self.call,
            Self.content,
            Self.connection,
            "o:output= force continue checksum= parallel="
        ),
        "upload": CommandGrammar(
            Self.general,
            Self.call,
            Self.connection,
            "resumable protocol= record= part-size= restart-changed"
        ),
        "lines": CommandGrammar(
            Self.general,
            Self.call,
            Self.content,
            Self.connection,
            "limit= f:fail fail-with-body"
        ),
        "events": CommandGrammar(
            Self.general,
            Self.call,
            Self.content,
            Self.connection,
            """
            limit= until-data= until-event= reconnect last-event-id= comments max-event-size= f:fail fail-with-body
            """
        ),
        "websocket": CommandGrammar(Self.general, Self.connection, Self.webSocket),
        "ws": CommandGrammar(Self.general, Self.connection, Self.webSocket),
        "run": CommandGrammar(Self.general, Self.connection, Self.run),
        "transfers": CommandGrammar(Self.general, Self.connection, Self.transfers),
    ]
}
