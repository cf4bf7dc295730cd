//! The targets and comparisons of each port, in Zig; see tests/ports/c/suite.c.
const std = @import("std");
const frng = @import("frng.zig");
const runs = @import("frng_run.zig");
const findings = @import("frng_findings.zig");
const FRNG = frng.FRNG;

pub const panic = frng.panic;

// ---- Digests, as DIGESTS.md describes them ----

const Digest = struct {
    value: u64 = 0xcbf29ce484222325,

    fn fold_byte(d: *Digest, byte: u8) void {
        d.value = (d.value ^ byte) *% 0x100000001b3;
    }

    fn fold(d: *Digest, value: u64) void {
        for (std.mem.toBytes(std.mem.nativeToLittle(u64, value))) |byte| d.fold_byte(byte);
    }

    /// Folds a number, a bool, a double, or each element of a list.
    fn fold_all(d: *Digest, value: anytype) void {
        switch (@typeInfo(@TypeOf(value))) {
            .Int => d.fold(widened(value)),
            .Bool => d.fold(@intFromBool(value)),
            .Float => d.fold(@bitCast(value)),
            .Struct => inline for (value) |element| d.fold(element),
            else => for (value) |element| d.fold(element),
        }
    }
};

/// A number in two's complement.
fn widened(value: anytype) u64 {
    if (@TypeOf(value) == usize) return value;
    const is_signed = @typeInfo(@TypeOf(value)).Int.signedness == .signed;
    return if (is_signed) @bitCast(@as(i64, value)) else value;
}

/// A number of a type from its bits in two's complement.
fn narrowed(comptime Int: type, bits: u64) Int {
    return @bitCast(@as(std.meta.Int(.unsigned, @bitSizeOf(Int)), @truncate(bits)));
}

fn range_of(comptime Int: type, a: u64, b: u64) [2]Int {
    const bits = @bitSizeOf(Int);
    const top: u64 = std.math.maxInt(std.meta.Int(.unsigned, bits));
    const ones = (@as(u64, 1) << @intCast((a >> 8) % bits)) - 1;
    const spans = [_]u64{ a >> 8 & 15, a >> 8 & top, top, ones + (a >> 16 & 1) };
    const span = spans[a % 4];
    const low = @min(b & top, top - span);
    const shift = if (std.math.minInt(Int) < 0) @as(u64, 1) << (bits - 1) else 0;
    return .{ narrowed(Int, low -% shift), narrowed(Int, low +% span -% shift) };
}

const numbers = .{ u8, u16, u32, u64, i8, i16, i32, i64 };
const kinds = .{
    "bytes",     "bool",      "u8",            "u16",       "u32",       "u64",
    "i8",        "i16",       "i32",           "i64",       "u8_range",  "u16_range",
    "u32_range", "u64_range", "i8_range",      "i16_range", "i32_range", "i64_range",
    "index",     "weighted",  "swarm_weights", "shuffle",   "f64",       "chance",
};

/// A tuple of weights, for as many as only a run knows.
fn fold_swarm_weights(f: *FRNG, count: usize, d: *Digest) !void {
    inline for (1..9) |n| {
        if (n == count) d.fold_all(try f.swarm_weights(std.meta.Tuple(&[_]type{u32} ** n)));
    }
}

fn fold_weighted(f: *FRNG, a: u64, b: u64, d: *Digest) !void {
    var weights: [8]u32 = undefined;
    for (&weights, 0..) |*weight, j| {
        weight.* = @intCast((b >> @intCast(8 * j) & 255) + @intFromBool(j == 0));
    }
    d.fold_all(try f.weighted_index(weights[0 .. 1 + (a & 7)]));
}

fn fold_shuffle(f: *FRNG, count: usize, d: *Digest) !void {
    var list = [_]u8{ 0, 1, 2, 3, 4, 5, 6, 7 };
    try f.shuffle(u8, list[0..count]);
    d.fold_all(list[0..count]);
}

fn fold_draw(comptime kind: usize, f: *FRNG, a: u64, b: u64, d: *Digest) !void {
    const denominator: u32 = @intCast(1 + (a & 65535));
    switch (kind) {
        0 => d.fold_all(try f.slice(a & 15)),
        1 => d.fold_all(try f.boolean()),
        2...9 => d.fold_all(try f.int(numbers[kind - 2])),
        10...17 => {
            const range = range_of(numbers[kind - 10], a, b);
            d.fold_all(try f.range_inclusive(numbers[kind - 10], range[0], range[1]));
        },
        18 => d.fold_all(try f.index(.{ .len = 1 + (a >> @intCast(33 + b % 31)) })),
        19 => try fold_weighted(f, a, b, d),
        20 => try fold_swarm_weights(f, 1 + (a & 7), d),
        21 => try fold_shuffle(f, a & 7, d),
        22 => d.fold_all(try f.float()),
        else => d.fold_all(try f.chance(@intCast(b % (denominator + @as(u64, 1))), denominator)),
    }
}

