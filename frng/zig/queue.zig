const frng = @import("frng.zig");

pub const panic = frng.panic;

/// A queue of bytes in a ring, 8 deep.
const Queue = struct {
    items: [8]u8 = undefined,
    head: u32 = 0,
    count: u32 = 0,

    fn push(q: *Queue, x: u8) void {
        q.items[(q.head + q.count) % 8] = x;
        q.count += 1;
    }

    fn pop(q: *Queue) u8 {
        defer q.head += 1;
        q.count -= 1;
        return q.items[q.head % 7];
    }
};

pub fn check_queue(rng: *frng.FRNG) !void {
    var queue = Queue{};
    var first: u8 = 0;
    var last: u8 = 0;
    while (true) { // until the entropy runs out: passed
        const want_push = try rng.boolean();
        if (want_push and queue.count < 8) {
            queue.push(last);
            last +%= 1;
        } else if (!want_push and queue.count > 0) {
            const got = queue.pop();
            frng.assert(got == first, "got {}, not {}", .{ got, first });
            first +%= 1;
        }
    }
}

pub fn main() u8 {
    return frng.run(check_queue);
}
