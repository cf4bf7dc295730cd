//! frng.zig's draws that C makes, by frng_more.h, and stateful tests. SPDX-License-Identifier: MIT

const std = @import("std");
const FRNG = @import("frng.zig").FRNG;
const Error = @import("frng.zig").Error;
const width_of = @import("frng_draw.zig").width_of;
const precondition = std.debug.assert;

const c = struct {
    extern fn frng_zig_mixed(f: *FRNG, is_signed: bool, width: usize, min: u64, max: u64, x: *u64) bool;
    extern fn frng_zig_string(f: *FRNG, letters: [*]const u8, count: usize, min: usize, max: usize, text: [*]u8, length: *usize) bool;
    extern fn frng_zig_utf8(f: *FRNG, min: usize, max: usize, text: [*]u8, size: *usize) bool;
    extern fn frng_zig_regex(f: *FRNG, pattern: [*:0]const u8, room: usize, text: [*]u8) bool;
    extern fn frng_zig_f64_any(f: *FRNG, x: *f64) bool;
    extern fn frng_zig_f64_range(f: *FRNG, min: f64, max: f64, x: *f64) bool;
    extern fn frng_zig_subset(f: *FRNG, count: usize, mask: *u64) bool;
    extern fn frng_zig_permutation(f: *FRNG, count: usize, order: [*]usize) bool;
    extern fn frng_zig_pick_weighted(f: *FRNG, weights: [*]const u32, count: usize, index: *usize) bool;
    extern fn frng_zig_swarm(f: *FRNG, weights: [*]u32, count: usize) bool;
    extern fn frng_zig_date(f: *FRNG, first: ?*const Date, last: ?*const Date, day: *Date) bool;
    extern fn frng_zig_say(f: *FRNG, line: [*:0]const u8) void;
};

fn drawn(ok: bool) Error!void {
    if (!ok) return error.OutOfEntropy;
}

/// min..max, of every magnitude: small numbers are common, large ones occur. 1 to 9 bytes.
pub fn mixed(f: *FRNG, comptime Int: type, min: Int, max: Int) Error!Int {
    precondition(min <= max);
    const is_signed = std.math.minInt(Int) < 0;
    const Wide = if (is_signed) i64 else u64;
    const width = comptime width_of((1 << @bitSizeOf(Int)) - 1);
    const low: u64 = @bitCast(@as(Wide, min));
    const high: u64 = @bitCast(@as(Wide, max));
    var x: u64 = 0;
    try drawn(c.frng_zig_mixed(f, is_signed, width, low, high, &x));
    return @intCast(@as(Wide, @bitCast(x)));
}

/// Letters of an alphabet, the simplest first in it, in a buffer of more than `max`. 1 byte each.
pub fn string(f: *FRNG, alphabet: []const u8, min: usize, max: usize, buffer: []u8) Error![]u8 {
    precondition(buffer.len > max);
    var length: usize = 0;
    try drawn(c.frng_zig_string(f, alphabet.ptr, alphabet.len, min, max, buffer.ptr, &length));
    return buffer[0..length];
}

/// A text of min..max code points, those that print in ASCII and some that break programs, in a buffer
/// of more than 4 * max. 1 byte each.
pub fn utf8(f: *FRNG, min: usize, max: usize, buffer: []u8) Error![]u8 {
    precondition(buffer.len > 4 * max);
    var size: usize = 0;
    try drawn(c.frng_zig_utf8(f, min, max, buffer.ptr, &size));
    return buffer[0..size];
}

/// A text that matches all of a pattern of frng_regex.h, "[a-z]+(-[0-9]{2})?", in a buffer with room for
/// the longest one and a zero.
pub fn regex(f: *FRNG, pattern: [:0]const u8, buffer: []u8) Error![:0]u8 {
    try drawn(c.frng_zig_regex(f, pattern.ptr, buffer.len, buffer.ptr));
    return std.mem.sliceTo(@as([*:0]u8, @ptrCast(buffer.ptr)), 0);
}

