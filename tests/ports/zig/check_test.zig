//! Checks of `zig test`, as test.sh wants them.
const std = @import("std");
const frng = @import("frng.zig");

/// A ring of bytes, 8 deep, with the bug of frng's README, and what it should hold.
const Machine = struct {
    items: [8]u8 = undefined,
    head: usize = 0,
    model: std.BoundedArray(u8, 8) = .{},

    pub fn push(m: *Machine, f: *frng.FRNG) !void {
        if (m.model.len == 8) return;
        f.note("x");
        const x = try f.range_inclusive(u8, 0, 9);
        m.items[(m.head + m.model.len) % 8] = x;
        try m.model.append(x);
    }

    pub fn pop(m: *Machine, f: *frng.FRNG) !void {
        if (m.model.len == 0) return;
        const got = m.items[m.head % 7];
        m.head += 1;
        f.say("of {}", .{m.model.len});
        try std.testing.expectEqual(m.model.orderedRemove(0), got);
    }

    pub fn check(m: *const Machine) void {
        frng.assert(m.model.len <= 8, "too many", .{});
    }
};

fn machine(f: *frng.FRNG) !void {
    var m = Machine{};
    try f.repeat(&m, .{ "push", "pop" });
}

fn passing(f: *frng.FRNG) !void {
    if (try f.int(u8) < 128) f.label("low");
}

/// A rule that cannot be taken discards no run.
const Never = struct {
    pub fn all(_: *Never, f: *frng.FRNG) !void {
        try f.assume(false);
    }
};

fn rules(f: *frng.FRNG) !void {
    var state = Never{};
    try f.repeat(&state, .{"all"});
}

test "rules" {
    try frng.check(rules, .{ .name = "rules", .runs = 300 });
}

test "machine" {
    try frng.check(machine, .{ .name = "machine" });
}

test "passing" {
    try frng.check(passing, .{ .name = "passing", .runs = 300 });
}
