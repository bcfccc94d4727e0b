// SPDX-License-Identifier: Apache-2.0

@testable import TernRequests

extension BodyWriterStateMachineTests {
    static let scenarios: [BodyWriterScenario] = Self.pieces + Self.ends + Self.cancellations + Self.releases

    /// Returns the outcomes when the reader gets the piece that a waiting task writes.
    private static func taken(_ text: String) -> [BodyWriterOutcome] { [.writes(text, .taken), .reads(text)] }

    private static let pieces: [BodyWriterScenario] = [
        BodyWriterScenario(
            "a piece waits for the reader",
            [(.makeReader, []), (.write("a"), []), (.read(), Self.taken("a"))]
        ),
        BodyWriterScenario(
            "a reader waits for a piece",
            [(.makeReader, []), (.read(), []), (.write("a"), Self.taken("a"))]
        ),
        BodyWriterScenario(
            "the next piece waits for the reader to come back",
            [
                (.makeReader, []), (.read(), []), (.write("a"), Self.taken("a")), (.write("b"), []),
                (.read(), Self.taken("b")),
            ]
        ),
        BodyWriterScenario(
            "pieces of several tasks go in the order of their calls",
            [
                (.write("a"), []), (.write("b"), []), (.makeReader, []), (.read(), Self.taken("a")),
                (.read(), Self.taken("b")),
            ]
        ),
        BodyWriterScenario(
            "an empty piece is one",
            [(.makeReader, []), (.write(""), []), (.read(), Self.taken(""))]
        ),
    ]

    private static let ends: [BodyWriterScenario] = [
        BodyWriterScenario(
            "the end before it is asked for",
            [(.makeReader, []), (.finish, []), (.read(), [.readsEnd])]
        ),
        BodyWriterScenario("the end that is waited for", [(.makeReader, []), (.read(), []), (.finish, [.readsEnd])]),
        BodyWriterScenario(
            "trailers come with the end",
            [(.makeReader, []), (.finishWithTrailers, []), (.read(), [.readsTrailers])]
        ),
        BodyWriterScenario(
            "the end stands behind pieces that wait",
            [
                (.makeReader, []), (.write("a"), []), (.finish, []), (.read(), Self.taken("a")),
                (.read(), [.readsEnd]),
            ]
        ),
        BodyWriterScenario(
            "a failure does not wait for pieces",
            [
                (.makeReader, []), (.write("a"), []), (.fail, [.writes("a", .finished)]),
                (.read(), [.readFails("Broken")]),
            ]
        ),
        BodyWriterScenario(
            "a failure that is waited for",
            [(.makeReader, []), (.read(), []), (.fail, [.readFails("Broken")])]
        ),
        BodyWriterScenario(
            "the first end counts",
            [(.makeReader, []), (.finish, []), (.fail, []), (.read(), [.readsEnd])]
        ),
        BodyWriterScenario(
            "nothing is written behind the end",
            [(.finish, []), (.write("a"), [.writes("a", .finished)])]
        ),
    ]

    private static let cancellations: [BodyWriterScenario] = [
        BodyWriterScenario(
            "a task that is cancelled before it waits",
            [(.write("a", isCancelled: true), [.writes("a", .cancelled)]), (.cancelWrite("a"), [])]
        ),
        BodyWriterScenario(
            "a task that is cancelled while it waits takes its piece back, and the body goes on",
            [
                (.makeReader, []), (.write("a"), []), (.write("b"), []),
                (.cancelWrite("a"), [.writes("a", .cancelled)]),
                (.read(), Self.taken("b")),
            ]
        ),
        BodyWriterScenario(
            "a cancellation that comes when the piece is taken",
            [(.makeReader, []), (.read(), []), (.write("a"), Self.taken("a")), (.cancelWrite("a"), [])]
        ),
        BodyWriterScenario(
            "a reader that is cancelled before it waits",
            [(.makeReader, []), (.write("a"), []), (.read(isCancelled: true), [.readIsCancelled])]
        ),
        BodyWriterScenario(
            "a reader that is cancelled while it waits",
            [(.makeReader, []), (.read(), []), (.cancelRead, [.readIsCancelled]), (.cancelRead, [])]
        ),
    ]

    private static let releases: [BodyWriterScenario] = [
        BodyWriterScenario(
            "a reader that is released ends the writing",
            [
                (.makeReader, []), (.write("a"), []), (.releaseReader, [.writes("a", .notNeeded)]),
                (.write("b"), [.writes("b", .notNeeded)]), (.finish, []), (.write("c"), [.writes("c", .finished)]),
            ]
        ),
        BodyWriterScenario(
            "a body that is released unsent ends the writing",
            [(.write("a"), []), (.releaseBody(byCall: false), [.writes("a", .notNeeded)]), (.makeReader, [.refused])]
        ),
        BodyWriterScenario(
            "a body in the hands of a call does not need those who made it",
            [
                (.beginCall, []), (.releaseBody(byCall: false), []), (.write("a"), []), (.makeReader, []),
                (.releaseBody(byCall: true), []), (.read(), Self.taken("a")),
            ]
        ),
        BodyWriterScenario(
            "a call that ends without reading ends the writing",
            [
                (.beginCall, []), (.write("a"), []), (.releaseBody(byCall: true), [.writes("a", .notNeeded)]),
                (.releaseBody(byCall: false), []),
            ]
        ),
        BodyWriterScenario(
            "a call that says that it is over ends the writing, and the reading",
            [
                (.beginCall, []), (.makeReader, []), (.read(), []), (.endCall, [.readFails("BodyEnded")]),
                (.write("a"), [.writes("a", .notNeeded)]), (.endCall, []), (.read(), [.readFails("BodyEnded")]),
            ]
        ),
        BodyWriterScenario(
            "a body is read once, by one call",
            [(.beginCall, []), (.beginCall, [.refused]), (.makeReader, []), (.makeReader, [.refused])]
        ),
    ]
}
