// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TernRequestFiles

/// Tells the errors and the warnings of a request file on standard error, in the format of compilers.
struct FileReporter {
    /// The path of the file, as typed.
    let path: String
    let hidesErrors: Bool
    let hidesWarnings: Bool

    /// Tells all errors and warnings of a file; returns whether all its requests can be sent.
    func tell(all file: RequestFile) -> Bool {
        self.tell(file.errors + file.warnings)
        for failure in file.failedRequests { self.tell(failure) }
        return file.errors.isEmpty && file.failedRequests.isEmpty
    }

    /// Tells the errors and warnings that matter to the requests to send.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of the request to send; `nil` for all requests.
    /// - Returns: Whether all these requests can be sent.
    /// - Throws: The exit code if none of them can be sent.
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

    /// Tells diagnostics, each sentence of a warning once.
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
