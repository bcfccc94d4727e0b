// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The memory of a `z_stream`, and the way to present spans to it.
///
/// zlib keeps a pointer back to the stream, so the stream must stay where it is: on the heap, owned by this.
///
/// `@unchecked Sendable`: the pointer has one owner, as this cannot be copied, and is reached only through `mutating`
/// functions, so never from two places at once. zlib itself keeps no state outside of the stream.
struct ZlibStream: ~Copyable, @unchecked Sendable {
    /// What one call did.
    struct Outcome {
        var consumedByteCount: Int
        /// Whether the output was filled, so that zlib may have had more to write.
        var filledOutput: Bool
        /// What zlib said last.
        var code: CInt
    }

    /// About what zlib holds beside the window and the tables: some 6 KB for deflating, 7 KB for inflating.
    static let stateByteCount = 8192

    let pointer: UnsafeMutablePointer<z_stream>
    /// How many bytes zlib is given at once, for its counts have 32 bits; less only in tests.
    var maximumSliceByteCount = 1 << 30

    init() {
        self.pointer = .allocate(capacity: 1)
        self.pointer.initialize(to: z_stream())
    }

    deinit {
        self.pointer.deinitialize(count: 1)
        self.pointer.deallocate()
    }

    /// What zlib said about the last error; a text of its own that holds nothing received.
    var message: String { self.pointer.pointee.msg.map { String(cString: $0) } ?? "" }

    /// Calls `step` until it has seen all the input or filled all the output, and appends what it writes.
    ///
    /// `step` is told whether the input ends with what it is given. The output counts as full after
    /// `maximumWrittenByteCount` bytes.
    mutating func run(
        _ input: RawSpan,
        into output: inout OutputRawSpan,
        maximumWrittenByteCount: Int = .max,
        _ step: (_ stream: z_streamp, _ isLast: Bool) -> CInt
    ) -> Outcome {
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { buffer, initializedByteCount in
                let room = buffer[initializedByteCount...].prefix(maximumWrittenByteCount)
                let (outcome, written) = self.run(source, UnsafeMutableRawBufferPointer(rebasing: room), step)
                initializedByteCount += written
                return outcome
            }
        }
    }

    private mutating func run(
        _ source: UnsafeRawBufferPointer,
        _ room: UnsafeMutableRawBufferPointer,
        _ step: (_ stream: z_streamp, _ isLast: Bool) -> CInt
    ) -> (Outcome, writtenByteCount: Int) {
        var (consumed, written) = (0, 0)
        while true {
            let input = source[consumed...].prefix(self.maximumSliceByteCount)
            let output = room[written...].prefix(self.maximumSliceByteCount)
            let isWhole = input.endIndex == source.endIndex && output.endIndex == room.endIndex
            self.present(UnsafeRawBufferPointer(rebasing: input), UnsafeMutableRawBufferPointer(rebasing: output))
            let code = step(self.pointer, input.endIndex == source.endIndex)
            let taken = input.count - Int(self.pointer.pointee.avail_in)
            let given = output.count - Int(self.pointer.pointee.avail_out)
            consumed += taken
            written += given
            // Spans are only lent: zlib must not keep where they were.
            self.present(UnsafeRawBufferPointer(start: nil, count: 0), .init(start: nil, count: 0))
            if isWhole || code != Z_OK || taken + given == 0 {
                return (Outcome(consumedByteCount: consumed, filledOutput: written == room.count, code: code), written)
            }
        }
    }

    /// Lets zlib read from one buffer and write to another; an empty one must have an address, too.
    private mutating func present(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        let anywhere = UnsafeMutableRawPointer(self.pointer)
        let source = UnsafeMutableRawPointer(mutating: input.baseAddress) ?? anywhere
        // zlib never writes to its input; its header says otherwise unless a macro is set.
        self.pointer.pointee.next_in = source.assumingMemoryBound(to: Bytef.self)
        self.pointer.pointee.avail_in = uInt(input.count)
        self.pointer.pointee.next_out = (output.baseAddress ?? anywhere).assumingMemoryBound(to: Bytef.self)
        self.pointer.pointee.avail_out = uInt(output.count)
    }
}
