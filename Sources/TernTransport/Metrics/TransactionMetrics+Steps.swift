// SPDX-License-Identifier: Apache-2.0
import TernErrors

extension TransactionMetrics {
    /// Records a step and its time, but no attempts to connect beyond the maximum.
    mutating func reach(_ milestone: ExchangeMilestone, at elapsed: Duration, maximumAttemptCount: Int) {
        // A proxy may close the connection after its 407, so that the client needs another one for the tunnel. Only the steps of
        // the first connection are recorded; the time for the other one is part of `tunnelling`.
        switch milestone {
        case .waiting: self.waiting = self.waiting ?? elapsed..<elapsed
        case .connecting:
            if self.connecting == nil { self.waiting?.close(at: elapsed) }
            self.connecting = self.connecting ?? elapsed..<elapsed
        case .resolving: self.resolution = self.resolution ?? elapsed..<elapsed
        case .resolved(let addressCount):
            if self.addressCount == nil { self.resolution?.close(at: elapsed) }
            self.addressCount = self.addressCount ?? addressCount
        case .attempting(let address):
            guard self.connectAttempts.count < maximumAttemptCount else { return }
            self.connectAttempts.append(
                ConnectAttempt(address: address, interval: elapsed..<elapsed, outcome: .pending)
            )
        case .attempted(let address, let failure): self.attempted(address, failure, at: elapsed)
        case .connected:
            // `URLSession` does not report `connecting`.
            if self.connecting == nil { self.waiting?.close(at: elapsed) }
            // With TLS to the proxy, `connecting` ended before the handshake with the proxy.
            if self.proxyHandshake == nil, self.tunnelling == nil { self.connecting?.close(at: elapsed) }
        case .securing(isProxy: true):
            if self.proxyHandshake == nil, self.tunnelling == nil { self.connecting?.close(at: elapsed) }
            self.proxyHandshake = self.proxyHandshake ?? elapsed..<elapsed
        case .proxySecured: if self.tunnelling == nil { self.proxyHandshake?.close(at: elapsed) }
        case .tunnelling: self.tunnelling = self.tunnelling ?? elapsed..<elapsed
        case .tunnelled: self.tunnelling?.close(at: elapsed)
        case .securing(isProxy: false): self.handshake = self.handshake ?? elapsed..<elapsed
        case .secured: self.handshake?.close(at: elapsed)
        default: self.exchanged(milestone, at: elapsed)
        }
    }

    private mutating func exchanged(_ milestone: ExchangeMilestone, at elapsed: Duration) {
        switch milestone {
        case .begun(let connection):
            if self.connecting == nil { self.waiting?.close(at: elapsed) }
            self.connected = elapsed
            self.connection = connection
        case .streamOpened(let number):
            self.streamNumber = number
        case .headSent(let byteCount):
            self.headSent = elapsed
            self.requestSent = elapsed
            self.sent.head = Int64(byteCount)
        case .bodySent(let byteCount):
            self.requestSent = elapsed
            self.sent.body = byteCount
        case .firstByte:
            self.firstByte = elapsed
        case .answered(let statusCode, let version, let headByteCount):
            self.statusCode = statusCode
            self.protocolVersion = version
            self.answered = elapsed
            self.received.head = Int64(headByteCount)
        case .finished(let byteCount):
            self.received.body = byteCount
            self.finish(at: elapsed)
        default:
            break
        }
    }

    private mutating func attempted(_ address: String, _ failure: ConnectionFailure?, at elapsed: Duration) {
        let isPending = { (attempt: ConnectAttempt) in attempt.address == address && attempt.outcome == .pending }
        guard let index = self.connectAttempts.firstIndex(where: isPending) else { return }
        self.connectAttempts[index].interval.close(at: elapsed)
        self.connectAttempts[index].outcome =
            switch failure {
            case nil: .connected
            case .interrupted?: .abandoned
            case let failure?: .failed(failure)
            }
    }

    /// Ends the exchange and its open steps, unless it is already over.
    mutating func finish(at elapsed: Duration) {
        guard self.end == nil else { return }
        self.end = elapsed
        for index in self.connectAttempts.indices where self.connectAttempts[index].outcome == .pending {
            self.connectAttempts[index].interval.close(at: elapsed)
            self.connectAttempts[index].outcome = .abandoned
        }
        guard self.connected == nil else { return }
        // Without a connection, the step that began last is the one that failed, and ends now.
        if self.handshake != nil {
            self.handshake?.closeIfOpen(at: elapsed)
        } else if self.tunnelling != nil {
            self.tunnelling?.closeIfOpen(at: elapsed)
        } else if self.proxyHandshake != nil {
            self.proxyHandshake?.closeIfOpen(at: elapsed)
        } else if self.connecting != nil {
            self.connecting?.closeIfOpen(at: elapsed)
            if self.addressCount == nil { self.resolution?.closeIfOpen(at: elapsed) }
        } else {
            self.waiting?.closeIfOpen(at: elapsed)
        }
    }
}

extension Range<Duration> {
    fileprivate mutating func close(at end: Duration) { self = self.lowerBound..<Swift.max(self.lowerBound, end) }

    /// Sets the end of the interval if the interval has no length yet.
    fileprivate mutating func closeIfOpen(at end: Duration) {
        if self.isEmpty { self.close(at: end) }
    }

    /// The length of the interval.
    package var duration: Duration { self.upperBound - self.lowerBound }
}
