//! frng.zig's runs: on the entropy of the program, or as a driver asks. A failure has its line.
//! SPDX-License-Identifier: MIT

const std = @import("std");
const FRNG = @import("frng.zig").FRNG;
const Error = @import("frng.zig").Error;
const StackTrace = std.builtin.StackTrace;

const Test = *const fn (*FRNG) callconv(.C) bool;
extern fn frng_zig_run(test_one: Test, count: c_int, arguments: [*][*:0]u8) c_int;
extern fn frng_zig_check(test_one: Test, options: *const CheckOptions) c_int;
extern fn frng_zig_expand(seed: u64, is_styled: bool, bytes: [*]u8, size: usize) void;
extern fn frng_on_assert(site: [*:0]const u8) void;

/// Runs a test on the entropy of the program, or as often as a driver asks; with the one argument
/// --check it searches. Returns the status of the program's exit.
pub fn run(comptime test_one: anytype) u8 {
    share_sites() catch {}; // they are slower without
    const arguments = std.os.argv;
    return @intCast(frng_zig_run(test_of(test_one), @intCast(arguments.len), arguments.ptr));
}

/// As run, in a program that reads arguments of its own: none is refused, and --check is not known.
pub fn run_with_arguments(comptime test_one: anytype) u8 {
    share_sites() catch {};
    return @intCast(frng_zig_run(test_of(test_one), 1, std.os.argv.ptr));
}

/// frng_check_options of frng_check.h.
pub const CheckOptions = extern struct {
    name: ?[*:0]const u8 = null, // of its findings, in findings/NAME
    runs: u64 = 0, // 1000
    size_max: usize = 0, // 4096 bytes
    findings: ?[*:0]const u8 = null,
    arguments: ?[*:null]const ?[*:0]const u8 = null, // with which the program is a target of the test
};

/// Searches a test in `zig test`: returns an error after a report on stderr, as frng_check.h says.
pub fn check(comptime test_one: anytype, options: CheckOptions) !void {
    share_sites() catch {};
    if (frng_zig_check(test_of(test_one), &options) != 0) return error.CheckFailed;
}

fn test_of(comptime test_one: anytype) Test {
    return struct {
        fn call(f: *FRNG) callconv(.C) bool {
            run_once(test_one, f) catch return false;
            return true;
        }
    }.call;
}

/// Makes one run. It ends the process if the test fails.
pub fn run_once(comptime test_one: anytype, f: *FRNG) Error!void {
    @import("frng_more.zig").taking = .none;
    if (@TypeOf(test_one(f)) == void) return test_one(f);
    test_one(f) catch |err| { // a cast of the result would lose the trace of its error
        if (@as(anyerror, err) == error.OutOfEntropy) return error.OutOfEntropy;
        fail(@errorName(err), @errorReturnTrace(), @returnAddress());
    };
}

/// Writes the bytes of a seed.
pub fn expand(seed: u64, is_styled: bool, bytes: []u8) void {
    frng_zig_expand(seed, is_styled, bytes.ptr, bytes.len);
}

/// Fails the run unless `ok`. It is a function of its own, also in optimised programs, so that the
/// line of its caller is known.
pub noinline fn assert(ok: bool, comptime format: []const u8, args: anytype) void {
    var buffer: [512]u8 = undefined;
    if (ok) return;
    const message = std.fmt.bufPrint(&buffer, format, args) catch format;
    fail(message, null, @returnAddress());
}

/// The panic of a program whose root says `pub const panic = frng.panic;`.
pub fn panic(message: []const u8, errors: ?*StackTrace, address: ?usize) noreturn {
    fail(message, errors, address orelse @returnAddress());
}

/// Reports the line that failed, and prints it with the message.
fn fail(message: []const u8, errors: ?*StackTrace, address: usize) noreturn {
    @setCold(true);
    const static = struct {
        var has_failed = false;
    };
    if (static.has_failed) std.os.abort(); // while this looks for the line of the first failure
    static.has_failed = true;
    var room: [16]usize = undefined;
    const stack = stack_of(errors, address, &room);
    const hash = std.hash.Wyhash.hash(0, std.mem.sliceAsBytes(stack));
    const site = &sites[hash % sites.len];
    const is_new = site.hash != hash;
    if (is_new) {
        site.* = .{ .hash = hash };
        find_site(stack, site);
        if (site.size == 0) site.set("{s}", .{message}); // optimised programs lack some lines
    }
    std.debug.print("{s}: {s}\n", .{ site.text[0..site.size], message });
    frng_on_assert(@ptrCast(&site.text));
    if (is_new) for (stack) |frame| print_frame(line_of(frame) orelse break);
    std.os.abort();
}

/// Returns the return addresses of a failure, the innermost one first.
fn stack_of(errors: ?*StackTrace, address: usize, room: *[16]usize) []const usize {
    if (errors) |trace| return trace.instruction_addresses[0..@min(trace.index, room.len)];
    var trace = StackTrace{ .index = 0, .instruction_addresses = room };
    std.debug.captureStackTrace(address, &trace); // by frame pointers
    if (trace.index > 0) return room[0..trace.index];
    room[0] = address;
    return room[0..1];
}

/// Returns the line of a return address, if it has one. The C code beyond the test has none.
fn line_of(address: usize) ?std.debug.LineInfo {
    const info = std.debug.getSelfDebugInfo() catch return null;
    const module = info.getModuleForAddress(address - 1) catch return null;
    const allocator = std.heap.page_allocator;
    const symbol = module.getSymbolAtAddress(allocator, address - 1) catch return null;
    return symbol.line_info;
}

fn print_frame(line: std.debug.LineInfo) void {
    std.debug.print("    {s}:{}\n", .{ line.file_name, line.line });
}

/// Sets the first line that is neither in Zig's library nor in these files.
fn find_site(stack: []const usize, site: *Site) void {
    for (stack) |address| {
        const line = line_of(address) orelse return;
        const name = std.fs.path.basename(line.file_name);
        const is_library = std.mem.indexOf(u8, line.file_name, "/lib/std/") != null;
        if (is_library or line.line == 0 or std.mem.startsWith(u8, name, "frng")) continue;
        return site.set("{s}:{}", .{ name, line.line });
    }
}

/// Where runs failed. To find a line takes long, so all processes of a server share those found.
var sites: []Site = &local_site;
var local_site = [1]Site{.{}};

const Site = struct {
    hash: u64 = 0, // of the stack
    size: usize = 0,
    text: [128]u8 = [1]u8{0} ** 128, // ended by 0

    fn set(site: *Site, comptime format: []const u8, args: anytype) void {
        const room = site.text[0 .. site.text.len - 1];
        const text = std.fmt.bufPrint(room, format, args) catch room;
        site.size = text.len;
    }
};

fn share_sites() !void {
    const flags = std.os.MAP.SHARED | std.os.MAP.ANONYMOUS;
    const protection = std.os.PROT.READ | std.os.PROT.WRITE;
    const bytes = try std.os.mmap(null, 64 * @sizeOf(Site), protection, flags, -1, 0);
    sites = std.mem.bytesAsSlice(Site, bytes);
}
