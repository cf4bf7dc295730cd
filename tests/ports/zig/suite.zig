//! What test_ports.py asks of the port to Zig; see c/suite.c.
const std = @import("std");
const frng = @import("frng.zig");
const findings = @import("frng_findings.zig");
const FRNG = frng.FRNG;

pub const panic = frng.panic;

// ---- Answers ----

const numbers = .{ u8, u16, u32, u64, i8, i16, i32, i64 };
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

fn next_double(words: *Words) !f64 {
    const text = words.next() orelse return error.NoNumber;
    return @bitCast(try std.fmt.parseInt(u64, text, 16));
}

fn next_day(words: *Words) !frng.Date {
    var parts = std.mem.splitScalar(u8, words.next() orelse "", '-');
    var day: frng.Date = undefined;
    inline for (std.meta.fields(frng.Date)) |field| {
        @field(day, field.name) = try std.fmt.parseInt(c_int, parts.next() orelse "", 10);
    }
    return day;
}

fn write_day(writer: anytype, day: frng.Date) !void {
    const year: u32 = @intCast(day.year);
    const month: u32 = @intCast(day.month);
    try writer.print("{d:0>4}-{d:0>2}-{d:0>2}", .{ year, month, @as(u32, @intCast(day.day)) });
}

fn next_weights(words: *Words, weights: *[64]u32) ![]u32 {
    var texts = std.mem.splitScalar(u8, words.next() orelse "", ',');
    var count: usize = 0;
    while (texts.next()) |text| : (count += 1) {
        weights[count] = try std.fmt.parseInt(u32, text, 10);
    }
    return weights[0..count];
}

