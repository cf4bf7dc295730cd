// suite.cpp: what test_ports.py asks of the port to C++; see c/suite.c.
#include <frng.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace {

using frngpp::generator;

// ---- Answers ----

using words = std::vector<std::string>;

std::uint64_t to_number(const std::string &word) {
    return word[0] == '-' ? static_cast<std::uint64_t>(std::stoll(word)) : std::stoull(word);
}

std::string bits_of(double value) {
    std::uint64_t bits;
    char text[17];
    std::memcpy(&bits, &value, sizeof bits);
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
    return text;
}

double double_of(const std::string &word) {
    const std::uint64_t bits = std::stoull(word, nullptr, 16);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename List> std::string joined(const List &list) {
    std::string text;
    for (const auto x : list) text += (text.empty() ? "" : ",") + std::to_string(x);
    return text;
}

std::vector<std::uint32_t> weights_of(const std::string &word) {
    std::vector<std::uint32_t> list;
    std::istringstream in(word);
    for (std::string one; std::getline(in, one, ',');)
        list.push_back(static_cast<std::uint32_t>(std::stoul(one)));
    return list;
}

std::string hex_of(const std::vector<std::uint8_t> &bytes) {
    std::string text;
    char two[3];
    for (const auto byte : bytes) {
        std::snprintf(two, sizeof two, "%02x", byte);
        text += two;
    }
    return text;
}

using drawer = std::function<std::string(generator &f, const words &with)>;

template <typename T> void add_number(std::map<std::string, drawer> &all, const std::string &name) {
    all[name] = [](generator &f, const words &) { return std::to_string(f.any<T>()); };
    all[name + "_range"] = [](generator &f, const words &with) {
        const auto min = static_cast<T>(to_number(with[0])),
                   max = static_cast<T>(to_number(with[1]));
        return std::to_string(f.in(min, max));
    };
    all[name + "_mixed"] = [](generator &f, const words &with) {
        const auto min = static_cast<T>(to_number(with[0])),
                   max = static_cast<T>(to_number(with[1]));
        return std::to_string(f.mixed(min, max));
    };
}

std::vector<std::size_t> up_to(std::size_t count) {
    std::vector<std::size_t> list(count);
    std::iota(list.begin(), list.end(), 0u);
    return list;
}

std::string pick_of(generator &f, const words &with) {
    const auto list = up_to(to_number(with[0]));
    return std::to_string(f.pick(list));
}

std::string shuffle_of(generator &f, const words &with) {
    auto list = up_to(to_number(with[0]));
    f.shuffle(list);
    return joined(list);
}

std::map<std::string, drawer> all_draws() {
    std::map<std::string, drawer> all = {
        {"bytes", [](auto &f, auto &with) { return hex_of(f.bytes(to_number(with[0]))); }},
        {"bool", [](auto &f, auto &) { return std::to_string(f.boolean()); }},
        {"index", [](auto &f, auto &with) { return std::to_string(f.index(to_number(with[0]))); }},
        {"weighted",
         [](auto &f, auto &with) { return std::to_string(f.weighted(weights_of(with[0]))); }},
        {"pick_weighted",
         [](auto &f, auto &with) { return std::to_string(f.pick_weighted(weights_of(with[0]))); }},
        {"swarm_weights",
         [](auto &f, auto &with) { return joined(f.swarm_weights(to_number(with[0]))); }},
        {"shuffle", shuffle_of},
        {"permutation",
         [](auto &f, auto &with) { return joined(f.permutation(to_number(with[0]))); }},
        {"subset",
         [](auto &f, auto &with) { return std::to_string(f.subset(to_number(with[0]))); }},
        {"f64", [](auto &f, auto &) { return bits_of(f.f64()); }},
        {"f64_any", [](auto &f, auto &) { return bits_of(f.f64_any()); }},
        {"f64_range",
         [](auto &f, auto &with) {
             return bits_of(f.f64_range(double_of(with[0]), double_of(with[1])));
         }},
        {"chance",
         [](auto &f, auto &with) {
             return std::to_string(f.chance(static_cast<std::uint32_t>(to_number(with[0])),
                                            static_cast<std::uint32_t>(to_number(with[1]))));
         }},
        {"pick", pick_of},
        {"more",
         [](auto &f, auto &with) {
             return std::to_string(
                 f.more(to_number(with[0]), to_number(with[1]), to_number(with[2])));
         }},
        {"string",
         [](auto &f, auto &with) {
             return f.string(with[0], to_number(with[1]), to_number(with[2]));
         }},
    };
    add_number<std::uint8_t>(all, "u8");
    add_number<std::uint16_t>(all, "u16");
    add_number<std::uint32_t>(all, "u32");
    add_number<std::uint64_t>(all, "u64");
    add_number<std::int8_t>(all, "i8");
    add_number<std::int16_t>(all, "i16");
    add_number<std::int32_t>(all, "i32");
    add_number<std::int64_t>(all, "i64");
    return all;
}

words split(const std::string &line) {
    words all;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, ' ');) all.push_back(word);
    return all;
}

