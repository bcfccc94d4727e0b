// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading

/// The body of a request, in the form in which `URLSession` gets it.
enum OutgoingBody: Sendable {
    case none
    case data(Data)
    /// A file that `URLSession` reads itself.
    case file(URL, byteCount: Int64)
    /// A stream that the transport reads, either into memory or through a pipe.
    case stream(RequestBody.Stream)

    /// Throws if `URLSession` does not support the body, if the method allows none, or if a form or a file cannot be read.
    init(_ call: HTTPCall) throws(ClientError) {
        guard let body = call.request.body else {
            self = .none
            return
        }
        let (method, context) = (call.request.method, call.context(.prepare))
        guard method != .trace else { throw .invalidRequest(.bodyNotAllowed(method: "TRACE"), context) }
        guard method != .get, method != .head else { throw .unsupported(.body(method: method.rawValue), context) }
        guard body.addedTrailers == nil else { throw .unsupported(.requestTrailers, context) }
        switch body.content {
        case .data(let data): self = .data(data)
        case .stream(let stream): self = .stream(stream)
        case .multipart(let multipart): self = .stream(try RequestBody.Stream(multipart, context: context))
        case .file(let url):
            do throws(FileReadError) {
                guard let part = body.filePart else {
                    // Opened only to find out whether `URLSession` can read it, and how long it is.
                    self = .file(url, byteCount: try ReadableFile(path: url.path).byteCount)
                    return
                }
                let pieces = try FilePieces(path: url.path, part: part)
                self = .stream(RequestBody.Stream(length: pieces.byteCount, isReplayable: true) { pieces })
            } catch {
                throw .uploadFailed(error.reason, context)
            }
        }
    }

    var isPresent: Bool {
        if case .none = self { false } else { true }
    }

    /// The length in bytes; `nil` if it is unknown.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(_, let byteCount): byteCount
        case .stream(let stream): stream.length
        }
    }

    var progress: UploadProgress {
        switch self {
        case .none, .data, .file: .whole(self.length ?? 0)
        case .stream: .stream
        }
    }

    /// Returns the body with a stream of at most `limit` bytes read into memory.
    func buffered(for call: HTTPCall, limit: Int) async throws(ClientError) -> OutgoingBody {
        guard case .stream(let stream) = self else { return self }
        guard stream.length ?? 0 <= limit else { throw Self.tooLong(limit, call) }
        let outcome = try await Bounded.run(for: call, in: .send) { () async -> Result<Data, ClientError> in
            var bytes = Data()
            let pieces = BodyPieces(stream, of: call)
            do throws(ClientError) {
                while let piece = try await pieces.next() {
                    guard pieces.byteCount <= limit else { throw Self.tooLong(limit, call) }
                    bytes.append(piece)
                }
                return .success(bytes)
            } catch {
                return .failure(error)
            }
        }
        return .data(try outcome.get())
    }

    private static func tooLong(_ limit: Int, _ call: HTTPCall) -> ClientError {
        var context = call.context(.send)
        context.delivery = .notSent
        return .interceptorFailed(URLSessionTransportError.requestBodyTooLong(limit: limit), context)
    }
}
