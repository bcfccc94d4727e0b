// SPDX-License-Identifier: Apache-2.0
import DequeModule

/// A queue whose elements belong to groups, which take turns; within a group, the order is first in, first out.
struct RotatingQueue<Group: Hashable & Sendable, Element: Sendable>: Sendable {
    private var elements: [Group: Deque<Element>] = [:]
    /// The groups that have elements, each once, the next one first.
    private var groups = Deque<Group>()
    private(set) var count = 0

    mutating func append(_ element: Element, to group: Group) {
        self.count += 1
        if self.elements[group] == nil { self.groups.append(group) }
        self.elements[group, default: []].append(element)
    }

    /// Removes the first element of the next group that fulfils a condition.
    mutating func popFirst(where mayLeave: (Group) -> Bool) -> Element? {
        guard let index = self.groups.firstIndex(where: mayLeave) else { return nil }
        let group = self.groups.remove(at: index)
        guard let element = self.elements[group]?.popFirst() else { return nil }
        self.count -= 1
        if self.elements[group]?.isEmpty == true {
            self.elements[group] = nil
        } else {
            self.groups.append(group)
        }
        return element
    }

    mutating func keep(where isWanted: (Element) -> Bool) {
        for group in self.groups {
            let kept = self.elements[group]?.filter(isWanted) ?? []
            self.elements[group] = kept.isEmpty ? nil : Deque(kept)
        }
        self.groups = self.groups.filter { self.elements[$0] != nil }
        self.count = self.elements.values.reduce(0) { $0 + $1.count }
    }
}