/// Does a tree go a level deeper, with so many levels left? 1 byte, or none.
pub fn depth(f: *FRNG, left: usize) Error!bool {
    return left > 0 and try f.boolean();
}

/// The place of one of the things that a test has made, counted back from the newest, the last of a slice:
/// list.orderedRemove(try rng.thing(list.items)) takes it out.
pub fn thing(f: *FRNG, list: anytype) Error!usize {
    precondition(list.len > 0);
    const last = list.len - 1;
    return last - try f.begin(.index, width_of(last), 0, last).within();
}

/// Any double: whole numbers, fractions, those near powers of two, any bits.
pub fn float_any(f: *FRNG) Error!f64 {
    var x: f64 = 0;
    try drawn(c.frng_zig_f64_any(f, &x));
    return x;
}

/// A double of min..max. 8 bytes.
pub fn float_range(f: *FRNG, min: f64, max: f64) Error!f64 {
    var x: f64 = 0;
    try drawn(c.frng_zig_f64_range(f, min, max, &x));
    return x;
}

/// Some of up to 64 elements, as a mask.
pub fn subset(f: *FRNG, count: usize) Error!u64 {
    var mask: u64 = 0;
    try drawn(c.frng_zig_subset(f, count, &mask));
    return mask;
}

/// The numbers 0, 1, ... in any order.
pub fn permutation(f: *FRNG, order: []usize) Error!void {
    try drawn(c.frng_zig_permutation(f, order.len, order.ptr));
}

/// An index, in proportion to its weight, from the fewest bytes.
pub fn pick_weighted(f: *FRNG, weights: []const u32) Error!usize {
    var index: usize = 0;
    try drawn(c.frng_zig_pick_weighted(f, weights.ptr, weights.len, &index));
    return index;
}

/// Weights of 0, 1, 2, 4 or 8: drawn once, they switch variants off. 1 byte each.
pub fn swarm(f: *FRNG, weights: []u32) Error!void {
    try drawn(c.frng_zig_swarm(f, weights.ptr, weights.len));
}

pub const Date = extern struct { year: c_int, month: c_int, day: c_int };

/// Any day of the years 1..9999; the simplest is 2000-01-01. 4 bytes.
pub fn date(f: *FRNG) Error!Date {
    var day: Date = undefined;
    try drawn(c.frng_zig_date(f, null, null, &day));
    return day;
}

/// A day of `first` to `last`, the simplest `first`. 4 bytes.
pub fn date_range(f: *FRNG, first: Date, last: Date) Error!Date {
    var day: Date = undefined;
    try drawn(c.frng_zig_date(f, &first, &last, &day));
    return day;
}

/// Says what a draw meant, or what happened, in a trace.
pub fn say(f: *FRNG, comptime format: []const u8, args: anytype) void {
    var buffer: [160]u8 = undefined;
    if (f.host == null) return;
    const line = std.fmt.bufPrintZ(&buffer, format, args) catch return;
    c.frng_zig_say(f, line);
}

/// A rule of `repeat`: taken now, or over by `assume`.
pub var taking: enum { none, rule, over } = .none;

/// Takes the rules of a state, its methods of these names, in any order until the entropy ends, and
/// calls its method `check`, if it has one, at first and after each: .{ "push", "pop" }. A rule takes
/// the state and the generator, and returns nothing or an error. Each run leaves some rules out.
pub fn repeat(f: *FRNG, state: anytype, comptime rules: anytype) !void {
    const State = std.meta.Child(@TypeOf(state));
    var weights: [rules.len]u32 = undefined;
    f.note("swarm");
    try f.swarm(&weights);
    while (true) {
        if (@hasDecl(State, "check")) try returned(state.check());
        const rule = try f.pick_weighted(&weights);
        inline for (rules, 0..) |name, i| {
            if (i == rule) {
                f.step(name);
                taking = .rule;
                returned(@field(State, name)(state, f)) catch |err| if (taking != .over) return err;
                taking = .none;
            }
        }
    }
}

/// What a function returns that can fail, or not.
fn returned(result: anytype) !void {
    if (@typeInfo(@TypeOf(result)) == .ErrorUnion) try result;
}
