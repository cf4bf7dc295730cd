//! Replays the findings of frng-search in `zig test`, beside frng.zig:
//!
//!     test "no finding fails again" {
//!         try @import("frng_findings.zig").replay("found", addition);
//!     }
//!
//! Each finding is a file <size>-<seed>.json. SPDX-License-Identifier: MIT

const std = @import("std");
const FRNG = @import("frng.zig").FRNG;
const runs = @import("frng_run.zig");

const Finding = struct {
    size: usize = 0,
    seed: []const u8 = "",
    hex: ?[]const u8 = null,
};

/// Runs a test on each finding of a folder, in a process of its own. Prints those that fail, with
/// their messages, and returns error.FindingsFail. Skips the test if there is no such folder.
pub fn replay(folder: []const u8, comptime test_one: anytype) !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    defer arena.deinit();
    var dir = std.fs.cwd().openIterableDir(folder, .{}) catch |err| switch (err) {
        error.FileNotFound => return error.SkipZigTest,
        else => return err,
    };
    defer dir.close();
    var failed: usize = 0;
    var files = dir.iterate();
    while (try files.next()) |file| {
        if (!std.mem.endsWith(u8, file.name, ".json")) continue;
        const is_file = (try dir.dir.statFile(file.name)).kind == .file; // a pipe would make us wait
        if (!is_file) return error.NoFinding;
        const text = try dir.dir.readFileAlloc(arena.allocator(), file.name, 1 << 30);
        const finding = try parse(arena.allocator(), text);
        const entropy = try entropy_of(arena.allocator(), finding);
        if (try passes(test_one, entropy)) continue;
        const name = file.name[0 .. file.name.len - ".json".len];
        std.debug.print("{s}{s} fails\n", .{ name, try options_of(arena.allocator(), finding) });
        failed += 1;
    }
    if (failed > 0) return error.FindingsFail;
}

/// The options that replay a finding, if they are short.
fn options_of(allocator: std.mem.Allocator, finding: Finding) ![]const u8 {
    const options = if (finding.hex) |hex|
        try std.fmt.allocPrint(allocator, ": --hex {s}", .{hex})
    else
        try std.fmt.allocPrint(allocator, ": --size {} --seed {s}", .{ finding.size, finding.seed });
    return if (options.len <= 140) options else "";
}

fn parse(allocator: std.mem.Allocator, text: []const u8) !Finding {
    const options = .{ .ignore_unknown_fields = true };
    return std.json.parseFromSliceLeaky(Finding, allocator, text, options);
}

fn entropy_of(allocator: std.mem.Allocator, finding: Finding) ![]const u8 {
    const hex = finding.hex orelse return expand_text(allocator, finding.seed, finding.size);
    return std.fmt.hexToBytes(try allocator.alloc(u8, hex.len / 2), hex);
}

/// Makes a run in a process of its own.
fn passes(comptime test_one: anytype, entropy: []const u8) !bool {
    const child = try std.os.fork();
    if (child == 0) {
        var f = FRNG.init(entropy);
        runs.run_once(test_one, &f) catch std.os.exit(0);
        std.os.exit(0);
    }
    return std.os.waitpid(child, 0).status == 0;
}

/// The first `size` bytes of a seed: "17", or "17s" for a styled one.
pub fn expand_text(allocator: std.mem.Allocator, seed: []const u8, size: usize) ![]const u8 {
    const is_styled = std.mem.endsWith(u8, seed, "s");
    const digits = if (is_styled) seed[0 .. seed.len - 1] else seed;
    const value = try std.fmt.parseInt(u64, digits, 10);
    const bytes = try allocator.alloc(u8, size);
    runs.expand(value, is_styled, bytes);
    return bytes;
}
