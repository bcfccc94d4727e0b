// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

extension AuthenticationFailure: LocalizedError, Explained {
    package var sentence: String { self.sentence(ClientError.Context.unknownServer) }

    func sentence(_ server: String) -> String {
        switch self {
        case .cancelled: "Signing in to \(server) was cancelled."
        case .serverNotAuthentic:
            "The identity of \(server) could not be verified because the server did not prove "
                + "that it knows the password."
        case .credentialNotUsable: "The user name, password or token cannot be sent to \(server)."
        }
    }
}

extension RedirectFailure: LocalizedError, Explained {
    package var sentence: String { self.sentence(ClientError.Context.unknownServer) }

    func sentence(_ server: String) -> String {
        switch self {
        case .tooMany(let limit):
            "The request to \(server) was redirected more than \(limit == 1 ? "once" : "\(limit) times")."
        case .loop: "The redirects from \(server) form a loop."
        case .insecure: "A redirect from \(server) was not followed because it leads to an insecure address."
        case .invalidLocation: "A redirect from \(server) was not followed because it leads to an invalid address."
        }
    }
}

extension WebSocketFailure.Reason {
    func sentence(_ server: String) -> String {
        switch self {
        case .status(let code):
            "The WebSocket to \(server) was refused with status \(code)"
                + (Sentence.adviceOnWebSocket(for: code).map { "; \($0)." } ?? ".")
        case .handshake:
            "The WebSocket to \(server) could not be opened because the server did not accept it in the expected way."
        case .notSupported: "The app cannot open a WebSocket to \(server)."
        }
    }
}

extension ValidationFailure.Rule {
    func sentence(_ server: String) -> String {
        switch self {
        case .status(let code) where (200..<300).contains(code):
            "The app did not accept the response from \(server), which has status \(code)."
        case .status(let code):
            "The request to \(server) failed with status \(code)"
                + (Sentence.advice(for: code).map { "; \($0)." } ?? ".")
        case .contentType(let type?): "The response from \(server) has the unexpected type \(Sentence.quoted(type))."
        case .contentType(nil): "The response from \(server) has no valid media type."
        case .length(let length):
            "The response from \(server) is too short or too long: the server announced or sent "
                + "\(Sentence.bytes(length))."
        case .missingField(let name): "The response from \(server) has no header field \(Sentence.quoted(name))."
        case .custom(let name): "The response from \(server) did not pass the check \(Sentence.quoted(name))."
        }
    }
}

extension DigestFailure: LocalizedError, Explained {
    package var sentence: String { self.sentence(ClientError.Context.unknownServer) }

    func sentence(_ server: String) -> String {
        switch self {
        case .mismatch: "The response from \(server) was damaged or changed on its way; try again."
        case .unexpected: "The file from \(server) is not the expected one; check its source and try again."
        case .missing, .malformed: "The app could not check that the response from \(server) is unchanged."
        }
    }
}

extension DecodingFailure {
    func sentence(mediaType: String?) -> String {
        let beginning = "The data could not be decoded as \(Sentence.plain(self.type, length: 20))"
        let value = self.path.isEmpty ? "it" : "the value at \(Sentence.quoted(self.path))"
        return switch self.reason {
        case .emptyBody: "\(beginning) because it is empty."
        case .keyNotFound where self.path.isEmpty: "\(beginning) because a key is missing."
        case .keyNotFound: "\(beginning) because \(value) is missing."
        case .valueNotFound: "\(beginning) because \(value) is null or missing."
        case .typeMismatch: "\(beginning) because \(value) \(Sentence.plain(self.mismatch(length: 16), length: 64))."
        case .corrupted where self.path.isEmpty:
            "\(beginning) because it is malformed"
                + (mediaType.map { "; the server sent data of the type \(Sentence.quoted($0, length: 40))." } ?? ".")
        case .corrupted: "\(beginning) because \(value) is not valid."
        case .other: "\(beginning) because the decoder failed."
        }
    }
}
