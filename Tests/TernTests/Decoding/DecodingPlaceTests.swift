// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Dispatch
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Where bodies are decoded", .hangLimit)
struct DecodingPlaceTests {
    /// A type whose decoding waits for the main actor, and never ends if it runs on the main actor.
    private struct Place: Decodable {
        let isMainActorFree: Bool

        init(from decoder: any Decoder) throws {
            let turn = DispatchSemaphore(value: 0)
            Task { @MainActor in turn.signal() }
            self.isMainActorFree = turn.wait(timeout: .now() + 300) == .success
        }
    }

    @MainActor
    @Test func `decoding does not hold up the actor of the caller`() async throws {
        let scene = ClientScene { _ in .response(body: "1") }
        let place: Place = try await scene.client.value(from: testURL)
        #expect(place.isMainActorFree)
    }
}
