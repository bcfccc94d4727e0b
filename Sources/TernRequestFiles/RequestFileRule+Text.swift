// SPDX-License-Identifier: Apache-2.0

extension RequestFileRule: CustomStringConvertible {
    /// Whether breaking the rule is only a warning, so that the file can be used.
    package var isWarning: Bool {
        switch self {
        case .otherVersion, .responseScript, .responseFile: true
        default: false
        }
    }

    /// The problem and its solution, as a sentence without a period.
    package var description: String {
        self.textOfFile ?? self.textOfParameters ?? self.textOfRequestLine ?? self.textOfBody
    }

    private var textOfFile: String? {
        switch self {
        case .fileTooLong: "the file is longer than 1 MiB; split it"
        case .notUTF8: "this is not UTF-8; save the file as UTF-8"
        case .controlCharacter: "there is a control character here; remove it"
        case .tooMany(let text): "there are too many \(text); split the file"
        case .malformedVariable: "this is not a variable; write '@name = value'"
        case .duplicateVariable(let name): "'\(name)' is defined twice; remove one definition"
        case .undefinedVariable(let name): "'\(name)' is not defined before this line; write '@\(name) = …' above it"
        case .valueTooLong: "the value is longer than 8 KiB; shorten it"
        case .unclosedVariable: "'{{' has no '}}' on its line; write '{{name}}'"
        case .malformedVariableName:
            "a variable name has only letters, digits and '_', such as {{photoID}}; pass other values as parameters"
        case .dynamicVariable: "only editors generate this value; use a parameter, such as {{id}}, and pass the value"
        case .unknownDirective:
            "this directive is unknown; use @name, @param, @returns, @access or @no-redirect, or remove the '@'"
        case .misplacedDirective: "directives must come before the request line; move this one up"
        case .duplicateDirective(let name): "'@\(name)' occurs twice; remove one"
        case .malformedName:
            "a name has letters, digits and '_', and begins with a letter, as in '# @name fetchPhoto'"
        case .duplicateName(let name): "another request has the name '\(name)'; choose a different one"
        case .malformedAccess: "write '# @access public' or '# @access internal' before the first request"
        case .noRequest: "no request follows; add one, such as 'GET https://example.com', or remove this"
        default: nil
        }
    }

    private var textOfParameters: String? {
        switch self {
        case .malformedParameter:
            "write '# @param name: Type = default description'; type, default and description are optional"
        case .malformedType: "this is not a type; write one such as Int, String?, Photo or [Photo], without spaces"
        case .duplicateParameter(let name): "'\(name)' is described twice; remove one description"
        case .unusedParameter(let name): "{{\(name)}} does not occur in this request; use it, or remove this line"
        case .parameterIsVariable(let name): "'\(name)' is already a variable of the file; rename one of the two"
        case .reservedName(let name): "the generated code needs the name '\(name)'; choose another one"
        case .malformedDefault:
            "the default does not match the type; only String, numbers and Bool can have a default, and T? only nil"
        case .optionalNotPossible(let name):
            "'\(name)' cannot be optional here; only a whole query value or JSON value can be nil"
        case .typeNotPossible(let name): "'\(name)' must be a single text or number here; change its type"
        case .typeNeeded(let name):
            "{{\(name)}} stands for a JSON value; say its type: '# @param \(name): Int', or put it in quotes if it is text"
        case .quotesNeeded(let name): "the variable '\(name)' is text; put {{\(name)}} in quotes"
        default: nil
        }
    }

    private var textOfRequestLine: String? {
        switch self {
        case .unknownMethod:
            "this method is not supported; use GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, QUERY or WEBSOCKET"
        case .missingURL: "the URL is missing; add one, as in 'GET https://example.com/photos'"
        case .malformedScheme:
            "a URL begins with http://, https://, ws:// or wss://, or with a variable such as {{baseURL}}"
        case .malformedHost: "this is not a valid host name"
        case .malformedPort: "the port must be a number up to 65535"
        case .userInURL: "a URL must not contain a user name or password; give the client a credential"
        case .variableInHost(let name):
            "{{\(name)}} is part of the address; define it with '@\(name) = …', or use one variable for all of it"
        case .malformedAddress(let name):
            "the value of '\(name)' must begin with http://, https://, ws:// or wss:// and have no '?' or '#'"
        case .malformedAddressEnd(let name): "{{\(name)}} is the server's address; it must be followed by '/' or '?'"
        case .malformedTarget: "this character is not allowed in a URL; percent-encode it, a space as %20"
        case .dotSegmentInPath: "a path must not contain '.' or '..'; write the resulting path"
        case .fragment: "a client never sends '#' and the text after it; remove them, or write %23"
        case .valueWouldBeEncoded(let name):
            "the value of '\(name)' would be percent-encoded here, '/' as %2F; move it into the server's address"
        case .malformedContinuation: "an indented line continues the URL, so it must begin with '/', '?' or '&'"
        case .otherVersion: "requests are sent with HTTP/1.1; remove the version"
        default: nil
        }
    }

    private var textOfBody: String {
        switch self {
        case .malformedField: "this is not a field; write 'Name: value', and an empty line before the body"
        case .duplicateField: "this field occurs twice; write all values in one field, separated by commas"
        case .framingField: "the client sets this field itself; remove it"
        case .editorAuthorization:
            "only editors encode this; give the client a credential, or pass a token: 'Bearer {{token}}'"
        case .typeOfBodyNeeded:
            "add a Content-Type field, such as application/json; it determines how the variables are escaped"
        case .variableNotPossible:
            "variables are only supported in JSON, forms and text/plain; send one of these, or remove the variable"
        case .variableInType: "the media type of a body cannot contain variables; write it out"
        case .multipart: "multipart bodies are not supported in request files; build them in code with Multipart"
        case .malformedFileBody: "a body from a file must be one line without variables, as in '< ./photo.jpg'"
        case .bodyNotAllowed: "this request cannot have a body; remove it"
        case .malformedJSON: "this is not valid JSON; look for a missing quote or comma before it"
        case .incompleteJSON: "the JSON is incomplete; look for a missing quote or bracket"
        case .variableAsKey(let name): "a JSON key is text; put {{\(name)}} in quotes"
        case .malformedForm:
            "this is not a form; write name=value&name=value, with other characters percent-encoded and spaces as '+'"
        case .malformedWebSocket:
            "a WebSocket request must be a GET without a body, and its @returns, if any, must be WebSocket"
        case .textBehindBody:
            "an earlier line that begins with '>' or '<>' has ended the body; remove that line, or this text"
        case .requestScript: "scripts are not run, so this one cannot change the request; remove it"
        case .responseScript: "scripts are not run; this one is ignored"
        case .responseFile: "the response is not written to a file; this line is ignored"
        default: "the file cannot be read here"
        }
    }
}
