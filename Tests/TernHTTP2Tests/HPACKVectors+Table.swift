// SPDX-License-Identifier: Apache-2.0

/// Field blocks that another implementation encoded, each with its fields.
///
/// The blocks of one list belong to one connection.
///
/// hpack 4.2.0 for Python (MIT licence) encoded the blocks once, from invented fields.
enum HPACKVectors {
    typealias Block = (hex: String, lines: [String])

    static let huffman: [Block] = [
        (
            "488264017b81a3",
            [
                ":status:301",
                "vary:l",
            ]
        ),
        (
            "48836c0cff4085f2b10649cb8d5ffdfc7ff9377add5ee4d27ad55886a8eb2127b0bf1f288e39e0c7b38d6dffe76e1a30"
                + "b3767f",
            [
                ":status:503",
                "x-cache:.+&^gvp7.:gdyO",
                "cache-control:no-store",
                "set-cookie:oo=HQVp5$RFlF3Bh",
            ]
        ),
        (
            "c07b8eecec3fbea6dfd91167f893e1ee1f629cbdfeede1ab07ff43ff3efffbbbff3603650bee15effcfdc59bfff87f5c"
                + "877db7c2f000d35f",
            [
                ":status:503",
                "vary:q7AZygTqs_L&d&8U",
                "etag:C+uUOE~1|;~S$r0Ql.S2C$;_K\\",
                "content-length:959180044",
            ]
        ),
        (
            "c37684aa6355e74089f2b585ed6950958d278baa6f72b9f8dc016f13daff7b98ff5f7fc65ffcfa981f00dbff3df5ffec"
                + "3ffdffdd1fdbc45b6196d07abe94132a693f75040138a01bb817ae000a62d1bf5c83744dff",
            [
                ":status:503",
                "server:nginx",
                "x-request-id:ngzf6X5=15G8P",
                "vary:';!J$yg0&0R|zk~A~[l)8c-",
                "date:Mon, 23 Nov 2026 05:18:00 GMT",
                "content-length:725",
            ]
        ),
        (
            "c87f0290fff3471beffd3e2e3170ff5b3fff86ff1f2882a7f37f0996bd5ffe74ffce179f560e327f1646281dfffdb7fe"
                + "269f6e8c607fe470340ffaffefff9ff3588fa47e561cc58197000fa52bb63a0c4fc3",
            [
                ":status:503",
                "x-request-id:^MVD9,92V_U'Q\\T",
                "set-cookie:mX",
                "x-cache:Cp$N|UC9%=Vd!rb2=7{R|tm",
                "location:/a?b=40#~^|",
                "cache-control:max-age=3600, public",
                "date:Mon, 23 Nov 2026 05:18:00 GMT",
            ]
        ),
        (
            "ce6e8c607fe4703e0ffaffefff9ff3cb",
            [
                ":status:301",
                "location:/a?b=90#~^|",
                "cache-control:no-store",
            ]
        ),
        (
            "887f02918bffcd1fff55fff39e7fceffc2ffb89ef3",
            [
                ":status:200",
                "x-cache:_^M`%^YLXv!.ZG8x",
            ]
        ),
        (
            "89c87b8bffd0f731b4fe2cadc8f87f6196d07abe94132a693f75040138a01bb8c8ae000a62d1bf7f018efbdf7bfff5bf"
                + "e68e9ef30306e5ffc3",
            [
                ":status:204",
                "server:nginx",
                "vary:@aS/Rowrp6bU",
                "date:Mon, 23 Nov 2026 05:32:00 GMT",
                "x-cache:;TC{u?MjzK0ES.",
                "cache-control:max-age=3600, public",
            ]
        ),
    ]
    static let plain: [Block] = [
        (
            "897809767e505728783f26715c04343434334007782d6361636865106b61345d696125425971454d47324e3d",
            [
                ":status:204",
                "strict-transport-security:v~PW(x?&q",
                "content-length:4443",
                "x-cache:ka4]ia%BYqEMG2N=",
            ]
        ),
        (
            "891f2806313e35603e7c7e1255564b4836227964502d793e4b5862244f3276164170616368652f322e342e3731202844"
                + "656269616e29611d4d6f6e2c203233204e6f7620323032362030353a33313a303020474d54",
            [
                ":status:204",
                "set-cookie:1>5`>|",
                "x-cache:UVKH6\"ydP-y>KXb$O2",
                "server:Apache/2.4.71 (Debian)",
                "date:Mon, 23 Nov 2026 05:31:00 GMT",
            ]
        ),
        (
            "88781c64767e766c316f4c696a6a67784c624252625c594c2b2b787d593d6c76056e67696e78",
            [
                ":status:200",
                "strict-transport-security:dv~vl1oLijjgxLbBRb\\YL++x}Y=l",
                "server:nginx",
            ]
        ),
        (
            "89c15f1144683d57323e335268422a582b707942226e0b2f613f623d3739237e5e7c58086e6f2d73746f7265",
            [
                ":status:204",
                "server:Apache/2.4.71 (Debian)",
                "content-type:Dh=W2>3RhB*X+pyB\"",
                "location:/a?b=79#~^|",
                "cache-control:no-store",
            ]
        ),
        (
            "8d62023d4c7f07144a4c233e21384c70417877525e5a2a524d7d6830",
            [
                ":status:404",
                "etag:=L",
                "x-cache:JL#>!8LpAxwR^Z*RM}h0",
            ]
        ),
        (
            "885f184c7050647d294a60433c5622656a296779424a3a797a252458146d61782d6167653d333630302c207075626c69"
                + "637f011339283a77444c4448634b41435f55703f3e406e",
            [
                ":status:200",
                "content-type:LpPd})J`C<V\"ej)gyBJ:yz%$",
                "cache-control:max-age=3600, public",
                "x-cache:9(:wDLDHcKAC_Up?>@n",
            ]
        ),
        (
            "48033530331f28075f513f5f563e55ca6e0b2f613f623d3431237e5e7c400c782d726571756573742d6964036749655c"
                + "09383034333835313833611d4d6f6e2c203233204e6f7620323032362030353a32313a303020474d54",
            [
                ":status:503",
                "set-cookie:_Q?_V>U",
                "server:Apache/2.4.71 (Debian)",
                "location:/a?b=41#~^|",
                "x-request-id:gIe",
                "content-length:804385183",
                "date:Mon, 23 Nov 2026 05:21:00 GMT",
            ]
        ),
        (
            "4803333031611d4d6f6e2c203233204e6f7620323032362030353a35373a303020474d5462045b6f2857",
            [
                ":status:301",
                "date:Mon, 23 Nov 2026 05:57:00 GMT",
                "etag:[o(W",
            ]
        ),
    ]
    static let tableSizes: [Block] = [
        (
            "8d7884ee56f4711f2882ff5f",
            [
                ":status:404",
                "strict-transport-security:ve5MV",
                "set-cookie:'",
            ]
        ),
        (
            "2048836c0cff1f2887feeffe7f19bcff5f907f145f9fc766b66ae79c991fffeb907f6196d07abe94132a693f75040138"
                + "a01bb8d37700053168df",
            [
                ":status:503",
                "set-cookie:)DX!Kx",
                "content-type:9G_X!q4QOYLcI9~6=",
                "date:Mon, 23 Nov 2026 05:45:00 GMT",
            ]
        ),
        (
            "3f21887b91f5ebf6eb9f5fd494ff1f7c7de87d6c936c",
            [
                ":status:200",
                "vary:yyZB6,(dm!;VzM9-IgQ",
            ]
        ),
        (
            "3f8d028d78839f6b7f5886a8eb2127b0bf5fa027f3ffbbdadbfff68f4f7fbc3fc77f6bfffad2b27ff9feffd38dffefff"
                + "537cff7b9dc5ffd6bf93778e9f7f9ffc27f057aeeccfa2e7ffcfffe1b4395f9d7f7f1f289eea8ddffe47d326eff5b7fa"
                + "ffa0e0bddac9f37bffdddcfad06e7f3ffdfeff",
            [
                ":status:404",
                "strict-transport-security:hR5",
                "cache-control:no-store",
                "content-type:c\"[CP5}ly8+F!vz.}4%d^+'65[@g*",
                "vary:G~4\"ivbmzX]c!e8BQLM:<\\R1J9h.z",
                "set-cookie:ksS^bjIS'R(#1ECqrhKz[BLPsiY*~)",
            ]
        ),
        (
            "3fe11f48826401c1789e999e717d5b569efe70c9f7feb453fffc31fbffe7fdfff33bc69d663eb5ff",
            [
                ":status:301",
                "cache-control:no-store",
                "strict-transport-security:g3Y_,unNvxFd;'Mm\\Hz]>]L8ih-/,P",
            ]
        ),
        (
            "3f61884089f2b585ed6950958d278a5bc971fd2ee396c1b9ef5f822ebf78942eef01fff7e58e2e6be1fbb30fa9ffbff8"
                + "b7ffef6290d5fffa3cdfff28ddd532c12fffc77d7f1f288d6bee2ff8aefef57f786840bff3",
            [
                ":status:200",
                "x-request-id:-xeH,.66u=S8",
                "content-type:eP",
                "strict-transport-security:eSw1}*/V6PUZQFyh)|-{",
                "etag:O{bK<lSktf=f<7y",
                "set-cookie:4;_|%Tvn)Fls2$",
            ]
        ),
        (
            "8d6196d07abe94132a693f75040138a01bb817ee000a62d1bf5f9ef377e22ff9ffe121e7fffbfe23ff7cbff20a8197ff"
                + "f87fe7ffc6fed7ba8f",
            [
                ":status:404",
                "date:Mon, 23 Nov 2026 05:19:00 GMT",
                "content-type:xB&_|^cAY{|s[W$0n0J\\$^5;.Bs",
            ]
        ),
        (
            "896294b9fff2dde70077779c381787fdb0abf87adf921f",
            [
                ":status:204",
                "etag::<uTo01Svh1E.A+/%9FkDdA",
            ]
        ),
    ]
}
