// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernHTTP1

extension GatewayExchange {
    /// A part of the response, held until it is known whether the response ends with it.
    enum Part {
        case head(ResponseHead)
        case content([UInt8])
    }

    func run() async {
        do {
            try await self.relay()
        } catch let failure as ConnectionError {
            guard !self.isAborted, failure != .cancelled else { return }
            await self.session.fail(self.stream, failure)
        } catch {
            // The response is malformed, or ends too early. This does not matter to a client that has reset the stream.
            if !self.isAborted { await self.session.fail(self.stream, .closed) }
            self.server.close()
        }
    }

    private func relay() async throws {
        var decoder = ResponseDecoder(method: self.request.method, allowsUpgrade: self.request.isTunnel)
        var bytes: ContiguousArray<UInt8> = []
        var part: Part?
        var countdown = ResetCountdown(self.reset)
        while !decoder.isComplete {
            let step = try decoder.next(bytes.span.bytes)
            var event = step.event
            if event == nil {
                bytes.removeFirst(step.consumedByteCount)
                guard await self.send(part) else { return }
                part = nil
                if let more = try await self.server.read(atLeast: 1, deadline: nil) {
                    bytes += more.readableBytesView
                    continue
                }
                event = try decoder.finish()
            }
            guard let event else { return }
            switch event {
            case .informational(let head):
                await self.session.send(.headers(self.stream, fields: GatewayFields.list(head)))
            case .head(let head):
                if head.statusCode == 101 {
                    return await self.tunnel(head, Array(bytes.dropFirst(step.consumedByteCount)), countdown)
                }
                part = .head(head)
                if countdown.byteCountBeforeReset(in: 0) != nil { return await self.performReset(after: part) }
            case .body(let range):
                guard await self.send(part) else { return }
                part = .content(Array(bytes[range]))
                if let count = countdown.byteCountBeforeReset(in: range.count) {
                    return await self.performReset(after: .content(Array(bytes[range].prefix(count))))
                }
            case .end(let trailers):
                let isReusable = decoder.isReusable && bytes.count == step.consumedByteCount
                let fields = trailers?.makeHTTPFields() ?? [:]
                return await self.end(with: part, trailers: fields, isReusable: isReusable)
            @unknown default: return
            }
            if step.event != nil { bytes.removeFirst(step.consumedByteCount) }
        }
    }

    /// Passes on bytes of another protocol until the server ends or the stream is closed.
    private func tunnel(_ head: ResponseHead, _ bytes: [UInt8], _ countdown: ResetCountdown) async {
        await self.session.send(.headers(self.stream, fields: GatewayFields.list(head, status: 200)))
        var (bytes, countdown) = (bytes, countdown)
        do throws(ConnectionError) {
            while true {
                if let count = countdown.byteCountBeforeReset(in: bytes.count) {
                    return await self.performReset(after: .content(Array(bytes.prefix(count))))
                }
                guard await self.send(bytes) != nil else { return }
                guard let more = try await self.server.read(atLeast: 1, deadline: nil) else { break }
                bytes = Array(more.readableBytesView)
            }
        } catch {
            switch error {
            case .closed: break
            case .failed: return await self.session.fail(self.stream, error)
            default:
                self.session.close(self.stream)
                await self.session.send(.reset(self.stream, HTTP2Code.cancel))
                return
            }
        }
        guard !self.isAborted else { return }
        self.endTunnel()
        await self.session.send(.data(self.stream, [], endsStream: true))
    }
}
