// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check apple); never run.

#if canImport(Darwin)
import Dispatch
import TernURLLoading

extension BodyPipe {
    /// The length of the buffer between the pipe and `URLSession`, in bytes.
    private static var boundByteCount: Int { 64 << 10 }

    /// Returns one end of a pair of bound streams; a thread fills the other until the body ends, or `URLSession` takes no more.
    func makeInputStream() -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: Self.boundByteCount, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let end = StreamEnd(output)
        DispatchQueue(label: "tern.url-session.body").async { end.fill(from: self) }
        return input
    }
}

/// Invariant of the unchecked conformance: after its creation, only the closure that fills the stream uses it.
private final class StreamEnd: @unchecked Sendable {
    private let output: OutputStream

    init(_ output: OutputStream) { self.output = output }

    func fill(from pipe: BodyPipe) {
        self.output.open()
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = bytes.withUnsafeMutableBufferPointer { pipe.read(into: $0) }
            guard count > 0 else { break }
            guard self.write(bytes[..<count]) else {
                pipe.close()
                break
            }
        }
        // If the body ended early, the call has cancelled the task, so `URLSession` does not take this end for the end
        // of a complete body.
        self.output.close()
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBufferPointer { space in
                space.baseAddress.map { self.output.write($0, maxLength: space.count) } ?? -1
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