fn print_digest(comptime kind: usize, writer: anytype) !void {
    const static = struct {
        var entropy: [400_000]u8 = undefined;
        var bounds: [160_000]u8 = undefined;
    };
    runs.expand(100 + kind, false, &static.entropy);
    runs.expand(200 + kind, false, &static.bounds);
    var f = FRNG.init(&static.entropy);
    var d = Digest{};
    for (0..10_000) |i| {
        const a = std.mem.readIntLittle(u64, static.bounds[16 * i ..][0..8]);
        const b = std.mem.readIntLittle(u64, static.bounds[16 * i + 8 ..][0..8]);
        try fold_draw(kind, &f, a, b, &d);
    }
    d.fold(f.used);
    try writer.print("{s} {x:0>16}\n", .{ kinds[kind], d.value });
}

fn print_digests(writer: anytype) !void {
    inline for (0..kinds.len) |kind| try print_digest(kind, writer);
    for ([_]bool{ false, true }) |is_styled| {
        var d = Digest{};
        for (0..300) |seed| {
            var bytes: [1003]u8 = undefined;
            runs.expand(seed, is_styled, &bytes);
            for (bytes) |byte| d.fold_byte(byte);
        }
        const name = if (is_styled) "expand_styled" else "expand";
        try writer.print("{s} {x:0>16}\n", .{ name, d.value });
    }
}

// ---- Vectors: lines of words ----

const Words = std.mem.SplitIterator(u8, .scalar);

fn next_number(comptime Int: type, words: *Words) !Int {
    return std.fmt.parseInt(Int, words.next() orelse return error.NoNumber, 10);
}

/// Writes a value as vectors have it.
fn write_value(writer: anytype, value: anytype) !void {
    switch (@typeInfo(@TypeOf(value))) {
        .Int => try writer.print("{}", .{value}),
        .Bool => try writer.print("{}", .{@intFromBool(value)}),
        .Float => try writer.print("{x:0>16}", .{@as(u64, @bitCast(value))}),
        .Struct => inline for (value, 0..) |element, i| {
            try writer.print("{s}{}", .{ if (i > 0) "," else "", element });
        },
        else => for (value, 0..) |element, i| {
            try writer.print("{s}{}", .{ if (i > 0) "," else "", element });
        },
    }
}

fn draw_weighted(f: *FRNG, words: *Words, writer: anytype) !void {
    var weights: [64]u32 = undefined;
    var texts = std.mem.splitScalar(u8, words.next() orelse "", ',');
    var count: usize = 0;
    while (texts.next()) |text| : (count += 1) {
        weights[count] = try std.fmt.parseInt(u32, text, 10);
    }
    try write_value(writer, try f.weighted_index(weights[0..count]));
}

fn draw_swarm_weights(f: *FRNG, count: usize, writer: anytype) !void {
    inline for (0..17) |n| {
        const Weights = std.meta.Tuple(&[_]type{u32} ** n);
        if (n == count) try write_value(writer, try f.swarm_weights(Weights));
    }
}

fn draw_shuffle(f: *FRNG, count: usize, writer: anytype) !void {
    var list: [64]usize = undefined;
    for (&list, 0..) |*element, i| element.* = i;
    try f.shuffle(usize, list[0..count]);
    try write_value(writer, list[0..count]);
}

fn draw_pick(f: *FRNG, count: usize, writer: anytype) !void {
    const static = struct {
        var list: [70_000]u32 = undefined;
    };
    for (&static.list, 0..) |*element, i| element.* = @intCast(i);
    if (count > static.list.len) return error.NoSuchDraw;
    try write_value(writer, try f.pick(static.list[0..count]));
}

