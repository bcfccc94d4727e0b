// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import Tern

/// Handles the events of a command's calls: asks the user to sign in, reports retries, and records the server's
/// certificates.
///
/// It is the delegate of the client, so that each call can have another delegate for its progress.
final class CommandDelegate: TaskDelegate {
    /// The maximum number of times that the command asks the user to sign in, as in ssh.
    private static let maximumQuestionCount = 3

    private struct State {
        var questionCount = 0
        var trust: ServerTrust?
        var reportsRetries = false
        var cookieStore: FileCookieStore?
        var allowedRetryCount = 0
        var retryCount = 0
        var progress: ProgressLine?
    }

    /// Asks the user.
    let questioner: any Questioner
    /// Records the metrics; `nil` if they are not wanted.
    let collector: MetricsCollector?
    /// Whether standard error is reserved for machines, so that no text may be written there.
    let isForMachines: Bool
    /// Records the heads of responses; `nil` if they are not wanted.
    let trace: ExchangeTrace?
    /// The place of the call among those of the command.
    let place: CallPlace
    private let asks: Bool
    private let showsTLS: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - options: The options that were typed.
    ///   - questioner: Asks the user. Defaults to asking at the terminal.
    ///   - collector: Records the metrics of the calls. Defaults to `nil`.
    ///   - trace: Records the heads of responses, and may show the steps of each exchange. Defaults to `nil`.
    ///   - isForMachines: Whether standard error is reserved for machines. Defaults to `false`.
    ///   - place: The place of the call among those of the command. Defaults to that of the only call.
    init(
        _ options: ConnectionOptions,
        _ questioner: any Questioner = Terminal(),
        collector: MetricsCollector? = nil,
        trace: ExchangeTrace? = nil,
        isForMachines: Bool = false,
        place: CallPlace = CallPlace()
    ) {
        self.place = place
        self.isForMachines = isForMachines
        self.trace = trace
        self.collector = collector
        self.questioner = questioner
        self.asks = options.signIn.ask
        self.showsTLS = options.tls.tlsInfo && !isForMachines
    }

    /// The certificates that the server presented last; `nil` if the server presented no certificates, or if they were
    /// not evaluated.
    var trust: ServerTrust? { self.state.withLock { $0.trust } }

    /// Whether the command reports retries on standard error.
    var reportsRetries: Bool { self.state.withLock { $0.reportsRetries } }

    /// Turns the report of retries on or off.
    func reportsRetries(_ tells: Bool) { self.state.withLock { $0.reportsRetries = tells } }

    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
        guard self.reportsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: cause))
    }

    /// Reports that a download will start again from the beginning, after a delay.
    func task(willBeginAgainAfter delay: Duration, because error: ClientError) {
        guard self.reportsRetries else { return }
        System.tell(Self.line(onRetryAfter: delay, because: .failure(error)))
    }

    /// Returns the message that announces a retry.
    static func line(onRetryAfter delay: Duration, because cause: RetryCause) -> String {
        let reason =
            switch cause {
            case .failure(let error): "\(error)"
            case .response(let response): "the server answered \(response.statusCode)"
            }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        return TerminalText.note("\(reason); trying again in \(seconds) s")
    }

    /// Sets the maximum number of retries for an interrupted body.
    func allowsRetries(_ count: Int) { self.state.withLock { $0.allowedRetryCount = count } }

    /// Counts a retry of an interrupted body.
    ///
    /// - Parameter policy: The policy that determines the delay.
    /// - Returns: The delay before the retry; `nil` if no more retries are allowed.
    func nextRetry(_ policy: RetryPolicy) -> Duration? {
        let count = self.state.withLock { state -> Int? in
            guard state.retryCount < state.allowedRetryCount else { return nil }
            state.retryCount += 1
            return state.retryCount
        }
        var generator = SystemRandomNumberGenerator()
        return count.map { policy.backoff.delay(before: $0, using: &generator) }
    }

    /// Registers a progress line, so that it continues at its position when the client requests the rest of a body.
    func follow(_ progress: ProgressLine) { self.state.withLock { $0.progress = progress } }

    /// Reports that the client will request the rest of an interrupted body.
    func willResume(at offset: Int64, after delay: Duration, because error: ClientError) {
        self.state.withLock { $0.progress }?.continues()
        guard self.reportsRetries else { return }
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        System.tell(TerminalText.note("\(error); continuing at byte \(offset) in \(seconds) s"))
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.trace?.received(response)
    }

    /// Registers a file of cookies to write when the call is over.
    func keep(_ store: FileCookieStore) { self.state.withLock { $0.cookieStore = store } }

    /// Writes the file of cookies, if there is one.
    ///
    /// - Returns: The failure; `nil` if there was none.
    func writeCookies() async -> CommandFailure? {
        do throws(CookieFileError) {
            try await self.state.withLock { $0.cookieStore }?.flush()
            return nil
        } catch {
            return CommandFailure(outcome: .fileFailed, message: "the cookies could not be saved: \(error)")
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

    /// Asks the user for a user name and a password.
    ///
    /// Returns `nil` without asking if the scheme is not Basic or Digest, if the client has another credential to try,
    /// or if the user was asked too often. Also returns `nil` if the user does not answer.
    private func askForCredential(_ challenge: AuthenticationChallenge) async -> Credential? {
        let space = challenge.protectionSpace
        guard space.scheme == .basic || space.scheme == .digest, challenge.proposedCredential == nil else { return nil }
        let isAllowed = self.state.withLock { state in
            state.questionCount += 1
            return state.questionCount <= Self.maximumQuestionCount
        }
        guard isAllowed else { return nil }
        do throws(CommandFailure) {
            let refused = challenge.previousFailureCount > 0 ? "The credentials were refused. " : ""
            let advice = "use --user or --netrc-file"
            let question = "\(refused)Sign in: \(space)\nUser: "
            let user = try await self.questioner.ask(question, isSecret: false, otherwise: advice)
            let password = try await self.questioner.ask("Password: ", isSecret: true, otherwise: advice)
            return Credential(user: user, password: password)
        } catch {
            if error.outcome != .interrupted, !self.isForMachines { System.tell(TerminalText.note(error.message)) }
            // The user did not answer, so do not ask again. The response says that signing in is required.
            self.state.withLock { $0.questionCount = Self.maximumQuestionCount }
            return nil
        }
    }
}
