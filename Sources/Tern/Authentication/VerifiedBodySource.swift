// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernErrors
import TernTransport

/// A body that is hashed while it is read, so that the server's proof over it can be checked at its end (`auth-int`, RFC
/// 7616 §3.5).
final class VerifiedBodySource: ResponseBodySource {
    /// Checks the proof with the hash of the whole body.
    typealias Check = @Sendable (_ hash: String) throws(ClientError) -> Void

    let length: Int64?

    private let body: ResponseBody
    private let hasher: Mutex<BodyHasher?>
    private let check: Check

    init(_ body: ResponseBody, _ hasher: BodyHasher, _ check: @escaping Check) {
        self.length = body.length
        self.body = body
        self.hasher = Mutex(hasher)
        self.check = check
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        var reader = self.body.makeReader()
        if let bytes = try await reader.next(atLeast: byteCount) {
            self.hasher.withLock { hasher in bytes.withUnsafeReadableBytes { hasher?.update($0) } }
            return bytes
        }
        let hash = self.hasher.withLock { hasher in hasher.take()?.finalize() }
        if let hash { try self.check(hash) }  // once
        return nil
    }
}

extension ResponseBody {
    /// The same body, and the check of a proof over all of it: at once if all of it is here.
    func verified(
        _ hasher: BodyHasher,
        _ check: @escaping VerifiedBodySource.Check
    ) throws(ClientError) -> ResponseBody {
        guard let whole = self.whole else { return ResponseBody(VerifiedBodySource(self, hasher, check)) }
        var hasher = hasher
        whole.withUnsafeReadableBytes { hasher.update($0) }
        try check(hasher.finalize())
        return self
    }
}
