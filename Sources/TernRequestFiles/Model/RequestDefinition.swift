// SPDX-License-Identifier: Apache-2.0

/// A request as an `.http` file describes it, with its parameters.
package struct RequestDefinition: Hashable, Sendable {
    /// The name in `@name`.
    package internal(set) var name: String?
    /// The text after `###`.
    package internal(set) var title: String?
    package internal(set) var documentation: [String] = []
    /// The position of the request line.
    package internal(set) var position: TextPosition
    package internal(set) var method = "GET"
    package internal(set) var server = Server.address("")
    /// The address with the variables in its host, whose values ``server`` contains for generated code; `nil` without them.
    package internal(set) var addressTemplate: Template?
    /// The path and the query, as written, which begin with a slash or a question mark, or are empty.
    package internal(set) var target = Template()
    /// The fields, in the order of the file; a `Content-Type` without variables is in ``contentType`` if there is a body.
    package internal(set) var fields: [FieldDefinition] = []
    package internal(set) var signIn: SignInDefinition?
    package internal(set) var body: BodyDefinition?
    /// Whether the body is a file in which other editors replace variables: `<@ ./file`.
    package internal(set) var sendsFileWithVariables = false
    /// The media type of the body, as written; `nil` without a body, and if `Content-Type` is missing or has variables.
    package internal(set) var contentType: String?
    /// The parameters: first those with `@param`, in the order of the file, then the others, in the order in which they occur.
    package internal(set) var parameters: [Parameter] = []
    package internal(set) var result = ResultKind.data
    /// The rule in `@until` that recognizes the last event.
    package internal(set) var finalEvent: FinalEventRule?
    /// Whether the client follows redirects, which `@no-redirect` turns off.
    package internal(set) var followsRedirects = true

    package internal(set) var warnings: [Diagnostic] = []

    package var isWebSocket: Bool { self.result == .webSocket }

    package var sendsFile: Bool {
        if case .file? = self.body { true } else { false }
    }

    /// The URL on one line, as written, except that ``Server/address(_:)`` contains the values of variables in the host.
    package var urlText: String {
        let server =
            switch self.server {
            case .address(let text): text
            case .variable(let name): "{{\(name)}}"
            case .template(let template): template.text { "{{\($0)}}" }
            }
        return server + self.target.text { "{{\($0)}}" }
    }

    /// Whether `@disabled` switches the request off, as in other editors.
    package internal(set) var isDisabled = false

    /// Each occurrence of each variable, in the order of the file.
    var uses: [VariableUse] = []
    var positionOfName: TextPosition?
    var namePosition: (name: String, position: TextPosition)? {
        self.name.map { ($0, self.positionOfName ?? self.position) }
    }

    package enum Server: Hashable, Sendable {
        /// The address, in which values have replaced the variables.
        case address(String)
        /// The name of a variable whose value is the address.
        case variable(String)
        /// An address with variables, which get their values when the request is sent.
        case template(Template)
    }

    /// The kind of result that a request has.
    package enum ResultKind: Hashable, Sendable {
        case data
        case void
        case lines
        case webSocket
        case value(TypeName)
        case events
        /// Events; after a response has ended, the client may connect again, as the policy says.
        case reconnectingEvents
        case decodedEvents(TypeName)
        /// The decoded records of the response, such as its lines of JSON.
        case decodedRecords(TypeName)

        /// Whether the result may have a last event.
        package var isEvents: Bool {
            switch self {
            case .events, .reconnectingEvents, .decodedEvents: true
            case .data, .void, .lines, .webSocket, .value, .decodedRecords: false
            }
        }
    }

    package enum FinalEventRule: Hashable, Sendable {
        case data(String)
        case event([String])
    }
}

package struct FieldDefinition: Hashable, Sendable {
    /// The name, as written, which is a token.
    package let name: String
    /// The value, without white space around it.
    package internal(set) var value: Template

    var isContentType: Bool { self.name.lowercased() == "content-type" }
}

/// The body of a request.
package enum BodyDefinition: Hashable, Sendable {
    /// JSON, perhaps with variables inside strings or as values.
    case json(Template)
    /// The items of a form, without percent-encoding.
    case form([FormItem])
    /// Text; it contains variables only if its media type is `text/plain`, or a ``MediaText`` in a request that is sent.
    case text(Template)
    /// The content of a file, with its path as written.
    case file(String)
    /// The parts of a body of type `multipart/form-data`, only in requests that are sent.
    case multipart([PartDefinition])

    package struct FormItem: Hashable, Sendable {
        package let name: Template
        package let value: Template
    }
}
