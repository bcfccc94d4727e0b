// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TernRequestFiles

/// Tells the errors and the warnings of a request file on standard error, in the format of compilers.
struct FileReporter {
    let path: String
    let hidesErrors: Bool
    let hidesWarnings: Bool

    func tell(all file: RequestFile) -> Bool {
        self.tell(file.errors + file.warnings)
        for failure in file.failedRequests { self.tell(failure) }
        return file.errors.isEmpty && file.failedRequests.isEmpty
    }

    /// Returns whether all wanted requests can be sent; throws the exit code if none of them can.
    func tell(_ file: RequestFile, for name: String?) throws -> Bool {
        guard let name else {
            let isComplete = self.tell(all: file)
            if file.requests.isEmpty, !isComplete { throw ExitCode(Outcome.invalidRequest.exitCode) }
            return isComplete
        }
        if let request = file.request(called: name) {
            self.tell(file.errors + request.warnings)
        } else if let failure = file.failedRequests.first(where: { $0.name == name || $0.title == name }) {
            self.tell(file.errors)
            self.tell(failure)
            throw ExitCode(Outcome.invalidRequest.exitCode)
        }
        return true
    }

    /// Tells each sentence of a warning once.
    func tell(_ diagnostics: [Diagnostic]) {
        var told: Set<String> = []
        for diagnostic in diagnostics.sorted(by: { $0.position < $1.position }) {
            guard diagnostic.isWarning ? !self.hidesWarnings : !self.hidesErrors else { continue }
            guard !diagnostic.isWarning || told.insert(diagnostic.sentence).inserted else { continue }
            self.show("\(diagnostic)")
        }
    }

    private func tell(_ failure: FailedRequest) {
        if !self.hidesErrors { self.show("\(failure)") }
    }

    private func show(_ text: String) { System.tell(TerminalText.sanitized("\(self.path):\(text)") + "\n") }
}
