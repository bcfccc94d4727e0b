// SPDX-License-Identifier: Apache-2.0

/// A request as an `.http` file describes it, with its parameters.
package struct RequestDefinition: Hashable, Sendable {
    /// The name in `@name`; `nil` if the request has no name.
    package internal(set) var name: String?
    /// The text after `###`; `nil` if there is none.
    package internal(set) var title: String?
    /// The comments before the request, one string for each line.
    package internal(set) var documentation: [String] = []
    /// The position of the request line.
    package internal(set) var position: TextPosition
    /// The method, such as `GET`.
    package internal(set) var method = "GET"
    /// The scheme, the host and the port.
    package internal(set) var server = Server.address("")
    /// The address with the variables in its host; `nil` if ``server`` has the address without changes.
    ///
    /// Generated code contains the values of these variables. A request that is sent may have other values.
    package internal(set) var addressTemplate: Template?
    /// The path and the query, as written.
    ///
    /// Begins with a slash or a question mark, or is empty.
    package internal(set) var target = Template()
    /// The fields, in the order of the file.
    ///
    /// If the request has a body, they do not include a `Content-Type` without variables; see ``contentType``.
    package internal(set) var fields: [FieldDefinition] = []
    /// The user and the password to sign in with; `nil` if the file gives none.
    package internal(set) var signIn: SignInDefinition?
    /// The body; `nil` if there is none.
    package internal(set) var body: BodyDefinition?
    /// Whether the body is a file in which other editors replace variables, written as `<@ ./file`.
    package internal(set) var sendsFileWithVariables = false
    /// The media type of the body, as written; `nil` without a body, or if `Content-Type` is missing or has variables.
    package internal(set) var contentType: String?
    /// The parameters of the request: first those with `@param`, in the order of the file, then the others, in the
    /// order in which they occur.
    package internal(set) var parameters: [Parameter] = []
    /// The result of the request.
    package internal(set) var result = ResultKind.data
    /// The rule in `@until` that recognizes the last event; `nil` if there is none.
    package internal(set) var finalEvent: FinalEventRule?
    /// Whether the client follows redirects.
    ///
    /// Defaults to `true`; `@no-redirect` turns it off.
    package internal(set) var followsRedirects = true

    /// The warnings about the lines of the request.
    package internal(set) var warnings: [Diagnostic] = []

    /// Whether the request opens a WebSocket.
    package var isWebSocket: Bool { self.result == .webSocket }

    /// Whether the body is the content of a file.
    package var sendsFile: Bool {
        if case .file? = self.body { true } else { false }
    }

    /// The URL on one line, as written in the file; only variables in the host are replaced by their values.
    package var urlText: String {
        let server =
            switch self.server {
            case .address(let text): text
            case .variable(let name): "{{\(name)}}"
            case .template(let template): template.text { "{{\($0)}}" }
            }
        return server + self.target.text { "{{\($0)}}" }
    }

    /// Whether the author has switched the request off with `@disabled`, as other editors allow.
    package internal(set) var isDisabled = false

    /// Each occurrence of each variable, in the order of the file.
    var uses: [VariableUse] = []
    /// The position of the name; `nil` if the request has no name.
    var positionOfName: TextPosition?
    /// The name and its position.
    var namePosition: (name: String, position: TextPosition)? {
        self.name.map { ($0, self.positionOfName ?? self.position) }
    }

    /// The scheme, the host and the port of a request.
    package enum Server: Hashable, Sendable {
        /// The address, such as `https://example.com`, with variables in the host replaced by their values.
        case address(String)
        /// The name of the variable of the file whose value is the address.
        case variable(String)
        /// An address with variables whose values are known only when the request is sent; see ``ServerAddress``.
        ///
        /// Only requests that are sent have such an address.
        case template(Template)
    }

    /// The kind of result that a request has.
    package enum ResultKind: Hashable, Sendable {
        /// The bytes of the response body, unchanged.
        case data
        /// No result.
        case void
        /// The lines of the response body as they arrive.
        case lines
        /// An open WebSocket.
        case webSocket
        /// A value that is decoded from the response body.
        case value(TypeName)
        /// The server-sent events of the response, as they arrive.
        case events
        /// The server-sent events of several responses: the client sends the request again when a response ends.
        case reconnectingEvents
        /// The decoded data of the server-sent events of the response, as they arrive.
        case decodedEvents(TypeName)
        /// The decoded records of the response, such as its lines of JSON, as they arrive.
        case decodedRecords(TypeName)

        /// Whether the result consists of server-sent events, which may have a last event.
        package var isEvents: Bool {
            switch self {
            case .events, .reconnectingEvents, .decodedEvents: true
            case .data, .void, .lines, .webSocket, .value, .decodedRecords: false
            }
        }
    }

    /// A rule that recognizes the last event of a stream.
    package enum FinalEventRule: Hashable, Sendable {
        /// The event with this data.
        case data(String)
        /// An event of one of these types.
        case event([String])
    }
}

/// A field of a request.
package struct FieldDefinition: Hashable, Sendable {
    /// The name, as written, which is a token.
    package let name: String
    /// The value, without white space around it.
    package internal(set) var value: Template

    var isContentType: Bool { self.name.lowercased() == "content-type" }
}

/// The body of a request.
package enum BodyDefinition: Hashable, Sendable {
    /// JSON, with variables inside strings or as values.
    case json(Template)
    /// The items of a form. Characters that are percent-encoded in the file are decoded in the items.
    case form([FormItem])
    /// Text; it contains variables only if its media type is `text/plain`.
    case text(Template)
    /// The content of a file, with its path as written.
    case file(String)
    /// The parts of a form with files.
    ///
    /// Only requests that are sent have such a body.
    case multipart([PartDefinition])

    /// An item of a form: a name and a value.
    package struct FormItem: Hashable, Sendable {
        /// The name.
        package let name: Template
        /// The value.
        package let value: Template
    }
}
