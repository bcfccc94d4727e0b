// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// The owner of zlib's `z_stream`, which is on the heap because zlib keeps a pointer to it.
///
/// `@unchecked Sendable`: the pointer has one owner, because this type cannot be copied, and is used only while a `mutating`
/// function or `deinit` of the owner runs, so two threads never use it at the same time. zlib has no state outside the stream.
struct ZlibStream: ~Copyable, @unchecked Sendable {
    struct Outcome {
        var consumedByteCount: Int
        var filledOutput: Bool
        var code: CInt
    }

    /// Rounded up from about 6 KB for deflating and 7 KB for inflating, in addition to the window and the tables.
    static let stateByteCount = 8192

    let pointer: UnsafeMutablePointer<z_stream>
    /// zlib counts bytes with 32 bits; only tests set a smaller number.
    var maximumSliceByteCount = 1 << 30

    init() {
        self.pointer = .allocate(capacity: 1)
        self.pointer.initialize(to: z_stream())
    }

    deinit {
        self.pointer.deinitialize(count: 1)
        self.pointer.deallocate()
    }

    var message: String { self.pointer.pointee.msg.map { String(cString: $0) } ?? "" }

    /// Calls `step` until it has consumed all input, has filled the output, or returns a code other than `Z_OK`; its second
    /// argument tells whether zlib has the last part of the input.
    mutating func run(
        _ input: RawSpan,
        into output: inout OutputRawSpan,
        _ step: (_ stream: z_streamp, _ isLast: Bool) -> CInt
    ) -> Outcome {
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { buffer, initializedByteCount in
                let room = buffer[initializedByteCount...]
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
            // No slices, which took over a hundred instructions for each call, however short the input.
            let inputByteCount = min(source.count - consumed, self.maximumSliceByteCount)
            let outputByteCount = min(room.count - written, self.maximumSliceByteCount)
            let isLast = consumed + inputByteCount == source.count
            let isWhole = isLast && written + outputByteCount == room.count
            self.present(
                UnsafeRawBufferPointer(start: source.baseAddress.map { $0 + consumed }, count: inputByteCount),
                UnsafeMutableRawBufferPointer(start: room.baseAddress.map { $0 + written }, count: outputByteCount)
            )
            let code = step(self.pointer, isLast)
            let taken = inputByteCount - Int(self.pointer.pointee.avail_in)
            let given = outputByteCount - Int(self.pointer.pointee.avail_out)
            consumed += taken
            written += given
            // The spans are borrowed for this call, so zlib must not keep their addresses.
            self.present(UnsafeRawBufferPointer(start: nil, count: 0), .init(start: nil, count: 0))
            if isWhole || code != Z_OK || taken + given == 0 {
                return (Outcome(consumedByteCount: consumed, filledOutput: written == room.count, code: code), written)
            }
        }
    }

    /// An empty buffer needs an address, too, because zlib refuses a null pointer.
    private mutating func present(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        let anywhere = UnsafeMutableRawPointer(self.pointer)
        let source = UnsafeMutableRawPointer(mutating: input.baseAddress) ?? anywhere
        // zlib's header declares the input as mutable, but zlib never writes to it.
        self.pointer.pointee.next_in = source.assumingMemoryBound(to: Bytef.self)
        self.pointer.pointee.avail_in = uInt(input.count)
        self.pointer.pointee.next_out = (output.baseAddress ?? anywhere).assumingMemoryBound(to: Bytef.self)
        self.pointer.pointee.avail_out = uInt(output.count)
    }
}
