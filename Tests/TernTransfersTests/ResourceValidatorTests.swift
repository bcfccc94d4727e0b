// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernTransfers
import Testing

@Suite("ResourceValidator: RFC 9110 §8.8, §13.1.5")
struct ResourceValidatorTests {
    private static let modified = "Tue, 15 Nov 1994 12:45:26 GMT"
    private static let minuteLater = "Tue, 15 Nov 1994 12:46:26 GMT"

    private static func absence(_ fields: HTTPFields) -> ResourceValidator.Absence? {
        do throws(ResourceValidator.Absence) {
            _ = try ResourceValidator(fields, now: Samples.now)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["\"xyzzy\"", "\"\"", "\"a\\b!#~\"", "\"W/\""])
    func `a strong entity tag is the condition`(_ tag: String) throws {
        #expect(try ResourceValidator([.eTag: tag], now: Samples.now).condition == tag)
    }

    @Test(arguments: [
        "W/\"xyzzy\"", "w/\"x\"", "xyzzy", "\"", "", "\"a\"b\"", "\"a", "a\"", "\"é\"", "\"a\u{7F}\"", "\"a\", \"b\"",
        "\"a b\"",
    ])
    func `another entity tag is not used, and its date does not replace it`(_ tag: String) {
        #expect(Self.absence([.eTag: tag]) == .unusableEntityTag)
        let dates: HTTPFields = [.eTag: tag, .lastModified: Self.modified, .date: Samples.date]
        #expect(Self.absence(dates) == .unusableEntityTag)
    }

    @Test func `two entity tags, and a tag that is too long, are not used`() {
        var fields: HTTPFields = [.eTag: "\"a\""]
        fields.append(HTTPField(name: .eTag, value: "\"a\""))
        #expect(Self.absence(fields) == .unusableEntityTag)
        let longest = "\"" + String(repeating: "a", count: ResourceValidator.maximumEntityTagByteCount - 2) + "\""
        #expect(Self.absence([.eTag: longest]) == nil)
        #expect(Self.absence([.eTag: "\"a" + longest.dropFirst()]) == .unusableEntityTag)
    }

    /// The response shows that a minute has passed since the last change, so there was no second change in that second.
    @Test(
        arguments: [
            (modified, minuteLater, nil),
            (modified, "Tue, 15 Nov 1994 12:46:25 GMT", .weakDate),
            (modified, modified, .weakDate),
            (minuteLater, modified, .weakDate),
            (modified, nil, .weakDate),
            (modified, "yesterday", .weakDate),
            ("yesterday", minuteLater, .weakDate),
            (nil, minuteLater, .noValidator),
            ("Tuesday, 15-Nov-94 12:45:26 GMT", minuteLater, nil),
            ("Tue Nov 15 12:45:26 1994", minuteLater, nil),
        ] as [(String?, String?, ResourceValidator.Absence?)]
    )
    func `a date is strong if it is a minute before the response`(
        _ modified: String?,
        _ date: String?,
        _ expected: ResourceValidator.Absence?
    ) throws {
        var fields: HTTPFields = [:]
        (fields[.lastModified], fields[.date]) = (modified, date)
        #expect(Self.absence(fields) == expected)
        guard expected == nil else { return }
        // A sender writes only the first of the three formats (RFC 9110 §5.6.7).
        #expect(try ResourceValidator(fields, now: Samples.now).condition == Self.modified)
    }

    @Test func `parts that are not strong make no validator`() {
        let (early, late) = (HTTPDate(secondsSince1970: 0), HTTPDate(secondsSince1970: 60))
        #expect(ResourceValidator(entityTag: "W/\"a\"", lastModified: early, date: late) == nil)
        #expect(ResourceValidator(entityTag: nil, lastModified: late, date: early) == nil)
        #expect(ResourceValidator(entityTag: nil, lastModified: nil, date: late) == nil)
        #expect(ResourceValidator(entityTag: nil, lastModified: early, date: late) != nil)
        #expect(ResourceValidator(entityTag: "\"a\"", lastModified: nil, date: nil) != nil)
        let ends = (HTTPDate(secondsSince1970: .min), HTTPDate(secondsSince1970: .max))
        #expect(ResourceValidator(entityTag: nil, lastModified: ends.0, date: ends.1) == nil)
    }

    @Test(
        arguments: [
            ([.eTag: "\"a\"", .lastModified: modified], nil),
            ([:], nil),
            ([.eTag: "\"a\""], nil),
            ([.lastModified: "Tue Nov 15 12:45:26 1994"], nil),
            ([.eTag: "\"b\"", .lastModified: modified], .entityTag),
            ([.eTag: "W/\"a\""], .entityTag),
            ([.eTag: "\"A\""], .entityTag),
            ([.eTag: ""], .entityTag),
            ([.eTag: "\"a\"", .lastModified: minuteLater], .lastModified),
            ([.lastModified: "never"], .lastModified),
        ] as [(HTTPFields, ResourceChange?)]
    )
    func `a later response shows whether the resource has changed`(
        _ fields: HTTPFields,
        _ change: ResourceChange?
    ) throws {
        let own: HTTPFields = [.eTag: "\"a\"", .lastModified: Self.modified, .date: Self.minuteLater]
        #expect(try ResourceValidator(own, now: Samples.now).change(in: fields, now: Samples.now) == change)
    }

    @Test func `a resource that gets an entity tag has changed`() throws {
        let own: HTTPFields = [.lastModified: Self.modified, .date: Self.minuteLater]
        let validator = try ResourceValidator(own, now: Samples.now)
        #expect(validator.change(in: [.eTag: "\"a\"", .lastModified: Self.modified], now: Samples.now) == .entityTag)
        #expect(validator.change(in: own, now: Samples.now) == nil)
    }
}
