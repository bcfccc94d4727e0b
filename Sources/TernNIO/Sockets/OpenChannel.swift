// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// A channel that is open from the beginning: it cannot be registered, bound or connected, and it has no options to set.
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
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}

/// The options of an open channel: only `AutoReadOption`, which is `false`.
///
/// The option tells the TLS handler that the channel reads only when asked. So the handler asks for more bytes if the
/// bytes that have arrived are not enough.
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
