// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
import TernTransport

/// Reports the attempt of one channel to connect; it is in the pipeline only where somebody wants to know.
final class ConnectAttemptHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never

    private let observer: any TransferObserver

    init(_ observer: any TransferObserver) { self.observer = observer }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        let text = address.text ?? "\(address)"
        let observer = self.observer
        let attempted = promise ?? context.eventLoop.makePromise()
        observer.didReach(.attempting(address: text))
        attempted.futureResult.whenComplete { result in
            switch result {
            case .success:
                observer.didReach(.attempted(address: text, nil))
            case .failure(let error):
                // Happy Eyeballs closes the channels of the attempts that it needs no more.
                let failure = (error as? IOError).map { ConnectionFailure(errno: $0.errnoCode) }
                observer.didReach(.attempted(address: text, failure ?? .interrupted))
            }
        }
        context.connect(to: address, promise: attempted)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

extension SocketAddress {
    /// `address:port`, or the path of a socket; `nil` where it has none.
    var text: String? {
        if let path = self.pathname { return path.isEmpty ? nil : path }
        guard let address = self.ipAddress, let port = self.port else { return nil }
        return Endpoint.host(address, port: port).description
    }
}
