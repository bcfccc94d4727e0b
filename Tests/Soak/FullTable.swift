// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Makes more calls at the same time than the process may have descriptors.
///
/// `Benchmarks/scripts/soak --full-table` runs this in ten processes, beside servers that answer late.
struct FullTable: Sendable {
    private static let callCount = 1400

    /// The ports of the servers.
    let ports: [Int]

    /// - Returns: Messages about problems; empty if there are no problems.
    func perform() async throws -> [String] {
        let client = Client()
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<Self.callCount {
                group.addTask {
                    do throws(ClientError) {
                        let (data, _) = try await client.data(for: self.request(number))
                        return data == Data("late".utf8) ? "right" : "wrong"
                    } catch {
                        return error.isFullTable ? "no descriptor" : "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        print(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        var problems = outcomes.keys.filter { $0 != "right" && $0 != "no descriptor" }
        if outcomes["right", default: 0] == 0 { problems.append("no call succeeded") }
        // Idle connections hold most descriptors now, and a download needs one for its connection and one for its file.
        do throws(ClientError) {
            let (location, _) = try await client.download(for: self.request(0))
            try? FileManager.default.removeItem(at: location)
        } catch {
            problems.append("the download failed: \(error)")
        }
        return problems.sorted()
    }

    private func request(_ number: Int) -> Request {
        Request(.get, "http://127.0.0.1:\(self.ports[number % self.ports.count])/")
    }
}

extension ClientError {
    /// Whether the process had no descriptor left for a connection.
    fileprivate var isFullTable: Bool {
        if case .connectionFailed(.tooManyOpenFiles, _) = self { true } else { false }
    }
}
