// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import Tern

/// Accompanies the call of a command: signs in on the terminal, and sees what a server shows of itself.
///
/// It is the client's delegate, so that a call can have another one for its progress.
final class CommandDelegate: TaskDelegate {
    /// How often the user is asked, as by ssh.
    private static let maximumQuestionCount = 3

    private struct State {
        var questionCount = 0
        var trust: ServerTrust?
        var tellsRetries = false
        var cookieStore: FileCookieStore?
        var allowedRetryCount = 0
        var retryCount = 0
        var progress: ProgressLine?
    }

    /// Who is asked.
    let questioner: any Questioner
    /// Keeps the metrics; `nil` if they are not wanted.
    let collector: MetricsCollector?
    /// Whether standard error may be for machines, so that nothing is told there in words.
    let isForMachines: Bool
    /// A Boolean value that indicates whether warnings stay untold.
    let hidesWarnings: Bool
    /// Keeps the heads of responses; `nil` if they are not wanted.
    let trace: ExchangeTrace?
    private let asks: Bool
    private let showsTLS: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - options: what was typed.
    ///   - questioner: who is asked; whoever sits at the terminal by default.
    ///   - collector: keeps the metrics of the calls; none by default.
    ///   - trace: Keeps the heads of responses, and shows the steps. Defaults to `nil`.
    ///   - isForMachines: whether standard error may be for machines; not by default.
    ///   - hidesWarnings: Whether warnings are not told. Defaults to `false`.
    init(
        _ options: ConnectionOptions,
        _ questioner: any Questioner = Terminal(),
        collector: MetricsCollector? = nil,
        trace: ExchangeTrace? = nil,
        isForMachines: Bool = false,
        hidesWarnings: Bool = false
    ) {
        self.isForMachines = isForMachines
        self.hidesWarnings = hidesWarnings
        self.trace = trace
        self.collector = collector
        self.questioner = questioner
        self.asks = options.signIn.ask
        self.showsTLS = options.tls.tlsInfo && !isForMachines
    }

    /// What the server showed last; `nil` if there was none, or if it was not looked at.
    var trust: ServerTrust? { self.state.withLock { $0.trust } }

    /// Whether it says on standard error that a call is tried again.
    var tellsRetries: Bool { self.state.withLock { $0.tellsRetries } }

    /// Says from now on, or does not, that a call is tried again.
    func tellsRetries(_ tells: Bool) { self.state.withLock { $0.tellsRetries = tells } }

    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
        guard self.tellsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: cause))
    }

    /// Says that a download begins again.
    func task(willBeginAgainAfter delay: Duration, because error: ClientError) {
        guard self.tellsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: .failure(error)))
    }

    /// What is said before another try.
    static func line(onRetryAfter delay: Duration, because cause: RetryCause) -> String {
        let reason =
            switch cause {
            case .failure(let error): "\(error)"
            case .response(let response): "the server answered \(response.statusCode)"
            }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        return TerminalText.note("\(reason); trying again in \(seconds) s")
    }

    /// Allows so many retries of a body that was cut.
    func allowsRetries(_ count: Int) { self.state.withLock { $0.allowedRetryCount = count } }

    /// Counts a retry of a body that was cut.
    ///
    /// - Parameter policy: Says how long to wait.
    /// - Returns: How long to wait before it; `nil` if no more are allowed.
    func nextRetry(_ policy: RetryPolicy) -> Duration? {
        let count = self.state.withLock { state -> Int? in
            guard state.retryCount < state.allowedRetryCount else { return nil }
            state.retryCount += 1
            return state.retryCount
        }
        var generator = SystemRandomNumberGenerator()
        return count.map { policy.backoff.delay(before: $0, using: &generator) }
    }

    /// Has a line of progress go on where it is when a body is continued.
    func follow(_ progress: ProgressLine) { self.state.withLock { $0.progress = progress } }

    /// Says that the rest of a body is asked for.
    func willResume(at offset: Int64, after delay: Duration, because error: ClientError) {
        self.state.withLock { $0.progress }?.continues()
        guard self.tellsRetries else { return }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        System.tell(TerminalText.note("\(error); going on at byte \(offset) in \(seconds) s"))
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.trace?.received(response)
    }

    /// Takes note of a file of cookies that is to be written when the call is over.
    func keep(_ store: FileCookieStore) { self.state.withLock { $0.cookieStore = store } }

    /// Writes the file of cookies, if there is one.
    ///
    /// - Returns: what went wrong; `nil` if nothing did.
    func writeCookies() async -> CommandFailure? {
        do throws(CookieFileError) {
            try await self.state.withLock { $0.cookieStore }?.flush()
            return nil
        } catch {
            return CommandFailure(outcome: .fileFailed, message: "the cookies were not kept: \(error)")
        }
    }

    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
        switch challenge.kind {
        case .serverTrust(let trust):
            self.state.withLock { $0.trust = trust }
            if self.showsTLS { System.tell(TLSText.lines(on: trust)) }
            return nil
        case .http:
            guard self.asks, let credential = await self.askForCredential(challenge) else { return nil }
            return .useCredential(credential)
        default:
            return nil
        }
    }

    /// A user and a password; `nil` if there is another credential to be tried first, or if the user gives none.
    private func askForCredential(_ challenge: AuthenticationChallenge) async -> Credential? {
        let space = challenge.protectionSpace
        guard space.scheme == .basic || space.scheme == .digest, challenge.proposedCredential == nil else { return nil }
        let isAllowed = self.state.withLock { state in
            state.questionCount += 1
            return state.questionCount <= Self.maximumQuestionCount
        }
        guard isAllowed else { return nil }
        do throws(CommandFailure) {
            let refused = challenge.previousFailureCount > 0 ? "Refused. " : ""
            let advice = "give --user, or a file by --netrc-file"
            let question = "\(refused)Sign in: \(space)\nUser: "
            let user = try await self.questioner.ask(question, isSecret: false, otherwise: advice)
            let password = try await self.questioner.ask("Password: ", isSecret: true, otherwise: advice)
            return Credential(user: user, password: password)
        } catch {
            if error.outcome != .interrupted, !self.isForMachines { System.tell(TerminalText.note(error.message)) }
            // The response says that the user has not signed in.
            self.state.withLock { $0.questionCount = Self.maximumQuestionCount }
            return nil
        }
    }
}