/// Makes a draw, and writes its value.
fn draw_by_name(f: *FRNG, name: []const u8, words: *Words, writer: anytype) !void {
    const Name = enum {
        bytes,
        bool,
        index,
        weighted,
        swarm_weights,
        shuffle,
        f64,
        chance,
        pick,
        more,
    };
    inline for (numbers) |Int| {
        const min = std.math.minInt(Int);
        const max = std.math.maxInt(Int);
        if (std.mem.eql(u8, name, @typeName(Int)))
            return write_value(writer, try f.range_inclusive(Int, min, max));
        if (std.mem.eql(u8, name, @typeName(Int) ++ "_range")) {
            const low = try next_number(Int, words);
            const high = try next_number(Int, words);
            return write_value(writer, try f.range_inclusive(Int, low, high));
        }
    }
    switch (std.meta.stringToEnum(Name, name) orelse return error.NoSuchDraw) {
        .bytes => {
            const bytes = try f.slice(try next_number(usize, words));
            try writer.print("{}", .{std.fmt.fmtSliceHexLower(bytes)});
        },
        .bool => try write_value(writer, try f.boolean()),
        .index => try write_value(writer, try f.index(.{ .len = try next_number(usize, words) })),
        .weighted => try draw_weighted(f, words, writer),
        .swarm_weights => try draw_swarm_weights(f, try next_number(usize, words), writer),
        .shuffle => try draw_shuffle(f, try next_number(usize, words), writer),
        .f64 => try write_value(writer, try f.float()),
        .chance => {
            const numerator = try next_number(u32, words);
            try write_value(writer, try f.chance(numerator, try next_number(u32, words)));
        },
        .pick => try draw_pick(f, try next_number(usize, words), writer),
        .more => {
            const count = try next_number(usize, words);
            const min = try next_number(usize, words);
            try write_value(writer, try f.more(count, min, try next_number(usize, words)));
        },
    }
}

/// Compares "DRAW ARGUMENT... = VALUE USED EXHAUSTED".
fn is_draw_right(f: *FRNG, line: []const u8) !bool {
    const middle = std.mem.indexOf(u8, line, " = ") orelse return false;
    var call = std.mem.splitScalar(u8, line[0..middle], ' ');
    var answer = std.mem.splitScalar(u8, line[middle + 3 ..], ' ');
    const wanted = answer.first();
    var buffer: [512]u8 = undefined;
    var value = std.io.fixedBufferStream(&buffer);
    var ran_out = false;
    draw_by_name(f, call.first(), &call, value.writer()) catch |err| {
        if (err != error.OutOfEntropy) return err;
        ran_out = true;
    };
    const used = try next_number(usize, &answer);
    const exhausted = try next_number(u1, &answer) == 1;
    const is_wanted = ran_out or std.mem.eql(u8, value.getWritten(), wanted);
    return is_wanted and f.used == used and f.exhausted == exhausted;
}

/// Compares "SEED SIZE HEX".
fn is_expansion_right(words: *Words, allocator: std.mem.Allocator) !bool {
    const seed = words.next() orelse return false;
    const size = try next_number(usize, words);
    const wanted = try allocator.alloc(u8, size);
    _ = try std.fmt.hexToBytes(wanted, words.next() orelse "");
    return std.mem.eql(u8, wanted, try findings.expand_text(allocator, seed, size));
}

/// Prints how many vectors there are, or the line that is wrong. Returns the exit status.
fn compare_vectors(allocator: std.mem.Allocator, text: []const u8, writer: anytype) !u8 {
    var count: usize = 0;
    var skipped: usize = 0;
    var is_skipped = false; // the rest of a vector, after a draw that this port lacks
    var f = FRNG.init("");
    var lines = std.mem.tokenizeScalar(u8, text, '\n');
    while (lines.next()) |line| {
        var words = std.mem.splitScalar(u8, line, ' ');
        const first = words.first();
        var is_right = true;
        if (std.mem.eql(u8, first, "expand")) {
            count += 1;
            is_right = try is_expansion_right(&words, allocator);
        } else if (std.mem.eql(u8, first, "entropy")) {
            count += 1;
            is_skipped = false;
            const hex = words.next() orelse "";
            const entropy = try allocator.alloc(u8, hex.len / 2);
            f = FRNG.init(try std.fmt.hexToBytes(entropy, hex));
        } else if (!is_skipped) {
            is_right = is_draw_right(&f, line) catch |err| right: {
                if (err != error.NoSuchDraw) return err;
                is_skipped = true;
                skipped += 1;
                break :right true;
            };
        }
        if (is_right) continue;
        try writer.print("vector {} differs: {s}\n", .{ count, line });
        return 1;
    }
    try writer.print("{} vectors\n", .{count - skipped});
    return 0;
}

// ---- Targets ----

var draws_wanted: usize = 0; // by the target `draws`
var runs_before: usize = 0; // of the target `stateful`

fn empty(_: *FRNG) void {}

fn draws(f: *FRNG) !void {
    for (0..draws_wanted) |_| _ = try f.int(u8);
}

fn fails(f: *FRNG) !void {
    _ = try f.boolean();
    frng.assert(false, "always", .{});
}

