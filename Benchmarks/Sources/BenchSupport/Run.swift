// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Runs the case on the command line with the peer that `makePeer` creates, and prints the measurement.
///
/// The idle memory is the resident memory after a short warm-up on the same origin. Ends the process.
///
/// - Parameter makePeer: A closure that creates the client under measurement from the arguments.
public func run<P: Peer>(_ makePeer: (Arguments) throws -> P) async -> Never {
    await report { try await Run(peer: makePeer($0), arguments: $0).measure() }
}

/// Performs the asynchronous work of a program, which ends the process.
///
/// `Benchmarks/scripts/count-instructions` runs the program in valgrind, which cannot run an asynchronous `main`: at its end, the main
/// thread would wait for the main queue, in a system call for which valgrind ends the process.
public func perform(_ work: @escaping @Sendable () async -> Never) -> Never {
    Task.detached { await work() }
    while true { pause() }
}

/// Prints the result of `measure` for the command line, and ends the process.
func report(_ measure: (Arguments) async throws -> Measurement) async -> Never {
    do {
        let measurement = try await measure(Arguments())
        print(measurement.json)
        fflush(nil)
        _exit(0)  // a peer's client may trap if it is released without a shutdown
    } catch {
        let message = "error: \(error)\n"
        _ = write(STDERR_FILENO, message, message.utf8.count)
        exit(1)
    }
}

/// The number of values of a stream, and of their bytes.
///
/// The type is not nested in ``Run``, because the metadata of a generic type would be looked up for each value.
private struct Sum {
    var count = 0
    var bytes = 0

    mutating func add(_ text: String) {
        self.count += 1
        self.bytes += text.utf8.count
    }
}

/// Runs one warm-up and one measurement.
struct Run<P: Peer>: Sendable {
    let peer: P
    let arguments: Arguments

    func measure() async throws -> Measurement {
        try await self.warmUp()
        return try await Measurement(of: self.peer.name, label: self.arguments.label) {
            try await onTask(preferring: self.peer.executor) { try await self.work() }
        }
    }

    private func warmUp() async throws {
        if self.arguments.isCold { return }
        guard self.arguments.benchmark == .get else {
            _ = try await self.gets(self.origin + "/small", concurrency: 1, limit: .count(1))
            return
        }
        let limit = Limit.until(.now + .milliseconds(500))
        _ = try await self.gets(self.arguments.url, concurrency: self.arguments.concurrency, limit: limit)
    }

    private func work() async throws -> (requests: Int, bytes: Int) {
        let url = self.arguments.url
        let file = self.arguments.file
        switch self.arguments.benchmark {
        case .get:
            let limit = self.arguments.requestCount.map(Limit.count) ?? .until(.now + .seconds(self.arguments.seconds))
            return try await self.gets(url, concurrency: self.arguments.concurrency, limit: limit)
        case .download:
            return (1, try await self.peer.download(url, to: file))
        case .downloads:
            return try await self.downloads(count: self.arguments.requestCount ?? 1)
        case .upload:
            _ = try await self.peer.upload(file, to: url)
            return (1, try size(of: file))
        case .lines:
            var bytes = 0
            try await self.peer.lines(url) { bytes += $0.utf8.count + 1 }
            return (1, bytes)
        case .events:
            var sum = Sum()
            try await self.peer.events(url) { sum.add($0) }
            return (sum.count, sum.bytes)
        case .deltas:
            var sum = Sum()
            try await self.peer.deltas(url) { sum.add($0.by) }
            return (sum.count, sum.bytes)
        case .values:
            var sum = Sum()
            try await self.peer.values(url) { sum.add($0.by) }
            return (sum.count, sum.bytes)
        case .data, .gzip, .brotli, .zstd:
            return (1, try await self.peer.data(url))
        case .start:
            return (0, 0)
        case .echo, .receive, .send, .idle:
            throw UnexpectedAnswer("\(self.peer.name) is an HTTP client")
        }
    }

    /// The limit at which the tasks stop making requests.
    private enum Limit {
        case count(Int)
        case until(ContinuousClock.Instant)

        /// Returns whether the task with the given index may continue after it has made `done` requests.
        func allows(_ done: Int, task: Int, of tasks: Int) -> Bool {
            switch self {
            case .count(let count): done * tasks + task < count
            case .until(let end): .now < end
            }
        }
    }

    private func gets(_ url: String, concurrency: Int, limit: Limit) async throws -> (requests: Int, bytes: Int) {
        try await withThrowingTaskGroup(of: (requests: Int, bytes: Int).self) { group in
            for task in 0..<concurrency {
                let work: @Sendable () async throws -> (requests: Int, bytes: Int) = {
                    var done = (requests: 0, bytes: 0)
                    while limit.allows(done.requests, task: task, of: concurrency) {
                        done.bytes += try await self.peer.get(url)
                        done.requests += 1
                    }
                    return done
                }
                if let executor = self.peer.executor {
                    group.addTask(executorPreference: executor, operation: work)
                } else {
                    group.addTask(operation: work)
                }
            }
            return try await group.reduce(into: (0, 0)) { sum, done in
                sum.0 += done.requests
                sum.1 += done.bytes
            }
        }
    }

    private func downloads(count: Int) async throws -> (requests: Int, bytes: Int) {
        let peer = self.peer
        let arguments = self.arguments
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<count {
                group.addTask { try await peer.download(arguments.url, to: "\(arguments.file)-\(index)") }
            }
            return (count, try await group.reduce(0, +))
        }
    }

    /// The URL's scheme and authority.
    private var origin: String {
        let url = self.arguments.url
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[..<(url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex)])
    }
}

/// Returns the length of a file in bytes.
public func size(of file: String) throws -> Int {
    var status = stat()
    guard stat(file, &status) == 0 else { throw UnexpectedAnswer("no file \(file)") }
    return Int(status.st_size)
}

/// Performs work in a separate task, which, like users' tasks, does not run on the main thread.
///
/// A task with a preference of `nil` would search this preference, and so would its children, at each change of executor.
func onTask<Result: Sendable>(
    preferring executor: (any TaskExecutor)?,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    guard let executor else { return try await Task.detached(operation: work).value }
    return try await Task.detached(executorPreference: executor, operation: work).value
}
