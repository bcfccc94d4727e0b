// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Tern

/// Makes calls, and returns their outcomes.
struct SoakClient: Sendable {
    private static let short = Timeouts(firstByte: .milliseconds(50), idle: .milliseconds(50))

    let client: Client
    let port: Int
    /// A file of ``fileByteCount`` bytes.
    let file: URL

    static let fileByteCount = 300_000

    func outcome(of call: SoakCall, number: Int) async -> SoakOutcome {
        let delegate = number.isMultiple(of: 3) ? CountedDelegate() : nil
        do throws(ClientError) {
            return try await self.perform(call, delegate) ? .success : .wrongContent
        } catch {
            return SoakOutcome(error)
        }
    }

    private func request(_ method: HTTPRequest.Method, _ path: String) -> Request {
        Request(method, "http://127.0.0.1:\(self.port)/\(path)")
    }

    /// - Returns: Whether the content was right.
    private func perform(_ call: SoakCall, _ delegate: CountedDelegate?) async throws(ClientError) -> Bool {
        switch call {
        case .data(let count):
            let request = self.request(.get, "ok/\(count)")
            return try await self.client.data(for: request, delegate: delegate).0.count == count
        case .chunked(let count):
            let request = self.request(.get, "chunked/\(count)")
            return try await self.client.data(for: request, delegate: delegate).0.count == count
        case .lines(let count):
            return try await self.lines(count, upTo: count, delegate) == count
        case .leaveLines(let count):
            return try await self.lines(count, upTo: 1, delegate) == min(1, count)
        case .dropBody(let count):
            return try await self.client.bytes(for: self.request(.get, "ok/\(count)"), delegate: delegate).1.isSuccess
        case .download(let count):
            let request = self.request(.get, "ok/\(count)")
            let (location, _) = try await self.client.download(for: request, delegate: delegate)
            let attributes = try? FileManager.default.attributesOfItem(atPath: location.path)
            try? FileManager.default.removeItem(at: location)
            return attributes?[.size] as? Int == count
        case .upload(let count):
            let data = Data(repeating: UInt8(ascii: "x"), count: count)
            let request = self.request(.put, "ok/3")
            return try await self.client.upload(for: request, from: data, delegate: delegate).0.count == 3
        case .uploadFile:
            let request = self.request(.put, "ok/3")
            return try await self.client.upload(for: request, fromFile: self.file, delegate: delegate).0.count == 3
        case .uploadStream(let count):
            let request = self.request(.put, "ok/3").expectingNothing
            let stream = Repeating(piece: Array("xxxxxxxxxx".utf8), count: count)
            return try await self.client.upload(for: request, from: stream, delegate: delegate).0.count == 3
        case .cancel(let fault, let yieldCount):
            return try await self.cancelled(fault, yieldCount, delegate)
        case .fault(let fault):
            let request = self.request(.get, fault.rawValue)
            let isSlow = fault == .stallHead || fault == .stallBody
            let (data, _) = try await self.client.data(
                for: isSlow ? request.timeouts(Self.short) : request,
                delegate: delegate
            )
            return data.count == (fault == .drip ? 20 : 100)
        }
    }

    private func lines(_ count: Int, upTo limit: Int, _ delegate: CountedDelegate?) async throws(ClientError) -> Int {
        var lineCount = 0
        let (bytes, _) = try await self.client.bytes(for: self.request(.get, "lines/\(count)"), delegate: delegate)
        for try await _ in bytes.lines {
            lineCount += 1
            if lineCount == limit { break }
        }
        return lineCount
    }

    private func cancelled(
        _ fault: SoakFault?,
        _ yieldCount: Int,
        _ delegate: CountedDelegate?
    ) async throws(ClientError) -> Bool {
        let request = self.request(.get, fault?.rawValue ?? "ok/100000").timeouts(Self.short)
        let task = Task { () async -> Result<Data, ClientError> in
            do throws(ClientError) {
                return .success(try await self.client.data(for: request, delegate: delegate).0)
            } catch {
                return .failure(error)
            }
        }
        for _ in 0..<yieldCount { await Task.yield() }
        task.cancel()
        return try await task.value.get().count == 100_000
    }
}

extension Request {
    /// The request without `Expect: 100-continue`, which the server does not support.
    fileprivate var expectingNothing: Request {
        var request = self
        request.options.expectsContinue = false
        return request
    }
}

/// A body that repeats one piece a number of times.
private struct Repeating: AsyncSequence, Sendable {
    let piece: [UInt8]
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(piece: self.piece, count: self.count) }

    struct Iterator: AsyncIteratorProtocol {
        let piece: [UInt8]
        var count: Int

        mutating func next() async -> [UInt8]? {
            guard self.count > 0 else { return nil }
            self.count -= 1
            return self.piece
        }
    }
}
