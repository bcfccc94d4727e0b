// SPDX-License-Identifier: Apache-2.0

extension RequestFileRule: CustomStringConvertible {
    /// Whether the file can be used all the same.
    package var isWarning: Bool {
        switch self {
        case .otherVersion, .responseScript, .responseFile: true
        default: false
        }
    }

    /// What is wrong and what to do, in a sentence without a period.
    package var description: String {
        self.textOfFile ?? self.textOfParameters ?? self.textOfRequestLine ?? self.textOfBody
    }

    private var textOfFile: String? {
        switch self {
        case .fileTooLong: "the file is longer than 1 MiB; split it"
        case .notUTF8: "this is not UTF-8; save the file as UTF-8"
        case .controlCharacter: "a control character stands here; remove it"
        case .tooMany(let text): "there are too many \(text); split the file"
        case .malformedVariable: "a variable of the file is written '@name = value'"
        case .duplicateVariable(let name): "'\(name)' is given twice; remove one"
        case .undefinedVariable(let name): "'\(name)' is not given before this line; write '@\(name) = …' above"
        case .valueTooLong: "the value is longer than 8 KiB; shorten it"
        case .unclosedVariable: "'{{' has no '}}' on its line; write '{{name}}'"
        case .malformedVariableName:
            "a variable is a name of letters, digits and '_', such as {{photoID}}; give other values as parameters"
        case .dynamicVariable: "editors make this value up; name a parameter, such as {{id}}, and pass the value"
        case .unknownDirective:
            "this is not known; there are @name, @param, @returns, @access and @no-redirect; a comment cannot begin with '@'"
        case .misplacedDirective: "this stands behind the line of the request; write it before that line"
        case .duplicateDirective(let name): "'@\(name)' is given twice; remove one"
        case .malformedName:
            "a name consists of letters, digits and '_', and begins with a letter: '# @name fetchPhoto'"
        case .duplicateName(let name): "another request has the name '\(name)'; choose another"
        case .malformedAccess: "write '# @access public' or '# @access internal' before the first request"
        case .noRequest: "no request follows; write one, such as 'GET https://example.com', or remove this"
        default: nil
        }
    }

    private var textOfParameters: String? {
        switch self {
        case .malformedParameter:
            "a parameter is written '# @param name: Type = default what it is'; type, default and text may be left out"
        case .malformedType: "this is no type; write one such as Int, String?, Photo or [Photo], without spaces"
        case .duplicateParameter(let name): "'\(name)' is described twice; remove one"
        case .unusedParameter(let name): "{{\(name)}} does not occur in this request; use it or remove this"
        case .parameterIsVariable(let name): "'\(name)' is a variable of the file and no parameter; rename one"
        case .reservedName(let name): "'\(name)' has a meaning of its own in the generated code; choose another name"
        case .malformedDefault:
            "the default does not fit the type; String, Int, Double and Bool have defaults, and T? has nil"
        case .optionalNotPossible(let name):
            "'\(name)' cannot be optional here; only a whole value of a query, or of JSON, can be left out"
        case .typeNotPossible(let name): "'\(name)' stands where a single text or number must; give it another type"
        case .typeNeeded(let name):
            "{{\(name)}} stands for a JSON value; say its type: '# @param \(name): Int', or put it in quotes if it is text"
        case .quotesNeeded(let name): "the variable '\(name)' is text; put {{\(name)}} in quotes"
        default: nil
        }
    }

    private var textOfRequestLine: String? {
        switch self {
        case .unknownMethod:
            "this method cannot be sent; there are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, QUERY and WEBSOCKET"
        case .missingURL: "the URL is missing; write one, such as 'GET https://example.com/photos'"
        case .malformedScheme:
            "a URL begins with http://, https://, ws://, wss:// or with a variable that stands for it, such as {{baseURL}}"
        case .malformedHost: "this cannot stand in the name of a host"
        case .malformedPort: "a port is a number up to 65535"
        case .userInURL: "a name or a password does not belong in a URL; give the client a credential"
        case .variableInHost(let name):
            "{{\(name)}} stands in the address of the server; give it by '@\(name) = …', or use one variable for all of it"
        case .malformedAddress(let name):
            "'\(name)' begins a URL; its value must begin with http://, https://, ws:// or wss:// and have no '?' or '#'"
        case .malformedAddressEnd(let name): "a '/' or a '?' must follow {{\(name)}}, which stands for the server"
        case .malformedTarget: "this character cannot stand in a URL; write it percent-encoded, a space as %20"
        case .stepInPath: "'.' and '..' lead elsewhere; write the path that is meant"
        case .fragment: "what follows '#' is never sent; remove it, or write %23"
        case .valueWouldBeEncoded(let name):
            "the value of '\(name)' would be percent-encoded here, '/' to %2F; put it into the address of the server"
        case .malformedContinuation: "an indented line continues the URL, and begins with '/', '?' or '&'"
        case .otherVersion: "requests are sent by HTTP/1.1; remove the version"
        default: nil
        }
    }

    private var textOfBody: String {
        switch self {
        case .malformedField: "a field is written 'Name: value'; an empty line comes before the body"
        case .duplicateField: "this field is given twice; write its values in one, with commas between"
        case .framingField: "the client writes this field itself; remove it"
        case .editorAuthorization:
            "editors encode this, but nobody else does; give the client a credential, or pass a token: 'Bearer {{token}}'"
        case .typeOfBodyNeeded:
            "say by a field Content-Type how the variables are to be escaped, such as application/json"
        case .variableNotPossible:
            "how to escape a variable is known for JSON, forms and text/plain only; send one of these, or no variable"
        case .variableInType: "the media type of a body cannot have variables; write it out"
        case .multipart: "a multipart body cannot be written here; build it with Multipart"
        case .malformedFileBody: "the body from a file is one line: '< ./photo.jpg', without variables"
        case .bodyNotAllowed: "this request can have no body; remove it"
        case .malformedJSON: "this is no JSON here; look for a missing quote or comma before it"
        case .incompleteJSON: "the JSON does not end; look for a missing quote or bracket"
        case .variableAsKey(let name): "a key is text; put {{\(name)}} in quotes"
        case .malformedForm:
            "a form is written name=value&name=value; write other characters percent-encoded, a space as '+'"
        case .malformedWebSocket: "a WebSocket is opened by GET without a body, and is what the request returns"
        case .textBehindBody: "a line above that begins with '>' or '<>' has ended the body; remove it, or this text"
        case .requestScript: "scripts are not run, and what this one changes would not be sent; remove it"
        case .responseScript: "scripts are not run; this one is left out"
        case .responseFile: "the response is not written to a file; this line is left out"
        default: "the file cannot be read here"
        }
    }
}