fn draw_weighted(f: *FRNG, words: *Words, writer: anytype) !void {
    var weights: [64]u32 = undefined;
    try write_value(writer, try f.weighted_index(try next_weights(words, &weights)));
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

fn draw_pool(f: *FRNG, words: *Words, writer: anytype) !void {
    var things = std.BoundedArray(usize, 64){};
    var taken = std.BoundedArray(usize, 64){};
    for (0..try next_number(usize, words)) |i| try things.append(i);
    for (0..try next_number(usize, words)) |_| {
        try taken.append(things.orderedRemove(try f.thing(things.slice())));
    }
    try write_value(writer, taken.slice());
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
        string,
        depth,
        utf8,
        regex,
        pool,
        f64_any,
        f64_range,
        subset,
        permutation,
        pick_weighted,
        swarm,
        date,
        date_range,
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
        if (std.mem.eql(u8, name, @typeName(Int) ++ "_mixed")) {
            const low = try next_number(Int, words);
            return write_value(writer, try f.mixed(Int, low, try next_number(Int, words)));
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
        .string => {
            var buffer: [64]u8 = undefined;
            const alphabet = words.next() orelse return error.NoNumber;
            const min = try next_number(usize, words);
            try writer.writeAll(try f.string(alphabet, min, try next_number(usize, words), &buffer));
        },
        .depth => try write_value(writer, try f.depth(try next_number(usize, words))),
        .utf8 => {
            var buffer: [128]u8 = undefined;
            const min = try next_number(usize, words);
            const text = try f.utf8(min, try next_number(usize, words), &buffer);
            try writer.print("{}", .{std.fmt.fmtSliceHexLower(text)});
        },
        .regex => {
            var buffer: [512]u8 = undefined;
            var pattern: [64]u8 = undefined;
            const text = try f.regex(try std.fmt.bufPrintZ(&pattern, "{s}", .{words.next() orelse ""}), &buffer);
            try writer.print("{}", .{std.fmt.fmtSliceHexLower(text)});
        },
        .pool => try draw_pool(f, words, writer),
        .f64_any => try write_value(writer, try f.float_any()),
        .f64_range => {
            const min = try next_double(words);
            try write_value(writer, try f.float_range(min, try next_double(words)));
        },
        .subset => try write_value(writer, try f.subset(try next_number(usize, words))),
        .permutation => {
            var order: [64]usize = undefined;
            const count = try next_number(usize, words);
            try f.permutation(order[0..count]);
            try write_value(writer, order[0..count]);
        },
        .pick_weighted => {
            var weights: [64]u32 = undefined;
            try write_value(writer, try f.pick_weighted(try next_weights(words, &weights)));
        },
        .swarm => {
            var weights: [64]u32 = undefined;
            const count = try next_number(usize, words);
            try f.swarm(weights[0..count]);
            try write_value(writer, weights[0..count]);
        },
        .date => try write_day(writer, try f.date()),
        .date_range => {
            const first = try next_day(words);
            try write_day(writer, try f.date_range(first, try next_day(words)));
        },
        .more => {
            const count = try next_number(usize, words);
            const min = try next_number(usize, words);
            try write_value(writer, try f.more(count, min, try next_number(usize, words)));
        },
    }
}

fn answer_draw(f: *FRNG, line: []const u8, writer: anytype) !void {
    var words = std.mem.splitScalar(u8, line, ' ');
    var buffer: [1024]u8 = undefined;
    var value = std.io.fixedBufferStream(&buffer);
    draw_by_name(f, words.first(), &words, value.writer()) catch |err| switch (err) {
        error.OutOfEntropy => {},
        error.NoSuchDraw => return writer.print("?\n", .{}),
        else => return err,
    };
    const exhausted = @intFromBool(f.exhausted);
    try writer.print("{s} {} {}\n", .{ value.getWritten(), f.used, exhausted });
}

fn answer(allocator: std.mem.Allocator, writer: anytype) !void {
    var f = FRNG.init("");
    const text = try std.io.getStdIn().readToEndAlloc(allocator, 1 << 30);
    var lines = std.mem.tokenizeScalar(u8, text, '\n');
    while (lines.next()) |line| {
        var words = std.mem.splitScalar(u8, line, ' ');
        const first = words.first();
        if (std.mem.eql(u8, first, "expand")) {
            const seed = words.next() orelse return error.NoSeed;
            const size = try next_number(usize, &words);
            const bytes = try findings.expand_text(allocator, seed, size);
            try writer.print("{}\n", .{std.fmt.fmtSliceHexLower(bytes)});
        } else if (std.mem.eql(u8, first, "entropy")) {
            const hex = words.next() orelse "";
            const entropy = try allocator.alloc(u8, hex.len / 2);
            f = FRNG.init(try std.fmt.hexToBytes(entropy, hex));
        } else {
            try answer_draw(&f, line, writer);
        }
    }
}

// ---- Targets ----

var argument: []const u8 = ""; // the second one of the program
var runs_before: usize = 0; // of the target `stateful`

fn calls(f: *FRNG) !void {
    const text = try std.fs.cwd().readFileAlloc(std.heap.c_allocator, argument, 1 << 20);
    while (true) {
        f.step("all kinds");
        var lines = std.mem.tokenizeScalar(u8, text, '\n');
        while (lines.next()) |line| {
            var words = std.mem.splitScalar(u8, line, ' ');
            const name = words.first();
            f.note(try std.heap.c_allocator.dupeZ(u8, name));
            var buffer: [512]u8 = undefined;
            var value = std.io.fixedBufferStream(&buffer);
            try draw_by_name(f, name, &words, value.writer());
            const is_77 = std.mem.eql(u8, value.getWritten(), "77");
            frng.assert(!is_77 or !std.mem.eql(u8, name, "u8"), "77", .{});
        }
    }
}

fn draws(f: *FRNG) !void {
    for (0..try std.fmt.parseInt(usize, argument, 10)) |_| _ = try f.int(u8);
}

fn bugs(f: *FRNG) !void {
    const exits = std.mem.eql(u8, argument, "exits");
    const hangs = std.mem.eql(u8, argument, "hangs");
    var previous: u8 = 255;
    var high: u8 = 0;
    while (true) {
        const x = try f.int(u8);
        if (exits and x < 64) std.process.exit(0);
        while (hangs and x == 200) std.atomic.spinLoopHint();
        frng.assert(x != 0 or previous != 0, "few", .{});
        high += @intFromBool(x >= 128);
        frng.assert(high < 4, "many", .{});
        previous = x;
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

fn marks(f: *FRNG) !void {
    var count: u64 = 0;
    while (true) : (count += 1) {
        f.measure("count", count);
        const x = try f.int(u8);
        if (x % 2 == 1) f.label("odd");
        f.say("byte {} is {}, in a line that takes two records of a trace", .{ count, x });
    }
}

fn assumes(f: *FRNG) !void {
    const x = try f.int(u8);
    if (x % 2 == 1) f.label("odd");
    try f.assume(x >= 160);
    _ = try f.int(u8);
}

fn climbs(f: *FRNG) !void {
    var high: u64 = 0;
    for (0..20) |_| {
        high = if (try f.int(u8) % 32 == (high + 1) * 11 % 32) high + 1 else 0;
        f.maximize("high", high);
        frng.assert(high < 4, "too high", .{});
    }
}

const targets = .{
    .{ "calls", calls },       .{ "draws", draws },     .{ "bugs", bugs },
    .{ "stateful", stateful }, .{ "errors", errors },   .{ "marks", marks },
    .{ "climbs", climbs },     .{ "assumes", assumes },
};

pub fn main() !u8 {
    const allocator = std.heap.c_allocator;
    const arguments = try std.process.argsAlloc(allocator);
    const name = if (arguments.len > 1) arguments[1] else "";
    if (arguments.len > 2) argument = arguments[2];
    if (std.mem.eql(u8, name, "answers")) {
        var buffered = std.io.bufferedWriter(std.io.getStdOut().writer());
        try answer(allocator, buffered.writer());
        try buffered.flush();
        return 0;
    }
    inline for (targets) |target| {
        if (std.mem.eql(u8, name, target[0])) return frng.run_with_arguments(target[1]);
    }
    std.debug.print("suite: no such sub-command: {s}\n", .{name});
    return 2;
}
