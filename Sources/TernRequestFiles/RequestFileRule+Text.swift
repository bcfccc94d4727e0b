// SPDX-License-Identifier: Apache-2.0

extension RequestFileRule: CustomStringConvertible {
    package var isWarning: Bool {
        switch self {
        case .otherVersion, .responseScript, .responseFile, .ignoredDirective, .environmentVariable: true
        default: false
        }
    }

    /// The problem and its solution, as a sentence without a period.
    package var description: String {
        self.textOfFile ?? self.textOfParameters ?? self.textOfRequestLine ?? self.textOfBody
    }

    private var textOfFile: String? {
        switch self {
        case .fileTooLong: "the file is longer than 1 MiB; split it into several files"
        case .notUTF8: "this text is not UTF-8; save the file as UTF-8"
        case .controlCharacter: "there is a control character here; remove it"
        case .tooMany("fields"): "the request has too many header fields; remove some"
        case .tooMany("parts"): "the body has too many parts; remove some"
        case .tooMany("parameters"): "the request has too many parameters; remove some"
        case .tooMany("levels of JSON"): "the JSON is nested too deeply; remove some levels"
        case .tooMany(let things): "the file has too many \(things); split it into several files"
        case .malformedVariable: "this line does not define a variable; write '@name = value'"
        case .duplicateVariable(let name): "the variable '\(name)' is defined twice; remove one definition"
        case .undefinedVariable(let name):
            "the variable '\(name)' is not defined before this line; write '@\(name) = …' above it"
        case .circularVariable(let name):
            "the value of the variable '\(name)' contains the variable itself; write the value"
        case .valueTooLong: "the value of this variable is longer than 8 KiB; shorten it"
        case .unclosedVariable: "'{{' has no '}}' on its line; write '{{name}}'"
        case .malformedVariableName:
            "a variable's name must be 1 to 64 ASCII letters, digits or '_', and must not begin with a digit; "
                + "write a name such as {{photoID}}"
        case .dynamicVariable:
            "Tern does not compute this value; write a parameter such as {{id}} and pass its value"
        case .environmentVariable(let name):
            "the environment variable '\(name)' is sent to the server; to give the value yourself, write {{\(name)}}, "
                + "and use --var \(name)=…"
        case .unknownDirective:
            "this directive is unknown; use @name, @param, @returns, @until, @reconnect, @access or @no-redirect"
        case .ignoredDirective(let name): "Tern does not know '\(name)', and ignores it"
        case .misplacedDirective: "directives must come before the request line; move this one up"
        case .duplicateDirective(let name): "this request has '@\(name)' twice; remove one of the two"
        case .malformedName:
            "a name must be 1 to 64 ASCII letters, digits or '_', and must not begin with a digit; "
                + "write '# @name fetchPhoto', for example"
        case .duplicateName(let name): "another request has the name '\(name)'; choose a different name"
        case .malformedAccess:
            "'@access' is not valid here; write '# @access public' or '# @access internal' before the first request"
        case .noRequest: "no request follows this line; add one, such as 'GET https://example.com', or remove the line"
        default: nil
        }
    }

    private var textOfParameters: String? {
        switch self {
        case .malformedParameter:
            "this is not a parameter; write one such as '# @param id: Int = 1 The number of the photo', "
                + "or only '# @param id'"
        case .malformedType: "this is not a type; write one such as Int, String?, Photo or [Photo], without spaces"
        case .malformedStream:
            "this is not a stream; write 'Events', or name a type, as in 'Events of Delta' or 'Values of Change'"
        case .malformedUntil:
            "this does not describe the last event; write '# @until data [DONE]' or '# @until event done'"
        case .untilNeedsEvents:
            "'@until' is only for a stream of events; write '# @returns Events', or remove '@until'"
        case .malformedReconnect: "'@reconnect' must stand alone on its line; remove this text"
        case .reconnectNeedsEvents:
            "the client connects again only for '# @returns Events'; write that, or remove '@reconnect'"
        case .duplicateParameter(let name): "the parameter '\(name)' is described twice; remove one description"
        case .unusedParameter(let name): "{{\(name)}} does not occur in this request; use it, or remove this line"
        case .parameterIsVariable(let name):
            "the parameter '\(name)' has the name of a variable of the file; rename one of the two"
        case .reservedName(let name):
            "Swift, the generated code or a variable of the file already uses the name '\(name)'; choose another name"
        case .malformedDefault:
            "this default does not fit the type; write a text, a number, true or false, or nil for an optional type"
        case .optionalNotPossible(let name):
            "the parameter '\(name)' cannot be optional here; only a whole query value or JSON value can be nil"
        case .typeNotPossible(let name):
            "the parameter '\(name)' cannot be a list or a dictionary here; change its type"
        case .typeNeeded(let name):
            "{{\(name)}} has no type; write '# @param \(name): Int', for example, or put {{\(name)}} in quotes for text"
        case .quotesNeeded(let name): "the value of the variable '\(name)' is text; put {{\(name)}} in quotes"
        default: nil
        }
    }

