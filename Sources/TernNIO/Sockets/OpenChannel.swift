// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// A channel that is open from the beginning: it cannot be registered, bound or connected.
protocol OpenChannel: Channel, ChannelCore {}

extension OpenChannel {
    var parent: (any Channel)? { nil }
    var _channelCore: any ChannelCore { self }
    var syncOptions: (any NIOSynchronousChannelOptions)? { OpenChannelOptions() }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        self.eventLoop.makeCompletedFuture { try OpenChannelOptions().setOption(option, value: value) }
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        self.eventLoop.makeCompletedFuture { try OpenChannelOptions().getOption(option) }
    }

    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func bind0(to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func connect0(to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    /// Begins to close the channel; returns `false` if it is closed, or if `mode` asks to close only one direction.
    func beginsToClose(_ isOpen: borrowing Atomic<Bool>, _ mode: CloseMode, _ promise: EventLoopPromise<Void>?) -> Bool
    {
        guard mode == .all else {
            promise?.fail(ChannelError.operationUnsupported)
            return false
        }
        guard isOpen.exchange(false, ordering: .relaxed) else {
            promise?.fail(ChannelError.alreadyClosed)
            return false
        }
        return true
    }

    /// Tells the handlers that the channel has closed, and removes them, on the event loop while no handler is running.
    func leavePipeline(_ closed: EventLoopPromise<Void>) {
        self.pipeline.syncOperations.fireChannelInactive()
        self.pipeline.syncOperations.fireChannelUnregistered()
        self.removeHandlers(pipeline: self.pipeline)
        closed.succeed()
    }

    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}

/// Only `AutoReadOption`, as `false`, so that the TLS handler asks for more bytes if it needs them.
private struct OpenChannelOptions: NIOSynchronousChannelOptions {
    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) throws {
        throw ChannelError.operationUnsupported
    }

    func getOption<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
        guard option is ChannelOptions.Types.AutoReadOption, let value = false as? Option.Value else {
            throw ChannelError.operationUnsupported
        }
        return value
    }
}
