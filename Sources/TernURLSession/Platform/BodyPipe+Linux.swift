// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc.

#if !canImport(Darwin)
import TernURLLoading

extension BodyPipe {
    /// Returns a stream for `URLSession`, which reads it on the queue of its session, and blocks that queue until the
    /// pipe has bytes.
    ///
    /// So a stream must be the only task of its session.
    func makeInputStream() -> InputStream { PipeStream(self) }
}

/// The stream from which `URLSession` reads a request body.
///
/// swift-corelibs-foundation has no bound streams, but it asks a stream for no more than the members below.
private final class PipeStream: InputStream {
    private let pipe: BodyPipe
    private var status = Status.notOpen

    init(_ pipe: BodyPipe) {
        self.pipe = pipe
        super.init(data: Data())
    }

    deinit { self.pipe.close() }

    override var streamStatus: Status { self.status }
    override var streamError: (any Error)? { nil }
    /// Always `true`, because `URLSession` takes `false` for the end of the body.
    override var hasBytesAvailable: Bool { true }

    override func open() { self.status = .open }

    override func close() {
        self.status = .closed
        self.pipe.close()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        self.pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: length))
    }
}
#endif
