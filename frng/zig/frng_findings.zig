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

extern const frng_zig_size_max: usize;

const Finding = struct {
    format: u64,
    expand: u64 = 1,
    size: usize = 0,
    seed: []const u8 = "",
    hex: ?[]const u8 = null,
    entropy: []const u8 = "", // that these give
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
        const finding = read(arena.allocator(), dir.dir, file.name) catch |err| {
            std.debug.print("{s} is no finding: {s}\n", .{ file.name, @errorName(err) });
            return error.NoFinding;
        };
        if (try passes(test_one, finding.entropy)) continue;
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

fn read(allocator: std.mem.Allocator, dir: std.fs.Dir, name: []const u8) !Finding {
    const is_file = (try dir.statFile(name)).kind == .file; // a pipe would make us wait
    if (!is_file) return error.NoRegularFile;
    const text = try dir.readFileAlloc(allocator, name, 4 * frng_zig_size_max);
    const options = .{ .ignore_unknown_fields = true };
    var finding = try std.json.parseFromSliceLeaky(Finding, allocator, text, options);
    if (finding.format < 1 or finding.format > 2 or finding.expand != 1) return error.OfLaterVersion;
    if (finding.size > frng_zig_size_max) return error.TooLarge;
    finding.entropy = try entropy_of(allocator, finding);
    return finding;
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
