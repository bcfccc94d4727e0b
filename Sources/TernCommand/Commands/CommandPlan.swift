// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The transfers of a command line: each `--next` begins an operation with options and URLs, and a URL with patterns stands for
/// several calls.
struct CommandPlan: Sendable {
    struct Call: Sendable {
        let command: GetCommand
        let operation: Int
        let urlNumber: Int
    }

    private struct Item: Sendable {
        let transfer: TransferArgument
        let urls: URLPattern
        let operation: Int
    }

    private(set) var commands: [GetCommand]
    let unusedFileCount: Int
    private let items: [Item]

    init(
        _ operations: [(command: GetCommand, transfers: [TransferArgument])],
        hasReadStandardInput: Bool = false
    ) throws(CommandFailure) {
        var items: [Item] = []
        for (index, operation) in operations.enumerated() {
            let transfers = operation.transfers.filter { $0.url != nil }
            try Self.checking { try operation.command.output.check(transfers.map(\.output)) }
            for transfer in transfers {
                let url = transfer.url ?? ""
                let command = operation.command.with(transfer, (url, []))
                try Self.checking { try command.validate() }
                items.append(Item(transfer: transfer, urls: try command.call.pattern(), operation: index))
            }
        }
        self.commands = operations.map(\.command)
        self.items = items
        self.unusedFileCount = operations.reduce(0) { $0 + $1.transfers.count { $0.url == nil } }
        try self.checkStandardInput(hasReadStandardInput)
        guard self.concurrentCount > 1, self.commands.contains(where: \.connection.signIn.ask) else { return }
        throw Self.failure("--ask asks about one call at a time, and cannot be combined with --parallel")
    }

    var callCount: Int { self.items.reduce(0) { $0 + $1.urls.count } }

    var concurrentCount: Int { self.commands.first?.transfers.concurrentCount ?? 1 }

    var endsAtFailure: Bool { self.commands.contains(where: \.transfers.failEarly) }

    /// The files for the heads of responses, each once.
    var headFiles: [(path: String, output: OutputOptions)] {
        var files: [(path: String, output: OutputOptions)] = []
        for output in self.commands.map(\.output) {
            guard let path = output.dumpHeader, path != "-", !files.contains(where: { $0.path == path })
            else { continue }
            files.append((path, output))
        }
        return files
    }

    func with(_ commands: [GetCommand]) -> CommandPlan {
        var plan = self
        plan.commands = commands
        return plan
    }

    // MARK: Checks

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: message)
    }

    private static func checking(_ check: () throws -> Void) throws(CommandFailure) {
        do {
            try check()
        } catch let error as ValidationError {
            throw Self.failure(error.message)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    private func checkStandardInput(_ hasReadStandardInput: Bool) throws(CommandFailure) {
        var count = hasReadStandardInput ? 1 : 0
        for item in self.items {
            let command = self.commands[item.operation].with(item.transfer, (item.transfer.url ?? "", []))
            if command.readsStandardInput { count += item.urls.count }
        }
        guard count > 1 else { return }
        let user = hasReadStandardInput ? "one configuration or URL" : "one URL"
        throw Self.failure("standard input can be read for \(user) only; write it to a file, and name the file")
    }
}

extension CommandPlan: Sequence {
    func makeIterator() -> Iterator { Iterator(plan: self) }

    /// Returns the calls one after the other, so that a pattern that stands for many URLs takes no memory.
    struct Iterator: IteratorProtocol, Sendable {
        fileprivate let plan: CommandPlan
        private var item = 0
        private var index = 0

        fileprivate init(plan: CommandPlan) { self.plan = plan }

        mutating func next() -> Call? {
            while self.item < self.plan.items.count {
                let item = self.plan.items[self.item]
                guard self.index < item.urls.count else {
                    self.item += 1
                    self.index = 0
                    continue
                }
                defer { self.index += 1 }
                let command = self.plan.commands[item.operation].with(item.transfer, item.urls.url(at: self.index))
                return Call(command: command, operation: item.operation, urlNumber: self.item)
            }
            return nil
        }
    }
}
