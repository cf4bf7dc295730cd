"""What the six properties test: three ways to be wrong. SPDX-License-Identifier: MIT"""


def add_months(year, month, day, count):
    at = 12 * year + month - 1 + count
    year, month = at // 12, at % 12 + 1
    return year, month, min(day, 28 if month == 2 else 31)  # April has 30


class Ring:
    def __init__(self):
        self.items, self.head, self.count = [0] * 8, 0, 0

    def push(self, x):
        self.items[(self.head + self.count) % 8] = x
        self.count += 1

    def pop(self):
        x, self.head, self.count = self.items[self.head % 7], self.head + 1, self.count - 1
        return x


class Cache:
    def __init__(self, is_right=False):
        self.items, self.is_right = {}, is_right

    def put(self, key, value):
        if len(self.items) == 3 and not (self.is_right and key in self.items):
            del self.items[next(iter(self.items))]
        self.items[key] = value
