// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
import TernFoundation
import TernStreams
public import TernTransport

/// The values of a response that is a stream of JSON records, as they arrive, decoded on the caller's actor.
///
/// Except over `URLSession` on Linux, a slow loop slows the server down. When you leave the loop and release this value, the client
/// frees the connection. The values can be read only once. The sequence ends with `nil` when the server has ended the response, and
/// the last record is complete.
public struct DecodedRecords<Value: Decodable>: AsyncSequence {
    /// The response whose body is the stream.
    public var response: Response { self.body.reply.response }

    let body: SharedBody
    let format: RecordFormat
    let maximumRecordByteCount: Int
    let decoder: any BodyDecoder
    let keptByteCount: Int

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator that returns the values, for one task only.
    public struct Iterator: AsyncIteratorProtocol {
        private let values: DecodedRecords
        private var reader: SharedBody.Reader
        private var records: RecordDecoder
        private var bytes = ByteBuffer()
        private var offset = 0
        private var readByteCount: Int64 = 0

        init(_ values: DecodedRecords) {
            self.values = values
            self.reader = SharedBody.Reader(values.body)
            self.records = RecordDecoder(
                format: values.format,
                maximumRecordByteCount: values.maximumRecordByteCount
            )
        }

        /// Returns the next value, or `nil` at the end of the stream.
        ///
        /// - Throws: `ClientError`, such as `.decodingFailed` when a record cannot be decoded; `.truncated` when the response or
        ///   one of its records ended early; `.valueTooLong` when a record exceeds the limit; `.protocolViolation` when the body is
        ///   not a JSON text sequence (RFC 7464), although it should be one; `.cancelled` when the task is cancelled while it
        ///   waits; `.bodyMisused` when another iterator has come to the end or an error before this one began.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> Value? {
            while !self.reader.isOver {
                if let record = try self.checked({ (state) throws(RecordViolation) in try state.availableRecord() }) {
                    return try self.value(of: record)
                }
                guard let bytes = try await self.reader.next() else {
                    let last = try self.checked { (state) throws(RecordViolation) in try state.records.finish() }
                    return try last.map { (record) throws(ClientError) in try self.value(of: record) }
                }
                self.readByteCount += Int64(bytes.readableBytes)
                self.bytes = bytes
                self.offset = 0
            }
            return nil
        }

        private mutating func availableRecord() throws(RecordViolation) -> Record? {
            try Self.record(&self.records, self.bytes, &self.offset)
        }

        private static func record(
            _ records: inout RecordDecoder,
            _ bytes: ByteBuffer,
            _ offset: inout Int
        ) throws(RecordViolation) -> Record? {
            try records.next(in: bytes.readableBytesSpan, from: &offset)
        }

        /// Calls the decoder, and ends the sequence if the decoder throws.
        private mutating func checked(
            _ decode: (inout Iterator) throws(RecordViolation) -> Record?
        ) throws(ClientError) -> Record? {
            do throws(RecordViolation) {
                return try decode(&self)
            } catch {
                self.reader.fail()
                let context = self.values.body.context(.body)
                switch error {
                case .tooLong(let limit, let number, let offset):
                    throw .valueTooLong(limit: limit, at: StreamPosition(index: number, byteOffset: offset), context)
                case .truncated: throw .truncated(received: self.readByteCount, expected: nil, context)
                case .notASequence:
                    throw .protocolViolation(section: "RFC 7464 §2.1", reason: "\(error)", context)
                }
            }
        }

        private mutating func value(of record: Record) throws(ClientError) -> Value {
            do {
                return try self.values.decoder.decode(Value.self, from: record.bytes, of: self.values.response)
            } catch {
                self.reader.fail()
                var failure = DecodingFailure(error, decoding: Value.self)
                failure.keep(record.bytes, upTo: self.values.keptByteCount)
                failure.position = StreamPosition(index: record.number, byteOffset: record.offset)
                throw .decodingFailed(failure, self.values.body.context(.decode))
            }
        }
    }
}

extension DecodedRecords: Sendable where Value: SendableMetatype {}

@available(*, unavailable)
extension DecodedRecords.Iterator: Sendable {}
