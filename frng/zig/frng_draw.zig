//! frng.zig's draws from bytes, by the rules of frng.h. SPDX-License-Identifier: MIT

const std = @import("std");
const FRNG = @import("frng.zig").FRNG;
const Error = @import("frng.zig").Error;

/// The kinds of draws, as frng.h numbers them.
pub const Kind = enum(c_int) { bytes, bool, uint, int, index, weighted, f64, chance, more };

/// Fills the entropy, and hears of the draws: frng_host of frng.h.
pub const Host = extern struct {
    const Name = [*:0]const u8;
    const Weights = ?[*]const u32;
    fill: *const fn (*FRNG, usize) callconv(.C) bool,
    drawn: ?*const fn (*FRNG, Kind, usize, usize, u64, u64, u64) callconv(.C) void,
    note: ?*const fn (*FRNG, Name) callconv(.C) void,
    mark: ?*const fn (*FRNG, c_int, Name, u64) callconv(.C) void,
    choose: ?*const fn (*FRNG, Kind, usize, u64, u64, Weights) callconv(.C) bool,
};

/// The largest number of `width` bytes.
pub fn top_of(width: usize) u64 {
    return @as(u64, std.math.maxInt(u64)) >> @intCast(64 - 8 * width);
}

/// The fewest bytes that hold numbers up to `max`.
pub fn width_of(max: u64) usize {
    return if (max < 1 << 8) 1 else if (max < 1 << 16) 2 else if (max < 1 << 32) 4 else 8;
}

/// A draw in progress; min and max are in two's complement.
pub const Draw = struct {
    f: *FRNG,
    start: usize,
    kind: Kind,
    width: usize,
    min: u64,
    max: u64,
    weights: ?[*]const u32 = null,

    /// The entropy has run out, unless the host chooses the bytes of this draw.
    fn ask(d: Draw) Error!void {
        @setCold(true);
        const f = d.f;
        f.used = d.start;
        if (!f.exhausted) if (f.host) |host| if (host.choose) |choose| {
            if (choose(f, d.kind, d.width, d.min, d.max, d.weights)) return;
        };
        f.ready = d.start;
        f.size = d.start;
        f.exhausted = true;
        return error.OutOfEntropy;
    }

    pub inline fn take(d: Draw, count: usize) Error![]const u8 {
        return d.f.take(count) orelse {
            try d.ask();
            return d.f.take(count) orelse error.OutOfEntropy;
        };
    }

    pub inline fn number(d: Draw) Error!u64 {
        var value: u64 = 0;
        for (try d.take(d.width), 0..) |byte, i| value |= @as(u64, byte) << @intCast(8 * i);
        return value;
    }

    /// 0..max, unbiased: the high half of number * n. A low half below 2^bits mod n is rejected.
    pub inline fn below(d: Draw, max: u64) Error!u64 {
        const top = top_of(d.width);
        if (max == top) return d.number();
        const n = max + 1;
        while (true) {
            const product = @as(u128, try d.number()) * n;
            const low = @as(u64, @truncate(product)) & top;
            if (low >= n or low >= (top - max) % n) {
                return @truncate(product >> @intCast(8 * d.width));
            }
        }
    }

    /// min..max. A range that is all of the type takes the bytes as they are: zeros mean 0.
    pub inline fn within(d: Draw) Error!u64 {
        const span = d.max -% d.min;
        const offset = try d.below(span);
        if (span == top_of(d.width)) return d.done(d.min +% ((offset -% d.min) & span));
        return d.done(d.min +% offset);
    }

    /// Reports the value of a draw that has its bytes.
    pub inline fn done(d: Draw, value: u64) u64 {
        if (d.f.host) |host| if (host.drawn) |hears| {
            hears(d.f, d.kind, d.start, d.width, d.min, d.max, value);
        };
        return value;
    }
};
