//! A finite random number generator: a test draws its decisions from bytes ("entropy") that exist
//! before it starts. When they run out, the test is over and has passed:
//!
//!     const frng = @import("frng.zig");
//!     pub const panic = frng.panic; // reports the line of a failure
//!
//!     fn addition(rng: *frng.FRNG) !void {
//!         const x = try rng.range_inclusive(u32, 0, 10); // error.OutOfEntropy at the end
//!         frng.assert(x != 7, "x is {}", .{x});
//!     }
//!
//!     pub fn main() u8 {
//!         return frng.run(addition);
//!     }
//!
//! `zig build-exe test.zig -cflags -g0 -- frng.c -lc -I FRNG` builds it. FRNG is the folder of
//! frng_main.h, which reads the entropy and serves drivers. The draws are those of frng.h. A panic
//! fails a run, and so does any other error. Zig 0.11. SPDX-License-Identifier: MIT

const std = @import("std");
const precondition = std.debug.assert;
const Draw = @import("frng_draw.zig").Draw;
const Host = @import("frng_draw.zig").Host;
const Kind = @import("frng_draw.zig").Kind;
const top_of = @import("frng_draw.zig").top_of;
const width_of = @import("frng_draw.zig").width_of;
const runs = @import("frng_run.zig");

const more_draws = @import("frng_more.zig");

pub const run = runs.run;
pub const run_with_arguments = runs.run_with_arguments;
pub const check = runs.check;
pub const CheckOptions = runs.CheckOptions;
pub const Date = more_draws.Date;
pub const assert = runs.assert;
pub const panic = runs.panic;
pub const Error = error{OutOfEntropy};

