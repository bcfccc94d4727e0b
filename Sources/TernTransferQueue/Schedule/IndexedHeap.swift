// SPDX-License-Identifier: Apache-2.0

/// A binary heap whose elements can be removed or get another rank in O(log *n*), because it knows the place of each.
struct IndexedHeap<Element: Hashable & Sendable, Rank: Comparable & Sendable>: Sendable {
    private struct Node: Sendable {
        let element: Element
        var rank: Rank
    }

    private var nodes: [Node] = []
    private var places: [Element: Int] = [:]
    private(set) var inspectionCount = 0

    var isEmpty: Bool { self.nodes.isEmpty }
    var count: Int { self.nodes.count }

    var first: (element: Element, rank: Rank)? { self.nodes.first.map { ($0.element, $0.rank) } }

    mutating func set(_ element: Element, _ rank: Rank) {
        let place: Int
        if let known = self.places[element] {
            self.nodes[known].rank = rank
            place = known
        } else {
            place = self.nodes.count
            self.nodes.append(Node(element: element, rank: rank))
            self.places[element] = place
        }
        self.settle(place)
    }

    @discardableResult
    mutating func remove(_ element: Element) -> Bool {
        guard let place = self.places.removeValue(forKey: element) else { return false }
        let last = self.nodes.removeLast()
        if place < self.nodes.count {
            self.nodes[place] = last
            self.places[last.element] = place
            self.settle(place)
        }
        return true
    }

    private mutating func settle(_ start: Int) {
        var place = start
        while place > 0, self.isLower(place, (place - 1) / 2) {
            self.exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while true {
            var lowest = place
            for child in [2 * place + 1, 2 * place + 2] where child < self.nodes.count && self.isLower(child, lowest) {
                lowest = child
            }
            guard lowest != place else { return }
            self.exchange(place, lowest)
            place = lowest
        }
    }

    private mutating func isLower(_ place: Int, _ other: Int) -> Bool {
        self.inspectionCount += 1
        return self.nodes[place].rank < self.nodes[other].rank
    }

    private mutating func exchange(_ place: Int, _ other: Int) {
        self.nodes.swapAt(place, other)
        self.places[self.nodes[place].element] = place
        self.places[self.nodes[other].element] = other
    }
}