    private var textOfRequestLine: String? {
        switch self {
        case .unknownMethod:
            "this method is not supported; use GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, QUERY or WEBSOCKET"
        case .methodInLowerCase: "a method must be written in capital letters; write GET, for example"
        case .missingURL: "the URL is missing; add one, as in 'GET https://example.com/photos'"
        case .missingScheme: "the URL has no scheme; write http:// or https:// before it"
        case .missingSeparator: "a request must begin after a line '###'; write one above it"
        case .malformedScheme:
            "a URL must begin with http://, https://, ws:// or wss://, or with a variable such as {{baseURL}}"
        case .malformedHost: "this is not a valid host name; check its spelling"
        case .malformedPort: "the port must be a number from 1 to 65535"
        case .userInURL: "a URL must not contain a user name or password; give the client a credential instead"
        case .variableInHost(let name):
            "{{\(name)}} is part of the server's address and needs a value; write '@\(name) = …' above the request"
        case .malformedAddress(let name):
            "the value of '\(name)' must begin with http://, https://, ws:// or wss:// and have no '?' or '#'"
        case .malformedAddressEnd(let name): "{{\(name)}} is the server's address; write '/' or '?' after it"
        case .malformedTarget:
            "this character is not allowed here in a URL; percent-encode it: write a space as %20, and '%' as %25"
        case .dotSegmentInPath: "a component of a path must not be '.' or '..'; write the resulting path"
        case .fragment: "a client never sends '#' and the text after it; remove them, or write %23"
        case .valueWouldBeEncoded(let name):
            "the value of '\(name)' has a '/', '?' or '#', which would be percent-encoded; write it into the URL itself"
        case .malformedContinuation: "an indented line continues the URL, so it must begin with '/', '?' or '&'"
        case .otherVersion: "the version has no effect, because the client chooses it; remove it"
        default: nil
        }
    }

    private var textOfBody: String {
        switch self {
        case .bodyWithoutEmptyLine: "an empty line must come before the body; insert one"
        case .commentInBody: "a body must not contain comments; move this one above the request"
        case .malformedField: "this is not a header field; write 'Name: value', and an empty line before the body"
        case .blankBeforeColon: "a blank must not come before the colon; remove it"
        case .duplicateField: "this field occurs twice; write all values in one field, separated by commas"
        case .framingField: "the client sets this field itself; remove it"
        case .editorAuthorization:
            "Tern does not encode a name and a password here; give the client a credential, or write 'Bearer {{token}}'"
        case .typeOfBodyNeeded:
            "this body has variables, but no known type; add a Content-Type field, such as application/json"
        case .variableNotPossible:
            "only JSON, forms and text/plain can contain variables; remove the variable, or send one of these"
        case .variableInType: "the media type of a body cannot contain variables; write the type itself"
        case .multipart: "request files do not support multipart bodies; write this request in Swift, with Multipart"
        case .graphQL: "GraphQL is sent as JSON; write a JSON body with the members query and variables, and its type"
        case .malformedFileBody:
            "a body from a file must be a single line with a path and no variables, as in '< ./photo.jpg'"
        case .bodyNotAllowed: "this request cannot have a body; remove it"
        case .malformedJSON: "this is not valid JSON; look for a missing quote or comma before it"
        case .incompleteJSON: "the JSON is incomplete; look for a missing quote or bracket"
        case .variableAsKey(let name): "a JSON key is text; put {{\(name)}} in quotes"
        case .malformedForm:
            "this is not a form; write name=value&name=value, a space as '+', and a '%', '&', '=' or '+' in a name or "
                + "value as %25, %26, %3D or %2B"
        case .malformedWebSocket:
            "a WebSocket request must be a GET without a body, and its @returns, if any, must be WebSocket"
        case .textBehindBody:
            "an earlier line that begins with '>' or '<>' has ended the body; remove that line, or this text"
        case .requestScript: "Tern does not run scripts, so this one cannot change the request; remove it"
        case .responseScript: "Tern does not run scripts, and ignores this one"
        case .responseFile: "Tern does not write the response to a file, and ignores this line"
        default: "the file cannot be read here"
        }
    }
}