std::vector<std::uint8_t> bytes_of(const std::string &hex) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

const std::map<std::string, drawer> draws = all_draws();

std::string answer_draw(::frng *f, const words &all) {
    const auto found = draws.find(all[0]);
    if (found == draws.end()) return "?"; // this port lacks it
    generator g(f);
    std::string value = "-";
    try {
        value = found->second(g, words(all.begin() + 1, all.end()));
    } catch (const frngpp::out_of_entropy &) {
    }
    return value + ' ' + std::to_string(g.used()) + ' ' + std::to_string(f->exhausted);
}

int answer() {
    std::vector<std::uint8_t> entropy;
    ::frng f = frng_init(nullptr, 0);
    for (std::string line; std::getline(std::cin, line);) {
        const words all = split(line);
        if (all[0] == "entropy") {
            entropy = bytes_of(all.size() > 1 ? all[1] : "");
            f = frng_init(entropy.data(), entropy.size());
        } else if (all[0] == "expand") {
            std::vector<std::uint8_t> bytes(to_number(all[2]));
            const auto expand = all[1].back() == 's' ? frng_expand_styled : frng_expand;
            expand(to_number(all[1]), bytes.data(), bytes.size());
            std::cout << hex_of(bytes) << '\n';
        } else {
            std::cout << answer_draw(&f, all) << '\n';
        }
    }
    return 0;
}

// ---- Targets ----

const char *argument = ""; // the second one of the program

void test_calls(generator &f) {
    std::vector<words> calls;
    std::ifstream file(argument);
    for (std::string line; std::getline(file, line);) calls.push_back(split(line));
    for (;;) {
        f.step("all kinds");
        for (const auto &call : calls) {
            f.note(call[0].c_str());
            const auto value = draws.at(call[0])(f, words(call.begin() + 1, call.end()));
            FRNG_ASSERT(call[0] != "u8" || value != "77", "77");
        }
    }
}

void test_draws(generator &f) {
    for (int i = 0; i < std::atoi(argument); i++) f.u8();
}

void test_two_bugs(generator &f) {
    int previous = 255, high = 0;
    for (;;) {
        const int x = f.u8();
        FRNG_ASSERT(x != 0 || previous != 0, "few");
        high += x >= 128;
        FRNG_ASSERT(high < 4, "many");
        previous = x;
    }
}

void test_throws(generator &f) {
    int previous = 255, high = 0;
    for (;;) {
        const int x = f.u8();
        if (x == 0 && previous == 0) throw std::runtime_error("few");
        high += x >= 128;
        if (high == 4) throw std::runtime_error("many");
        previous = x;
    }
}

// A draw of 0..9 by `% 10`, which its record does not say.
std::uint64_t lie(::frng *f) {
    const std::size_t start = f->used;
    if (!frng__take(f, 1)) {
        (void)frng__ask(f, FRNG_UINT, start, 1, 0, 9, nullptr);
        throw frngpp::out_of_entropy();
    }
    const std::uint64_t value = f->base[start] % 10;
    frng__done(f, FRNG_UINT, start, 1, 0, 9, value);
    return value;
}

void test_liar(generator &f) {
    for (;;) {
        f.step("step");
        const std::uint64_t value = f.boolean() ? lie(f) : 0;
        FRNG_ASSERT(value != 7, "seven");
    }
}

void test_stateful(generator &f) {
    static int runs;
    f.u8();
    FRNG_ASSERT(runs++ < 50, "too many runs");
}

void test_exits(generator &f) {
    for (int x, previous = 0;; previous = x) {
        x = f.u8();
        if (x < 64) std::exit(0);
        FRNG_ASSERT(x <= 250 || previous <= 250, "two large ones");
    }
}

void test_hangs(generator &f) {
    for (;;) {
        volatile bool hangs = f.u8() == 200;
        while (hangs) {
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::map<std::string, int (*)()> targets = {
        {"answers", answer},
        {"calls", frngpp::run<test_calls>},
        {"draws", frngpp::run<test_draws>},
        {"two-bugs", frngpp::run<test_two_bugs>},
        {"throws", frngpp::run<test_throws>},
        {"liar", frngpp::run<test_liar>},
        {"stateful", frngpp::run<test_stateful>},
        {"exits", frngpp::run<test_exits>},
        {"hangs", frngpp::run<test_hangs>},
    };
    const std::string name = argc > 1 ? argv[1] : "";
    if (argc > 2) argument = argv[2];
    const auto found = targets.find(name);
    if (found != targets.end()) return found->second();
    std::cerr << "suite: no such sub-command: " << name << '\n';
    return 2;
}
