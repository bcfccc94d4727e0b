// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
@testable import TernTransferQueue
import TestSupport
import Testing

/// Counts the work of a schedule with many transfers, and measures no time.
@Suite("TransferSchedule: ten thousand transfers")
struct LargeScheduleTests {
    private static let count: Int64 = 10_000
    /// The limit for one event: some operations on heaps of 14 levels, each of which compares at most two ranks a level.
    private static let limit = 1000

    /// The ways in which the hosts of the transfers are chosen.
    enum Hosts: CaseIterable {
        /// All transfers have the same host.
        case one
        case seven
        /// Each transfer has its own host.
        case each
        /// One host has nearly all transfers, and the highest priorities.
        case mostlyOne

        func host(_ number: Int64) -> String {
            switch self {
            case .one: "a"
            case .seven: "h\(number % 7)"
            case .each: "h\(number)"
            case .mostlyOne: number % 1000 == 0 ? "b" : "a"
            }
        }
    }

    private static func scene(_ hosts: Hosts) -> ScheduleScene {
        var scene = ScheduleScene { $0.maximumRunningCount = 4 }
        for number in 1...Self.count {
            let priority: TransferPriority = hosts == .mostlyOne && number % 1000 != 0 ? .high : .normal
            scene.add(number, host: hosts.host(number), priority)
        }
        return scene
    }

    /// Returns the number of transfers and hosts that an event inspects.
    private static func work(_ scene: inout ScheduleScene, _ event: (inout ScheduleScene) -> Void) -> Int {
        let before = scene.schedule.index.inspectionCount
        event(&scene)
        return scene.schedule.index.inspectionCount - before
    }

    @Test(arguments: Hosts.allCases)
    func `starting and ending inspect few of them`(_ hosts: Hosts) {
        var scene = Self.scene(hosts)
        var running: [Int64] = []
        for round in 0..<200 {
            let started = Self.work(&scene) { running += $0.start() }
            #expect(started <= 4 * Self.limit)
            // Looking again, when nothing can start, is nearly free.
            #expect(Self.work(&scene) { _ = $0.rest() } == 0)
            guard !running.isEmpty else { return #expect(Bool(false), "nothing runs") }
            let number = running.removeFirst()
            let end = [AttemptEnd.completed, .lost, .failed(isAnswered: true), .notStored, .interrupted][round % 5]
            #expect(Self.work(&scene) { $0.end(number, end) } <= Self.limit)
            if round % 5 == 0 { scene.advance(.seconds(1)) }
        }
        #expect(running.count < 4)
    }

    @Test(arguments: Hosts.allCases)
    func `each command inspects few of them`(_ hosts: Hosts) {
        var scene = Self.scene(hosts)
        _ = scene.start()
        for number in stride(from: 1, through: Self.count, by: 101) {
            let id = ScheduleScene.id(number)
            let events: [(inout TransferSchedule) -> Void] = [
                { $0.setPriority(.high, of: id) },
                { _ = $0.pause(id) },
                { _ = $0.resume(id) },
                { $0.transferred(id, byteCount: 5 << 20) },
                { if $0.beginRemoving(id) == .done { $0.forget(id) } },
                { _ = $0.pauseAll() },
                { $0.resumeAll() },
            ]
            for event in events { #expect(Self.work(&scene) { event(&$0.schedule) } <= 4 * Self.limit) }
        }
    }

    @Test(arguments: Hosts.allCases)
    func `delays and their ends inspect few of them`(_ hosts: Hosts) {
        var scene = Self.scene(hosts)
        for _ in 0..<500 {
            for number in scene.start() {
                #expect(Self.work(&scene) { $0.end(number, .lost) } <= Self.limit)
            }
        }
        // All delays end at once: the work is that of the transfers whose state changes.
        scene.advance(.seconds(100))
        let ended = Self.work(&scene) { _ = $0.start() }
        #expect(ended <= 2000 * Self.limit)
        for _ in 0..<50 {
            guard case .some(let number) = scene.schedule.index.running.first?.number else { return }
            #expect(Self.work(&scene) { $0.end(number, .completed) } <= Self.limit)
            #expect(Self.work(&scene) { _ = $0.start() } <= 4 * Self.limit)
        }
    }

    @Test(arguments: Hosts.allCases)
    func `an outage inspects few of them`(_ hosts: Hosts) {
        var scene = Self.scene(hosts)
        for number in scene.start() { #expect(Self.work(&scene) { $0.end(number, .unreachable) } <= Self.limit) }
        #expect(scene.schedule.outage != nil)
        for _ in 0..<50 {
            scene.advance(.seconds(4))
            var probes: [Int64] = []
            #expect(Self.work(&scene) { probes = $0.start() } <= Self.limit)
            #expect(probes.count == 1)
            for number in probes { #expect(Self.work(&scene) { $0.end(number, .unreachable) } <= Self.limit) }
        }
        scene.advance(.seconds(4))
        // Each of the transfers that have failed may start again.
        let failed = scene.schedule.index.waitingForNetwork.count
        for number in scene.start() { scene.transferred(number, byteCount: 1) }
        #expect(scene.schedule.outage == nil)
        #expect(failed <= 54)
    }
}
