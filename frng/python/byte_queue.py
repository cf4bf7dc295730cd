#!/usr/bin/env python3
"""A queue of bytes in a ring, 8 deep, with a bug: frng-search ./byte_queue.py --rng-seed 7"""

import frng


class Queue:
    def __init__(self) -> None:
        self.items = [0] * 8
        self.head = self.count = 0

    def push(self, item: int) -> None:
        self.items[(self.head + self.count) % 8] = item
        self.count += 1

    def pop(self) -> int:
        item = self.items[self.head % 7]
        self.head, self.count = self.head + 1, self.count - 1
        return item


@frng.main
def test(f: frng.Frng) -> None:
    queue = Queue()
    first = last = 0
    while True:  # until the entropy runs out: passed
        push = f.bool()
        if push and queue.count < 8:
            queue.push(last)
            last = (last + 1) % 256
        elif not push and queue.count > 0:
            got = queue.pop()
            assert got == first, f"got {got}, not {first}"
            first = (first + 1) % 256
