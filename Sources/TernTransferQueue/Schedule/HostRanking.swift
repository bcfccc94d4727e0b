// SPDX-License-Identifier: Apache-2.0
import Tern
import TernRequests

/// Transfers in the order of their ranks, without those of busy hosts, which cost nothing until their host is free.
struct HostRanking<Rank: Comparable & Sendable>: Sendable {
    private var transfers: [Origin: IndexedHeap<TransferID, Rank>] = [:]
    private var hosts = IndexedHeap<Origin, Rank>()
    private var busyHosts: Set<Origin> = []
    private(set) var count = 0
    private(set) var inspectionCount = 0

    var first: (id: TransferID, rank: Rank)? {
        guard let host = self.hosts.first else { return nil }
        return self.transfers[host.element]?.first.map { ($0.element, $0.rank) }
    }

    mutating func insert(_ id: TransferID, of host: Origin, _ rank: Rank) {
        self.change(host) { $0.set(id, rank) }
        self.count += 1
    }

    mutating func remove(_ id: TransferID, of host: Origin) {
        var isRemoved = false
        self.change(host) { isRemoved = $0.remove(id) }
        if isRemoved { self.count -= 1 }
    }

    mutating func setBusy(_ isBusy: Bool, _ host: Origin) {
        let hasChanged = isBusy ? self.busyHosts.insert(host).inserted : self.busyHosts.remove(host) != nil
        if hasChanged { self.rank(host) }
    }

    private mutating func change(_ host: Origin, _ body: (inout IndexedHeap<TransferID, Rank>) -> Void) {
        let before = self.transfers[host]?.inspectionCount ?? 0
        body(&self.transfers[host, default: IndexedHeap()])
        self.inspectionCount += (self.transfers[host]?.inspectionCount ?? 0) - before
        if self.transfers[host]?.isEmpty ?? true { self.transfers[host] = nil }
        self.rank(host)
    }

    private mutating func rank(_ host: Origin) {
        let before = self.hosts.inspectionCount
        if let first = self.transfers[host]?.first, !self.busyHosts.contains(host) {
            self.hosts.set(host, first.rank)
        } else {
            self.hosts.remove(host)
        }
        self.inspectionCount += self.hosts.inspectionCount - before
    }
}
