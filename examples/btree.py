#!/usr/bin/env python3
"""A B-tree that keeps keys in order, checked against a set.

Reads operations from stdin, two bytes each: what to do (insert below 160, else delete), and the
key. Nothing in here knows of frng: any program that reads bytes and fails loudly can be searched.

The bug: deleting, where a node borrows from its sibling. See btree.md.
With --fixed the program is without it. With --loud it tells what it does.
"""
import sys

KEYS_MIN = 1  # in every node but the root: a 2-3-4 tree
KEYS_MAX = 2 * KEYS_MIN + 1
INPUT_MAX = 16384  # bytes; what comes after is not read

FIXED = "--fixed" in sys.argv[1:]
LOUD = "--loud" in sys.argv[1:]


class Node:
    def __init__(self, keys, children):
        self.keys = keys
        self.children = children  # one more than keys; none in a leaf

    def position(self, key):
        """Where the key is, or which child would have it."""
        at = 0
        while at < len(self.keys) and self.keys[at] < key:
            at += 1
        return at

    def holds(self, at, key):
        return at < len(self.keys) and self.keys[at] == key


class Tree:
    def __init__(self):
        self.root = Node([], [])

    def insert(self, key):
        if len(self.root.keys) == KEYS_MAX:
            self.root = Node([], [self.root])
            split_child(self.root, 0)
        node = self.root
        while True:
            at = node.position(key)
            if node.holds(at, key):
                return
            if not node.children:
                node.keys.insert(at, key)
                return
            if len(node.children[at].keys) == KEYS_MAX:
                split_child(node, at)
            else:
                node = node.children[at]

    def delete(self, key):
        delete_below(self.root, key)
        if not self.root.keys and self.root.children:
            self.root = self.root.children[0]

    def __iter__(self):
        return walk(self.root)


def walk(node):
    for i, key in enumerate(node.keys):
        if node.children:
            yield from walk(node.children[i])
        yield key
    if node.children:
        yield from walk(node.children[-1])


def split_child(parent, at):
    left = parent.children[at]
    middle = left.keys[KEYS_MIN]
    right = Node(left.keys[KEYS_MIN + 1 :], left.children[KEYS_MIN + 1 :])
    left.keys = left.keys[:KEYS_MIN]
    left.children = left.children[: KEYS_MIN + 1]
    parent.keys.insert(at, middle)
    parent.children.insert(at + 1, right)


def delete_below(node, key):
    """Delete the key from the subtree of a node that is the root or has a key to spare."""
    at = node.position(key)
    if not node.children:
        if node.holds(at, key):
            del node.keys[at]
    elif not node.holds(at, key):
        delete_below(node.children[make_room(node, at)], key)
    elif len(node.children[at].keys) > KEYS_MIN:
        node.keys[at] = outermost_key(node.children[at], -1)
        delete_below(node.children[at], node.keys[at])
    elif len(node.children[at + 1].keys) > KEYS_MIN:
        node.keys[at] = outermost_key(node.children[at + 1], 0)
        delete_below(node.children[at + 1], node.keys[at])
    else:
        merge_children(node, at)
        delete_below(node.children[at], key)


def outermost_key(node, side):
    while node.children:
        node = node.children[side]
    return node.keys[side]


def make_room(node, at):
    """Give child `at` a key to spare, from a sibling or by merging; return where it is now."""
    if len(node.children[at].keys) > KEYS_MIN:
        return at
    if at > 0 and len(node.children[at - 1].keys) > KEYS_MIN:
        borrow_left(node, at)
        return at
    if at < len(node.keys) and len(node.children[at + 1].keys) > KEYS_MIN:
        borrow_right(node, at)
        return at
    at = min(at, len(node.keys) - 1)
    merge_children(node, at)
    return at


def borrow_left(node, at):
    child, sibling = node.children[at], node.children[at - 1]
    child.keys.insert(0, node.keys[at - 1])
    node.keys[at - 1] = sibling.keys.pop()
    if sibling.children:
        child.children.insert(0, sibling.children.pop())


def borrow_right(node, at):
    child, sibling = node.children[at], node.children[at + 1]
    child.keys.append(node.keys[at])
    node.keys[at] = sibling.keys.pop(0)
    if sibling.children:
        child.children.append(sibling.children.pop(0 if FIXED else -1))


def merge_children(node, at):
    left, right = node.children[at], node.children.pop(at + 1)
    left.keys += [node.keys.pop(at)] + right.keys
    left.children += right.children


def main():
    data = sys.stdin.buffer.read(INPUT_MAX)
    tree, model = Tree(), set()
    for i in range(0, len(data) - 1, 2):
        key = data[i + 1]
        insert = data[i] < 160
        if LOUD:
            print("insert" if insert else "delete", key, flush=True)
        if insert:
            tree.insert(key)
            model.add(key)
        else:
            tree.delete(key)
            model.discard(key)
        if list(tree) != sorted(model):
            sys.exit(f"after {i // 2 + 1} operations the tree is {list(tree)}, not {sorted(model)}")


main()