/// The generator: frng of frng.h. `used` bytes are drawn; they alone give the same run.
pub const FRNG = extern struct {
    base: [*]const u8,
    used: usize = 0,
    ready: usize,
    size: usize,
    host: ?*const Host = null,
    exhausted: bool = false,
    discarded: bool = false,

    pub const mixed = more_draws.mixed;
    pub const string = more_draws.string;
    pub const utf8 = more_draws.utf8;
    pub const regex = more_draws.regex;
    pub const depth = more_draws.depth;
    pub const thing = more_draws.thing;
    pub const float_any = more_draws.float_any;
    pub const float_range = more_draws.float_range;
    pub const subset = more_draws.subset;
    pub const permutation = more_draws.permutation;
    pub const pick_weighted = more_draws.pick_weighted;
    pub const swarm = more_draws.swarm;
    pub const date = more_draws.date;
    pub const date_range = more_draws.date_range;
    pub const say = more_draws.say;
    pub const repeat = more_draws.repeat;

    /// A generator over bytes that outlive it.
    pub fn init(entropy: []const u8) FRNG {
        return .{ .base = entropy.ptr, .ready = entropy.len, .size = entropy.len };
    }

    /// Bytes not yet drawn.
    pub fn left(f: *const FRNG) usize {
        return f.size - f.used;
    }

    /// Names the draws that follow, for a trace.
    pub fn note(f: *FRNG, name: [:0]const u8) void {
        const host = f.host orelse return;
        if (host.note) |hears| hears(f, name);
    }

    /// Begins an operation: the draws up to the next step belong together.
    pub fn step(f: *FRNG, name: [:0]const u8) void {
        f.mark(1, name, 0);
    }

    /// Says that this run has a property, for the statistics of a search.
    pub fn label(f: *FRNG, name: [:0]const u8) void {
        f.mark(2, name, 1);
    }

    /// Says that a number of this run is `value`.
    pub fn measure(f: *FRNG, name: [:0]const u8, value: u64) void {
        f.mark(3, name, value);
    }

    /// Say how high this run came: a search goes on from the inputs that came highest.
    pub fn maximize(f: *FRNG, name: [:0]const u8, value: u64) void {
        f.mark(8, name, value);
    }

    /// Ends the run unless the condition holds: it is discarded, and has neither passed nor failed. In
    /// a rule of `repeat` it ends the rule alone.
    pub fn assume(f: *FRNG, condition: bool) Error!void {
        if (condition) return;
        if (!f.exhausted and more_draws.taking != .none) {
            more_draws.taking = .over;
        } else if (!f.exhausted) {
            f.ready = f.used;
            f.size = f.used;
            f.exhausted = true;
            f.discarded = true;
        }
        return error.OutOfEntropy;
    }

    fn mark(f: *FRNG, what: c_int, name: [:0]const u8, value: u64) void {
        const host = f.host orelse return;
        if (host.mark) |hears| hears(f, what, name, value);
    }

    /// The next bytes, or null if there are fewer.
    pub inline fn take(f: *FRNG, count: usize) ?[]const u8 {
        if (count > f.ready - f.used) {
            const host = f.host orelse return null;
            if (count > f.left() or !host.fill(f, count)) return null;
        }
        f.used += count;
        return f.base[f.used - count .. f.used];
    }

    /// Begins a draw of `width` bytes, for draws of your own.
    pub inline fn begin(f: *FRNG, kind: Kind, width: usize, min: u64, max: u64) Draw {
        return .{ .f = f, .start = f.used, .kind = kind, .width = width, .min = min, .max = max };
    }

    /// The next bytes.
    pub fn bytes(f: *FRNG, comptime count: usize) Error![count]u8 {
        return (try f.slice(count))[0..count].*;
    }

    /// The next bytes, in place. A count of 0 always works.
    pub fn slice(f: *FRNG, count: usize) Error![]const u8 {
        const draw = f.begin(.bytes, 1, 0, count);
        const result = try draw.take(count);
        _ = draw.done(0);
        return result;
    }

    pub fn array(f: *FRNG, comptime Int: type, comptime count: usize) Error![count]Int {
        var result: [count]Int = undefined;
        for (&result) |*x| x.* = try f.int(Int);
        return result;
    }

    /// Any value of an integer type of up to 64 bits, from 1, 2, 4 or 8 bytes.
    pub fn int(f: *FRNG, comptime Int: type) Error!Int {
        return f.range_inclusive(Int, std.math.minInt(Int), std.math.maxInt(Int));
    }

    pub fn int_inclusive(f: *FRNG, comptime Int: type, max: Int) Error!Int {
        return f.range_inclusive(Int, 0, max);
    }

    pub fn range_inclusive(f: *FRNG, comptime Int: type, min: Int, max: Int) Error!Int {
        precondition(min <= max);
        const is_signed = std.math.minInt(Int) < 0;
        const Wide = if (is_signed) i64 else u64;
        const width = comptime width_of((1 << @bitSizeOf(Int)) - 1);
        const low: u64 = @bitCast(@as(Wide, min));
        const high: u64 = @bitCast(@as(Wide, max));
        const draw = f.begin(if (is_signed) .int else .uint, width, low, high);
        return @intCast(@as(Wide, @bitCast(try draw.within())));
    }

    pub fn boolean(f: *FRNG) Error!bool {
        const draw = f.begin(.bool, 1, 0, 1);
        return draw.done(try draw.below(255) & 1) == 1;
    }

    /// An index into a list that is not empty, from 8 bytes.
    pub fn index(f: *FRNG, list: anytype) Error!usize {
        precondition(list.len > 0);
        return f.begin(.index, 8, 0, list.len - 1).within();
    }

    /// An element of a slice, or of the array behind a pointer, from the fewest bytes.
    pub fn pick(f: *FRNG, list: anytype) Error!std.meta.Elem(@TypeOf(list)) {
        precondition(list.len > 0);
        return list[try f.begin(.index, width_of(list.len - 1), 0, list.len - 1).within()];
    }

    /// A field of a struct of weights, in proportion to its weight: .{ .push = 3, .pop = 1 }.
    pub fn weighted(f: *FRNG, weights: anytype) Error!std.meta.FieldEnum(@TypeOf(weights)) {
        const names = comptime std.meta.fieldNames(@TypeOf(weights));
        var list: [names.len]u32 = undefined;
        inline for (names, &list) |name, *weight| weight.* = @field(weights, name);
        return @enumFromInt(try f.weighted_index(&list));
    }

    /// An index, in proportion to its weight, from 8 bytes.
    pub fn weighted_index(f: *FRNG, weights: []const u32) Error!usize {
        var sum: u64 = 0;
        for (weights) |weight| sum += weight;
        precondition(sum > 0);
        var draw = f.begin(.weighted, 8, 0, sum - 1);
        draw.weights = weights.ptr;
        var rest = try draw.within();
        return for (weights, 0..) |weight, i| {
            if (rest < weight) break i;
            rest -= weight;
        } else unreachable;
    }

    /// A struct of weights of 1..100. Drawn once, they make each test favour others.
    pub fn swarm_weights(f: *FRNG, comptime Weights: type) Error!Weights {
        var result: Weights = undefined;
        inline for (comptime std.meta.fieldNames(Weights)) |name| {
            @field(result, name) = try f.range_inclusive(u32, 1, 100);
        }
        return result;
    }

    pub fn shuffle(f: *FRNG, comptime T: type, list: []T) Error!void {
        for (0..list.len -| 1) |i| std.mem.swap(T, &list[i], &list[i + try f.index(list[i..])]);
    }

    /// A multiple of 2^-53 in [0, 1), from 8 bytes.
    pub fn float(f: *FRNG) Error!f64 {
        const draw = f.begin(.f64, 8, 0, top_of(8));
        return @as(f64, @floatFromInt(draw.done(try draw.below(top_of(8))) >> 11)) / (1 << 53);
    }

    /// True with probability numerator / denominator, from 4 bytes.
    pub fn chance(f: *FRNG, numerator: u32, denominator: u32) Error!bool {
        precondition(numerator <= denominator and denominator > 0);
        const draw = f.begin(.chance, 4, numerator, denominator);
        return draw.done(@intFromBool(try draw.below(denominator - 1) < numerator)) == 1;
    }

    /// Is there one more element, after `count` of them? At least `min`, at most `max`. 1 byte.
    pub fn more(f: *FRNG, count: usize, min: usize, max: usize) Error!bool {
        precondition(min <= max);
        const mean: u64 = if (max > min) @min((max - min) / 2 + 1, 16) else 16;
        const share = 256 * mean / (mean + 1);
        const end = share / mean; // so many numbers mean the end
        const must: u64 = if (count >= max) 1 << 32 else if (count < min) 2 << 32 else 0;
        const draw = f.begin(.more, 1, end | share << 16 | must, 1);
        var value = try draw.below(end + share - 1);
        while (count < min and value < end) value = try draw.below(end + share - 1);
        return draw.done(@intFromBool(count < max and value >= end)) == 1;
    }
};
