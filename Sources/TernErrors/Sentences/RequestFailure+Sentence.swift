// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

extension RequestFailure: LocalizedError, Explained {
    package var sentence: String { self.sentenceAboutURL ?? self.sentenceAboutContent }

    private var sentenceAboutURL: String? {
        switch self {
        case .malformedURL: "The URL is not valid; check it for characters that must be percent-encoded."
        case .emptyURL: "The URL is empty."
        case .relativeURL: "The URL has no scheme and no host; begin it with https://, or set the client's baseURL."
        case .missingScheme: "The URL has no scheme; begin it with https://."
        case .unsupportedScheme(let scheme):
            switch ForeignText.scheme(scheme) {
            case "": "The URL does not begin with http:// or https://."
            case let known: "The URL has the scheme \(Sentence.quoted(known)) instead of http or https."
            }
        case .missingHost: "The URL has no host."
        case .malformedHost:
            "The host of the URL is not valid; write an international name in ASCII, "
                + "such as xn--caf-dma.com."
        case .malformedPort: "The port of the URL is not a number from 1 to 65535."
        case .malformedTarget: "The path or query of the URL contains a character that must be percent-encoded."
        case .dotSegment: "A component of the URL's path is one or two dots, which would change the path."
        case .emptyComponent: "A component of the URL's path is empty."
        default: nil
        }
    }

    private var sentenceAboutContent: String {
        switch self {
        case .malformedMethod: "The method of the request is empty, or contains a character that is not allowed."
        case .malformedFieldName: "The name of a header field is not valid."
        case .malformedFieldValue(let name):
            "The value of the header field \(Sentence.quoted(name)) contains a control character, such as a line break."
        case .repeatedHost: "The request has more than one Host field."
        case .framingField(let name):
            "The app set a header field that it must leave out: \(Sentence.quoted(name, length: 40))."
        case .bodyNotAllowed(let method) where method != "TRACE":
            "An upload cannot use the method \(Sentence.quoted(method)); use POST or PUT, for example."
        case .bodyNotAllowed(let method): "A request with the method \(Sentence.quoted(method)) cannot have a body."
        case .ambiguousBody:
            "The request has a body, and the app passed another one when it sent the request; remove one."
        case .bodyNotEncodable: "The value to send could not be encoded."
        case .webSocketNotPossible: "This request cannot open a WebSocket."
        case .notResumable: "A download of this request cannot be resumed."
        case .boundaryOccursInPart:
            "A part of the form contains the text that separates the parts; choose another boundary."
        case .fieldsTooLong(let maximum):
            "The header fields of the request are longer than the \(Sentence.bytes(maximum)) that the server accepts."
        default: "The request is not valid."
        }
    }
}
