// SPDX-License-Identifier: Apache-2.0

/// A request as a file describes it, with its parameters.
package struct RequestDefinition: Hashable, Sendable {
    /// The name that `@name` gives; `nil` if it has none.
    package internal(set) var name: String?
    /// What follows `###`; `nil` if nothing does.
    package internal(set) var title: String?
    /// What the comments before the request say; a line each.
    package internal(set) var documentation: [String] = []
    /// Where the request line begins.
    package internal(set) var position: TextPosition
    /// The method, such as `GET`.
    package internal(set) var method = "GET"
    /// The scheme, the host and the port.
    package internal(set) var server = Server.address("")
    /// Path and query, as written; it begins with a slash or a question mark, or is empty.
    package internal(set) var target = Template()
    /// The fields, in order, without that of the body's media type where it has no variables.
    package internal(set) var fields: [FieldDefinition] = []
    /// What is sent; `nil` for nothing.
    package internal(set) var body: BodyDefinition?
    /// The media type of what is sent, as written; `nil` if the file does not say it.
    package internal(set) var contentType: String?
    /// What has to be known to make the request: those that `@param` describes, in order, then others as they occur.
    package internal(set) var parameters: [Parameter] = []
    /// What comes back.
    package internal(set) var result = ResultKind.data
    /// Whether redirects are followed; `@no-redirect` says that they are not.
    package internal(set) var followsRedirects = true

    /// Whether the request opens a WebSocket.
    package var isWebSocket: Bool { self.result == .webSocket }

    /// Whether the content of a file is sent.
    package var sendsFile: Bool {
        if case .file? = self.body { true } else { false }
    }

    /// The URL as the file has it, in one line.
    package var urlText: String {
        let server =
            switch self.server {
            case .address(let text): text
            case .variable(let name): "{{\(name)}}"
            }
        return server + self.target.text { "{{\($0)}}" }
    }

    /// Each place of each variable, in order.
    var uses: [VariableUse] = []

    /// Scheme, host and port of a request.
    package enum Server: Hashable, Sendable {
        /// As written, such as `https://example.com`.
        case address(String)
        /// The value of a variable of the file.
        case variable(String)
    }

    /// What a request gives.
    package enum ResultKind: Hashable, Sendable {
        /// The body as it is.
        case data
        /// Nothing but success.
        case void
        /// The lines of the body as they arrive.
        case lines
        /// An open WebSocket.
        case webSocket
        /// A value that is decoded from the body.
        case value(TypeName)
    }
}

/// A field of a request.
package struct FieldDefinition: Hashable, Sendable {
    /// The name, as written: a token.
    package let name: String
    /// The value, without white space around it.
    package let value: Template

    var isContentType: Bool { self.name.lowercased() == "content-type" }
}

/// What a request sends.
package enum BodyDefinition: Hashable, Sendable {
    /// JSON, whose variables stand within strings or for values.
    case json(Template)
    /// The items of a form; what is percent-encoded in the file is decoded here.
    case form([FormItem])
    /// Text; it has variables only where its media type is `text/plain`.
    case text(Template)
    /// The content of a file, by its path as written.
    case file(String)

    /// A name and its value.
    package struct FormItem: Hashable, Sendable {
        /// The name.
        package let name: Template
        /// The value.
        package let value: Template
    }
}
