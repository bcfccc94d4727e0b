// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequestFiles

/// Computes the values of expressions, such as `{{$guid}}`, when a request is sent.
struct ExpressionEvaluator {
    let memory: ExchangeMemory
    let folder: URL
    var environment = ProcessInfo.processInfo.environment
    /// The time, in milliseconds since 1970.
    var now = Int64(Date.now.timeIntervalSince1970 * 1000)
    /// The seconds by which the local time is ahead of UTC.
    var localOffset = Int64(TimeZone.current.secondsFromGMT())

    func value(of expression: ValueExpression) throws(CommandFailure) -> VariableValue {
        switch expression {
        case .message(let reference): return try self.memory.value(reference)
        case .environment(let name):
            guard let value = self.environment[name] else {
                throw Self.failure(
                    "there is no environment variable \(name), which the request needs: set it, or write {{\(name)}} in "
                        + "the file, and use --var \(name)=…"
                )
            }
            return .text(value)
        case .dotenv(let name):
            guard let value = try self.dotenv()[name] else {
                throw Self.failure("the file .env has no variable \(name), which the request needs")
            }
            return .text(value)
        case .uuid, .timestamp, .date, .integer, .characters:
            var generator = SystemRandomNumberGenerator()
            let text = expression.text(now: self.now, localOffset: self.localOffset, using: &generator) ?? ""
            return expression.isNumber ? Int64(text).map { .integer($0) } ?? .text(text) : .text(text)
        }
    }

    private func dotenv() throws(CommandFailure) -> DotenvFile {
        let url = try BodyFile.url(".env", in: self.folder, advice: "use --var to give the value")
        guard System.isRegularFile(atPath: url.path) == true else {
            throw Self.failure("there is no file .env beside the request file, which needs it")
        }
        let data = try System.contents(ofFile: url.path, called: ".env")
        guard data.count <= DotenvFile.maximumByteCount else {
            throw Self.failure("the file .env is longer than 64 KiB")
        }
        return DotenvFile(String(decoding: data, as: UTF8.self))
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: message)
    }
}
