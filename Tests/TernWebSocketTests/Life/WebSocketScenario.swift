// SPDX-License-Identifier: Apache-2.0
import TernWebSocketCore
import Testing

/// A list of events with the expected outcomes, and a name.
struct WebSocketScenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let hasKeepAlive: Bool
    let isStream: Bool
    let steps: [(event: WebSocketEvent, expected: [WebSocketOutcome])]

    init(
        _ name: String,
        hasKeepAlive: Bool = false,
        isStream: Bool = false,
        _ steps: [(WebSocketEvent, [WebSocketOutcome])]
    ) {
        self.testDescription = name
        (self.hasKeepAlive, self.isStream) = (hasKeepAlive, isStream)
        self.steps = steps.map { (event: $0.0, expected: $0.1) }
    }
}

extension WebSocketScenario {
    /// The ends of a WebSocket.
    static let ends: [WebSocketScenario] = [
        .init(
            "§7.1.2: this side closes, the server answers and ends the connection",
            [
                (.closes(.goingAway), [.sendsClose(.goingAway), .dropsMessages, .arms(5)]),
                (.receivesClose(.goingAway), []),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(.goingAway, nil)]),
            ]
        ),
        .init(
            "§5.5.1: the server closes, and its code is echoed",
            [
                (.receivesClose(.goingAway), [.sendsClose(.goingAway), .endsMessages(nil), .arms(5)]),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(.goingAway, nil)]),
            ]
        ),
        .init(
            "§7.1.5: the server closes without a code",
            [
                (.receivesClose(nil), [.sendsClose(nil), .endsMessages(nil), .arms(5)]),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "both close at once: only one Close frame is sent, and the application drops the messages",
            [
                (.receivesClose(.goingAway), [.sendsClose(.goingAway), .endsMessages(nil), .arms(5)]),
                (.closes(), [.dropsMessages]),
                (.closes(), [.dropsMessages]),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(.goingAway, nil)]),
                (.closes(), [.dropsMessages]),
            ]
        ),
        .init(
            "a message cannot be completed: this side closes, and what has arrived is delivered",
            [
                (.failsToSend, [.sendsClose(.internalError), .endsMessages(nil), .arms(5)]),
                (.receivesClose(.internalError), []),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(.internalError, nil)]),
            ]
        ),
        .init(
            "a message cannot be completed because the server has closed",
            [
                (.receivesClose(.goingAway), [.sendsClose(.goingAway), .endsMessages(nil), .arms(5)]),
                (.failsToSend, []),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.ends(.goingAway, nil)]),
            ]
        ),
        .init(
            "a stream of HTTP/2 ends as soon as the server has answered",
            isStream: true,
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.receivesClose(), [.closesConnection]),
                (.fails(), []),
                (.readerEnds, [.ends(.normalClosure, nil)]),
            ]
        ),
        .init(
            "the connection ends before the close",
            [
                (.peerEnds, [.endsMessages(.lost), .closesConnection]),
                (.closes(), [.dropsMessages]),
                (.readerEnds, [.ends(nil, .lost)]),
            ]
        ),
        .init(
            "the connection ends after the close, without an answer",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.peerEnds, [.closesConnection]),
                (.passes(5), []),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "the connection fails while this side closes",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.fails(), [.closesConnection]),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "a sender runs out of time, and then the reader finds the connection closed",
            [
                (.fails(.full), [.endsMessages(.full), .closesConnection]),
                (.fails(.lost), []),
                (.readerEnds, [.ends(nil, .full)]),
            ]
        ),
        .init(
            "a Close frame that arrives after a failure is told, and changes nothing else",
            [
                (.fails(.full), [.endsMessages(.full), .closesConnection]),
                (.receivesClose(), []),
                (.peerEnds, []),
                (.readerEnds, [.ends(.normalClosure, .full)]),
            ]
        ),
        .init(
            "§7.1.1: the server answers too late",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.passes(4), []),
                (.passes(1), [.closesConnection]),
                (.receivesClose(), []),
                (.fails(), []),
                (.readerEnds, [.ends(.normalClosure, nil)]),
            ]
        ),
        .init(
            "§7.1.1: the server answers, but does not end the connection; its answer does not extend the time",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.passes(3), []),
                (.receivesClose(), []),
                (.passes(2), [.closesConnection]),
                (.fails(), []),
                (.readerEnds, [.ends(.normalClosure, nil)]),
            ]
        ),
        .init(
            "a timer that fires too early is set again",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.passes(3), []),
                (.firesLate, [.arms(5)]),
                (.passes(2), [.closesConnection]),
                (.firesLate, []),
                (.fails(), []),
                (.readerEnds, [.ends(nil, nil)]),
                (.firesLate, []),
            ]
        ),
        .init(
            "§7.1.7: a violation is told, and the frame has time to arrive",
            [
                (.violates(), [.sendsClose(.protocolError), .endsMessages(.violation), .arms(5)]),
                (.peerEnds, []),
                (.readerEnds, [.ends(nil, .violation)]),
            ]
        ),
        .init(
            "§7.1.7: after a violation, the server does not end the connection",
            [
                (.violates(), [.sendsClose(.protocolError), .endsMessages(.violation), .arms(5)]),
                (.closes(), [.dropsMessages]),
                (.passes(5), [.closesConnection]),
                (.peerEnds, []),
                (.readerEnds, [.ends(nil, .violation)]),
            ]
        ),
        .init(
            "§5.5.1: a violation after the Close frame is not told",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.violates(), [.closesConnection]),
                (.peerEnds, []),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "§7.4.1: a violation whose code is not for the wire closes the connection",
            [
                (.violates(.abnormalClosure), [.endsMessages(.violation), .closesConnection]),
                (.readerEnds, [.ends(nil, .violation)]),
            ]
        ),
        .init(
            "a released WebSocket does not wait for an answer",
            [
                (.isReleased, [.sendsClose(.goingAway), .dropsMessages, .closesConnection]),
                (.passes(5), []),
                (.fails(), []),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "a WebSocket that is released while it closes waits for the answer",
            [
                (.closes(), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.isReleased, [.dropsMessages]),
                (.passes(5), [.closesConnection]),
                (.fails(), []),
                (.readerEnds, [.ends(nil, nil)]),
            ]
        ),
        .init(
            "tasks wait until the reader has ended, and a later one does not wait",
            [
                (.closesAndWaits("a"), [.sendsClose(.normalClosure), .dropsMessages, .arms(5)]),
                (.closesAndWaits("b"), [.dropsMessages]),
                (.receivesClose(), []),
                (.peerEnds, [.closesConnection]),
                (.readerEnds, [.resumes("a"), .resumes("b"), .ends(.normalClosure, nil)]),
                (.closesAndWaits("c"), [.dropsMessages, .resumes("c")]),
            ]
        ),
    ]
}