fn two_bugs(f: *FRNG) !void {
    var previous: u8 = 255;
    var high: u8 = 0;
    while (true) {
        const x = try f.int(u8);
        frng.assert(x != 0 or previous != 0, "few", .{});
        high += @intFromBool(x >= 128);
        frng.assert(high < 4, "many", .{});
        previous = x;
    }
}

/// A draw of 0..9 by `% 10`, which its record does not say.
fn lie(f: *FRNG) !u64 {
    const draw = f.begin(.uint, 1, 0, 9);
    return draw.done(try draw.number() % 10);
}

fn liar(f: *FRNG) !void {
    while (true) {
        f.step("step");
        const value = if (try f.boolean()) try lie(f) else 0;
        frng.assert(value != 7, "seven", .{});
    }
}

fn decode(x: u8) !u8 {
    return if (x > 200) error.TooLarge else x; // the error
}

fn errors(f: *FRNG) !void {
    while (true) _ = try decode(try f.int(u8));
}

fn stateful(f: *FRNG) !void {
    _ = try f.int(u8);
    frng.assert(runs_before < 50, "too many runs", .{});
    runs_before += 1;
}

fn exits(f: *FRNG) !void {
    var previous: u8 = 0;
    while (true) {
        const x = try f.int(u8);
        if (x < 64) std.process.exit(0);
        frng.assert(x <= 250 or previous <= 250, "two large ones", .{});
        previous = x;
    }
}

fn hangs(f: *FRNG) !void {
    while (true) {
        const x = try f.int(u8);
        while (x == 200) std.atomic.spinLoopHint();
    }
}

fn draw_numbers(f: *FRNG) !void {
    inline for (numbers) |Int| {
        f.note(@typeName(Int));
        const x = try f.int(Int);
        if (Int == u8) frng.assert(x != 77, "77", .{});
    }
}

fn draw_ranges(f: *FRNG) !void {
    const ranges = .{
        .{ 3, 12 }, .{ 3, 1002 },   .{ 3, 100002 },     .{ 3, 10000000002 },
        .{ -5, 5 }, .{ -500, 500 }, .{ -50000, 50000 }, .{ -5000000000, 5000000000 },
    };
    inline for (numbers, ranges) |Int, range| {
        f.note(@typeName(Int) ++ "_range");
        _ = try f.range_inclusive(Int, range[0], range[1]);
    }
}

fn draw_others(f: *FRNG) !void {
    f.note("index");
    _ = try f.index(.{ .len = 10 });
    f.note("weighted");
    _ = try f.weighted(.{ .first = 3, .never = 0, .last = 1 });
    f.note("swarm_weights");
    _ = try f.swarm_weights(struct { push: u32, pop: u32 });
    f.note("shuffle");
    var list = [_]u8{ 0, 1, 2 };
    try f.shuffle(u8, &list);
    f.note("f64");
    _ = try f.float();
    f.note("chance");
    _ = try f.chance(1, 8);
    f.note("pick");
    _ = try f.pick(&[_]u8{ 2, 3, 5, 7 });
    f.note("more");
    _ = try f.more(1, 0, 3);
}

/// Each required draw in turn, with bounds that are not round.
fn all_kinds(f: *FRNG) !void {
    while (true) {
        f.step("all kinds");
        f.note("bytes");
        _ = try f.bytes(3);
        f.note("bool");
        _ = try f.boolean();
        try draw_numbers(f);
        try draw_ranges(f);
        try draw_others(f);
    }
}

const targets = .{
    .{ "empty", empty },       .{ "draws", draws }, .{ "fails", fails },
    .{ "two-bugs", two_bugs }, .{ "liar", liar },   .{ "stateful", stateful },
    .{ "exits", exits },       .{ "hangs", hangs }, .{ "kinds", all_kinds },
    .{ "errors", errors },
};

pub fn main() !u8 {
    const allocator = std.heap.c_allocator;
    const arguments = try std.process.argsAlloc(allocator);
    const name = if (arguments.len > 1) arguments[1] else "";
    const writer = std.io.getStdOut().writer();
    if (std.mem.eql(u8, name, "digests")) {
        try print_digests(writer);
        return 0;
    }
    if (std.mem.eql(u8, name, "vectors") and arguments.len > 2) {
        const text = try std.fs.cwd().readFileAlloc(allocator, arguments[2], 1 << 30);
        return compare_vectors(allocator, text, writer);
    }
    if (arguments.len > 2) draws_wanted = try std.fmt.parseInt(usize, arguments[2], 10);
    inline for (targets) |target| {
        if (std.mem.eql(u8, name, target[0])) return frng.run(target[1]);
    }
    std.debug.print("suite: no such sub-command: {s}\n", .{name});
    return 2;
}
