// SPDX-License-Identifier: Apache-2.0
public import Tern
public import Tracing

/// Creates a span for each call or attempt that reaches it; an attempt also sends the trace context to the server.
///
/// ``Tern/Client/Configuration/addTracing(_:)`` adds an interceptor for calls and one for attempts to a configuration.
///
/// The attributes of a span follow OpenTelemetry's conventions for HTTP, without the query of the URL; of an error, the tracer gets
/// only the text. The span ends when the body of the response is read to its end or released, or when the call or the attempt
/// fails. If the body is already in memory, or a WebSocket opens, it ends with the head of the response. A span that a cancellation
/// ends has the attribute `tern.cancelled` and does not count as an error. As a rule, the spans of attempts are children of the
/// call's span.
public struct TracingInterceptor: Interceptor {
    /// The unit of work that gets a span.
    @nonexhaustive
    public enum Place: Hashable, Sendable {
        /// A call, for `Client.Configuration.callInterceptors`.
        case call
        /// An attempt, for `Client.Configuration.attemptInterceptors`; the request's fields get the trace context.
        case attempt
    }

    private let place: Place
    private let tracer: (any Tracer)?

    /// Creates an interceptor for one of the two lists; the tracer defaults to that of `InstrumentationSystem` at each call.
    public init(_ place: Place, tracer: (any Tracer)? = nil) {
        self.place = place
        self.tracer = tracer
    }

    public func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        var call = call
        let method = call.request.method.rawValue
        let span: any Span
        switch self.place {
        case .call:
            span = tracer.startSpan("HTTP \(ObservedText.method(method))", ofKind: .internal)
        case .attempt:
            span = tracer.startSpan(ObservedText.method(method), ofKind: .client)
            tracer.inject(span.context, into: &call.request.fields, using: FieldInjector())
        }
        let observation = SpanObservation(span)
        observation.begin(call)
        let outcome = await Self.ask(next, call, within: span.context)
        switch outcome {
        case .success(let reply): return observation.complete(reply)
        case .failure(let error):
            observation.end(error)
            throw error
        }
    }

    private static func ask(
        _ next: NextStages,
        _ call: HTTPCall,
        within context: ServiceContext
    ) async -> Result<HTTPReply, ClientError> {
        await ServiceContext.withValue(context) {
            do throws(ClientError) {
                return .success(try await next.respond(to: call))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Client.Configuration {
    /// Traces calls and attempts: inserts a ``TracingInterceptor`` at the front of both lists of interceptors.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) {
        self.callInterceptors.insert(TracingInterceptor(.call, tracer: tracer), at: 0)
        self.attemptInterceptors.insert(TracingInterceptor(.attempt, tracer: tracer), at: 0)
    }
}

struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
