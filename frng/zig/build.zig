//! The package of frng for Zig 0.11: `frng` is the module, and `link` adds the C part of its server to
//! a program or a test, which needs libc.
//!
//!     const frng = @import("libs/frng/frng/zig/build.zig");           // in the build.zig of yours
//!     const package = b.anonymousDependency("libs/frng/frng/zig", frng, .{});
//!     exe.addModule("frng", package.module("frng"));
//!     frng.link(exe, package);

const std = @import("std");

pub fn build(b: *std.Build) void {
    _ = b.addModule("frng", .{ .source_file = .{ .path = "frng.zig" } });
}

/// Add what the module needs beside its own files.
pub fn link(program: *std.Build.Step.Compile, dependency: *std.Build.Dependency) void {
    const root = dependency.builder;
    program.addCSourceFile(.{ .file = .{ .path = root.pathFromRoot("frng.c") }, .flags = &.{"-g0"} });
    program.addIncludePath(.{ .path = root.pathFromRoot("..") });
    program.linkLibC();
}
