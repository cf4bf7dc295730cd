// misuse.cpp: exits with 0 if each wrong argument throws, with entropy and without, and draws nothing.
// SPDX-License-Identifier: MIT
#include <frng.hpp>

namespace {

using generator = frngpp::generator;
using weights = std::vector<std::uint32_t>;

struct misuse {
    const char *name;
    void (*call)(generator &f);
};

const misuse all[] = {
    {"u8", [](generator &f) { f.u8(3, 2); }},
    {"i64", [](generator &f) { f.i64(3, -2); }},
    {"mixed", [](generator &f) { f.mixed(3, -2); }},
    {"index", [](generator &f) { f.index(0); }},
    {"pick",
     [](generator &f) {
         const weights none;
         f.pick(none);
     }},
    {"weighted",
     [](generator &f) {
         f.weighted({0, 0});
     }},
    {"no weights", [](generator &f) { f.weighted(weights()); }},
    {"pick_weighted", [](generator &f) { f.pick_weighted(weights()); }},
    {"chance", [](generator &f) { f.chance(2, 1); }},
    {"no chance", [](generator &f) { f.chance(0, 0); }},
    {"more", [](generator &f) { f.more(0, 3, 2); }},
    {"string", [](generator &f) { f.string("ab", 3, 2); }},
    {"no letters", [](generator &f) { f.string("", 0, 2); }},
    {"subset", [](generator &f) { f.subset(65); }},
    {"f64_range", [](generator &f) { f.f64_range(0, std::numeric_limits<double>::infinity()); }},
};

bool throws(const misuse &one, std::size_t size) {
    const std::vector<std::uint8_t> entropy(size);
    ::frng f = frng_init(entropy.data(), size);
    generator g(&f);
    try {
        one.call(g);
    } catch (const std::invalid_argument &) {
        return g.used() == 0;
    } catch (const frngpp::out_of_entropy &) {
    }
    std::printf("%s with %zu bytes is no std::invalid_argument\n", one.name, size);
    return false;
}

} // namespace

int main() {
    bool ok = true;
    for (const misuse &one : all) ok = throws(one, 100) && throws(one, 0) && ok;
    return ok ? 0 : 1;
}
