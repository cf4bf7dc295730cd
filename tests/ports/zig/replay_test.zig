//! Replays the findings of the queue in the folder that FRNG_FOUND names.
const std = @import("std");
const findings = @import("frng_findings.zig");
const queue = @import("queue.zig");

test "no finding of the queue fails again" {
    try findings.replay(std.os.getenv("FRNG_FOUND").?, queue.check_queue);
}
