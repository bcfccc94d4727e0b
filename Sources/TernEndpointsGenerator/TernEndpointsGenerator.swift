// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernEndpointsWriter
import TernFoundation

/// The program of the build plug-in `TernEndpoints`: `TernEndpointsGenerator Photos.http Photos.swift`.
@main
enum TernEndpointsGenerator {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let input = arguments.first, let output = arguments.last, arguments.count == 2 else {
            Self.fail("error: expected two arguments: a request file and the Swift file to write")
        }
        guard let bytes = try? Data(contentsOf: URL(filePath: input)) else {
            Self.fail("\(input):1:1: error: the file cannot be read")
        }
        let generation = Generation(Array(bytes), fileName: URL(filePath: input).lastPathComponent)
        for line in generation.diagnostics { Self.tell("\(input):\(line)") }
        guard let code = generation.code else { exit(1) }
        do {
            try Data(code.utf8).write(to: URL(filePath: output), options: .atomic)
        } catch {
            Self.fail("\(output): error: the file cannot be written")
        }
    }

    private static func fail(_ message: String) -> Never {
        Self.tell(message)
        exit(1)
    }

    private static func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(2, bytes, bytes.count)
    }
}
