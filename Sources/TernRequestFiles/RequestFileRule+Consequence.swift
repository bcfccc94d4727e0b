// SPDX-License-Identifier: Apache-2.0

extension RequestFileRule {
    /// The effect of a form that a lenient reader accepts, as a sentence without a period.
    var consequence: String? { self.consequenceForFile ?? self.consequenceForRequest }

    private var consequenceForFile: String? {
        switch self {
        case .duplicateVariable(let name): "the variable '\(name)' is defined twice, and its last value counts"
        case .malformedVariableName: "the plug-in TernEndpoints does not accept '.' and '-' in the name of a variable"
        case .misplacedDirective: "directives must come before the request line; Tern ignores this one"
        case .malformedName: "the plug-in TernEndpoints does not accept this name of a request"
        case .duplicateName(let name): "another request has the name '\(name)', and --name chooses the first one"
        case .noRequest: "no request follows this line, which has no effect"
        case .missingSeparator: "this request line begins a new request, although there is no '###' above it"
        case .requestScript: "Tern does not run scripts, and sends the request without this one"
        default: nil
        }
    }

    private var consequenceForRequest: String? {
        switch self {
        case .methodInLowerCase: "the method is sent in capital letters"
        case .unknownMethod: "the plug-in TernEndpoints does not support this method"
        case .missingScheme: "the URL has no scheme with '://', and is read with http://"
        case .malformedTarget: "this character must not stand in a URL, and is percent-encoded"
        case .fragment: "a client never sends '#' and the text after it"
        case .valueWouldBeEncoded(let name): "the '/', '?' and '#' in the value of '\(name)' are not percent-encoded"
        case .bodyNotAllowed: "the body of a GET or HEAD is sent, but a server may ignore it"
        case .bodyWithoutEmptyLine: "the body begins here, although there is no empty line above it"
        case .commentInBody: "comments are not a part of the body"
        case .framingField: "the client sets Content-Length itself, and ignores this value"
        case .blankBeforeColon: "the blank before the colon is left out"
        case .duplicateField: "this field occurs twice, and its values are sent as one field"
        case .malformedJSON: "the body is not valid JSON, and is sent unchanged"
        case .typeOfBodyNeeded: "the body has no Content-Type, and is sent as application/json"
        case .variableInType: "the media type is a variable, and the body is read as JSON"
        default: nil
        }
    }
}
