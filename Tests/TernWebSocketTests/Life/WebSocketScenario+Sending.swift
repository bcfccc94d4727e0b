// SPDX-License-Identifier: Apache-2.0
import TernWebSocketCore

extension WebSocketScenario {
    /// Sending until the end: messages in turn, pings and pongs.
    static let sending: [WebSocketScenario] = [
        .init(
            "§5.4: one task sends at a time, in the order in which they ask",
            [
                (.sends("a"), [.grants("a")]),
                (.sends("b"), [.waits("b")]),
                (.sends("c"), [.waits("c")]),
                (.endsTurn, [.grants("b")]),
                (.sends("d"), [.waits("d")]),
                (.endsTurn, [.grants("c")]),
                (.endsTurn, [.grants("d")]),
                (.endsTurn, []),
                (.sends("e"), [.grants("e")]),
            ]
        ),
        .init(
            "cancelled senders get no turn",
            [
                (.sends("a"), [.grants("a")]),
                (.sends("b"), [.waits("b")]),
                (.sends("c"), [.waits("c")]),
                (.cancelsSender("b"), []),
                (.endsTurn, [.grants("c")]),
                (.sends("d"), [.waits("d")]),
                (.cancelsSender("d"), []),
                (.endsTurn, []),
                (.sends("e"), [.grants("e")]),
            ]
        ),
        .init(
            "senders that wait learn of the close, and the one that sends passes nothing on",
            [
                (.sends("a"), [.grants("a")]),
                (.sends("b"), [.waits("b")]),
                (.sends("c"), [.waits("c")]),
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5), .refuses("b"), .refuses("c")]),
                (.sends("d"), [.refuses("d")]),
                (.endsTurn, []),
                (.sends("e"), [.refuses("e")]),
            ]
        ),
        .init(
            "a sender runs out of time while others wait",
            [
                (.sends("a"), [.grants("a")]),
                (.sends("b"), [.waits("b")]),
                (.pings("c"), [.sendsPing("c")]),
                (.fails(.full), [.endsMessages(.full), .closesConnection, .refuses("b"), .refuses("c")]),
                (.endsTurn, []),
            ]
        ),
        .init(
            "§5.5.3: a pong answers the pings before it, too, and once",
            [
                (.pings("a"), [.sendsPing("a")]),
                (.pings("b"), [.sendsPing("b")]),
                (.pings("c"), [.sendsPing("c")]),
                (.pongs(to: "b"), [.answers("a"), .answers("b")]),
                (.pongs(to: "a"), []),
                (.pongs(to: "c"), [.answers("c")]),
            ]
        ),
        .init(
            "a ping whose task has gone is not answered",
            [
                (.pings("a"), [.sendsPing("a")]),
                (.pings("b"), [.sendsPing("b")]),
                (.cancelsPing("b"), []),
                (.pongs(to: "b"), []),
                (.pongs(to: "a"), [.answers("a")]),
            ]
        ),
        .init(
            "pings without an answer fail with the close, whoever closes, and no ping is sent after it",
            [
                (.pings("a"), [.sendsPing("a")]),
                (.receivesClose(), [.sendsClose(.normalClosure), .endsMessages(nil), .arms(5), .refuses("a")]),
                (.pongs(to: "a"), []),
                (.pings("b"), [.refuses("b")]),
                (.cancelsPing("a"), []),
            ]
        ),
        .init(
            "§5.5.3: while the send buffer is full, only the latest ping of the server is kept",
            [
                (.isPinged("a"), [.sendsPong("a")]),
                (.isPinged("b", hasRoom: false), [.sendsPong("b"), .waitsForRoom]),
                (.isPinged("c"), []),
                (.isPinged("d"), []),
                (.hasRoom, [.sendsPong("d")]),
                (.isPinged("e", hasRoom: false), [.sendsPong("e"), .waitsForRoom]),
                (.hasRoom, []),
                (.isPinged("f"), [.sendsPong("f")]),
            ]
        ),
        .init(
            "§5.5.1: no pong follows a Close frame",
            [
                (.isPinged("a", hasRoom: false), [.sendsPong("a"), .waitsForRoom]),
                (.isPinged("b"), []),
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.hasRoom, []),
                (.isPinged("c"), []),
            ]
        ),
    ]

    /// Keep-alive, with an interval of 10 seconds and a timeout of 4.
    static let silence: [WebSocketScenario] = [
        .init(
            "a server that does not answer is given up",
            hasKeepAlive: true,
            [
                (.pings("a"), [.sendsPing("a")]),
                (.passes(10), [.asksServer, .arms(14)]),
                (.passes(4), [.endsMessages(.silent), .closesConnection, .refuses("a")]),
                (.fails(), []),
                (.readerEnds, [.ends(nil, .silent)]),
            ]
        ),
        .init(
            "a server that sends is not asked, and one that falls silent is given up",
            hasKeepAlive: true,
            [
                (.passes(7), []),
                (.receivesBytes, []),
                (.passes(3), [.arms(17)]),
                (.passes(7), [.asksServer, .arms(21)]),
                (.passes(1), []),
                (.receivesBytes, []),
                (.passes(3), [.arms(28)]),
                (.passes(7), [.asksServer, .arms(32)]),
                (.passes(3), []),
                (.firesLate, [.arms(32)]),
                (.passes(1), [.endsMessages(.silent), .closesConnection]),
            ]
        ),
        .init(
            "while the reader pauses, no server is given up",
            hasKeepAlive: true,
            [
                (.passes(10), [.asksServer, .arms(14)]),
                (.pausesReading(true), []),
                (.passes(4), [.arms(24)]),
                (.pausesReading(false), []),
                (.passes(10), [.asksServer, .arms(28)]),
            ]
        ),
        .init(
            "a ping of keep-alive is not answered while this side closes: the close timeout ends it",
            hasKeepAlive: true,
            [
                (.passes(10), [.asksServer, .arms(14)]),
                (.passes(1), []),
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(16)]),
                (.passes(3), []),
                (.firesLate, [.arms(16)]),
                (.passes(2), [.closesConnection]),
                (.fails(), []),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "the server closes before the next ping: none is sent",
            hasKeepAlive: true,
            [
                (.receivesClose(), [.sendsClose(.normalClosure), .endsMessages(nil), .arms(5)]),
                (.peerEnds, [.closesConnection]),
                (.passes(10), []),
                (.firesLate, []),
                (.readerEnds, [.ends(.normalClosure, nil)]),
            ]
        ),
    ]
}
