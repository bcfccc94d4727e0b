// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

extension Tunnel {
    /// Asks a SOCKS proxy to look up the server and to connect to it (RFC 1928).
    func openBySOCKS(over connection: any Connection, _ deadline: CallDeadline?) async throws(ClientError) {
        var handshake = try self.handshake()
        var unread = ByteBuffer()
        try await self.write(handshake.start(), to: connection, deadline)
        while true {
            let step: SOCKS5Handshake.Step
            do throws(SOCKSViolation) {
                step = try Self.step(&handshake, unread)
            } catch {
                throw .proxyFailed(error.failure, self.call.context(.proxy))
            }
            unread.moveReaderIndex(forwardBy: step.consumedByteCount)
            switch step.action {
            case .receive(let count):
                let bytes = try await self.read(count - unread.readableBytes, from: connection, deadline)
                unread.append(arrived: bytes)
            case .send(let bytes):
                try await self.write(bytes, to: connection, deadline)
            case .connected:
                guard unread.readableBytes == 0 else {
                    throw .proxyFailed(Self.spokeEarly, self.call.context(.proxy))
                }
                return
            }
        }
    }

    private func handshake() throws(ClientError) -> SOCKS5Handshake {
        do throws(SOCKSError) {
            return try SOCKS5Handshake(
                host: self.server.host,
                port: self.server.port,
                user: self.proxy.userInfo?.user,
                password: self.proxy.userInfo?.password
            )
        } catch {
            throw .proxyFailed(error.failure, self.call.context(.proxy))
        }
    }

    private static func step(
        _ handshake: inout SOCKS5Handshake,
        _ bytes: ByteBuffer
    ) throws(SOCKSViolation) -> SOCKS5Handshake.Step {
        try handshake.receive(bytes.readableBytesSpan)
    }

    private func write(
        _ bytes: [UInt8],
        to connection: any Connection,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        do throws(ConnectionError) {
            try await connection.write(ByteBuffer(bytes: bytes), deadline: deadline)
        } catch {
            throw self.call.error(error, .proxy)
        }
    }

    private func read(
        _ byteCount: Int,
        from connection: any Connection,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> ByteBuffer {
        do throws(ConnectionError) {
            guard let bytes = try await connection.read(atLeast: byteCount, deadline: deadline) else {
                throw ConnectionError.closed
            }
            return bytes
        } catch {
            throw self.call.error(error, .proxy)
        }
    }
}
