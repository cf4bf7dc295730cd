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
#include <unistd.h>

namespace {

using frngpp::generator;

// ---- Answers ----

struct call {
    std::string name;
    std::vector<std::string> arguments;

    explicit call(const std::string &line) {
        std::istringstream in(line);
        in >> name;
        for (std::string word; in >> word;) arguments.push_back(word);
    }

    template <typename T = std::size_t> T number(std::size_t i) const {
        const auto &word = arguments[i];
        return static_cast<T>(word[0] == '-' ? static_cast<std::uint64_t>(std::stoll(word))
                                             : std::stoull(word));
    }

    double real(std::size_t i) const {
        const std::uint64_t bits = std::stoull(arguments[i], nullptr, 16);
        double value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    frngpp::date day(std::size_t i) const {
        frngpp::date date = {1, 1, 1};
        std::sscanf(arguments[i].c_str(), "%d-%d-%d", &date.year, &date.month, &date.day);
        return date;
    }

    std::vector<std::uint32_t> weights() const {
        std::vector<std::uint32_t> list;
        std::istringstream in(arguments[0]);
        for (std::string one; std::getline(in, one, ',');)
            list.push_back(static_cast<std::uint32_t>(std::stoul(one)));
        return list;
    }

    std::vector<std::size_t> list() const { // each element is its index
        std::vector<std::size_t> all(number(0));
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
};

// ---- Values as texts ----

std::string text(const std::string &value) { return value; }

template <typename T> std::enable_if_t<std::is_integral_v<T>, std::string> text(T value) {
    return std::to_string(value);
}

std::string text(frngpp::date date) {
    char digits[48];
    std::snprintf(digits, sizeof digits, "%04d-%02d-%02d", date.year, date.month, date.day);
    return digits;
}

std::string text(double value) {
    std::uint64_t bits;
    char hex[17];
    std::memcpy(&bits, &value, sizeof bits);
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(bits));
    return hex;
}

std::string text(const std::vector<std::uint8_t> &bytes) {
    std::string all;
    char two[3];
    for (const auto byte : bytes) {
        std::snprintf(two, sizeof two, "%02x", byte);
        all += two;
    }
    return all;
}

template <typename T> std::string text(const std::vector<T> &list) {
    std::string all;
    for (const auto x : list) all += (all.empty() ? "" : ",") + std::to_string(x);
    return all;
}

// ---- Draws ----

using drawer = std::function<std::string(generator &f, const call &c)>;

#define DRAW(name, value)                                                                          \
    {                                                                                              \
        name, [](generator &f, [[maybe_unused]] const call &c) { return text(value); }             \
    }

template <typename T> void add_number(std::map<std::string, drawer> &all, const std::string &name) {
    all.insert({DRAW(name, f.any<T>()),
                DRAW(name + "_range", f.number(c.number<T>(0), c.number<T>(1))),
                DRAW(name + "_mixed", f.mixed(c.number<T>(0), c.number<T>(1)))});
}

std::vector<std::size_t> shuffled(generator &f, std::vector<std::size_t> list) {
    f.shuffle(list);
    return list;
}

std::size_t picked(generator &f, std::vector<std::size_t> list) { return f.pick(list); }

std::vector<std::size_t> taken(generator &f, std::vector<std::size_t> things, std::size_t count) {
    std::vector<std::size_t> list;
    while (list.size() < count) list.push_back(f.take_thing(things));
    return list;
}

std::vector<std::uint8_t> bytes_of(const std::string &text) { return {text.begin(), text.end()}; }

std::map<std::string, drawer> all_draws() {
    std::map<std::string, drawer> all = {
        DRAW("bytes", f.bytes(c.number(0))),
        DRAW("bool", f.boolean()),
        DRAW("index", f.index(c.number(0))),
        DRAW("weighted", f.weighted(c.weights())),
        DRAW("pick_weighted", f.pick_weighted(c.weights())),
        DRAW("swarm_weights", f.swarm_weights(c.number(0))),
        DRAW("swarm", f.swarm(c.number(0))),
        DRAW("date", f.day()),
        DRAW("date_range", f.day(c.day(0), c.day(1))),
        DRAW("shuffle", shuffled(f, c.list())),
        DRAW("permutation", f.permutation(c.number(0))),
        DRAW("subset", f.subset(c.number(0))),
        DRAW("f64", f.f64()),
        DRAW("f64_any", f.f64_any()),
        DRAW("f64_range", f.f64_range(c.real(0), c.real(1))),
        DRAW("chance", f.chance(c.number<std::uint32_t>(0), c.number<std::uint32_t>(1))),
        DRAW("pick", picked(f, c.list())),
        DRAW("more", f.more(c.number(0), c.number(1), c.number(2))),
        DRAW("depth", f.depth(c.number(0))),
        DRAW("utf8", bytes_of(f.utf8(c.number(0), c.number(1)))),
        DRAW("regex", bytes_of(f.regex(c.arguments[0]))),
        DRAW("pool", taken(f, c.list(), c.number(1))),
        DRAW("string", f.string(c.arguments[0], c.number(1), c.number(2))),
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

const std::map<std::string, drawer> draws = all_draws();

std::string answer_draw(::frng *f, const call &c) {
    const auto found = draws.find(c.name);
    if (found == draws.end()) return "?"; // this port lacks it
    generator g(f);
    std::string value = "-";
    try {
        value = found->second(g, c);
    } catch (const frngpp::out_of_entropy &) {
    } catch (const std::invalid_argument &) {
        value = "misuse";
    }
    return value + ' ' + std::to_string(g.used()) + ' ' + std::to_string(f->exhausted);
}

int answer() {
    std::vector<std::uint8_t> entropy;
    ::frng f = frng_init(nullptr, 0);
    for (std::string line; std::getline(std::cin, line);) {
        const call c(line);
        if (c.name == "entropy") {
            entropy.clear();
            for (std::size_t i = 0; !c.arguments.empty() && i < c.arguments[0].size(); i += 2)
                entropy.push_back(static_cast<std::uint8_t>(
                    std::stoul(c.arguments[0].substr(i, 2), nullptr, 16)));
            f = frng_init(entropy.data(), entropy.size());
        } else if (c.name == "expand") {
            std::vector<std::uint8_t> bytes(c.number(1));
            const auto expand = c.arguments[0].back() == 's' ? frng_expand_styled : frng_expand;
            expand(c.number<std::uint64_t>(0), bytes.data(), bytes.size());
            std::cout << text(bytes) << '\n';
        } else {
            std::cout << answer_draw(&f, c) << '\n';
        }
    }
    return 0;
}

// ---- Targets ----

const char *argument = ""; // the second one of the program

void test_calls(generator &f) {
    std::vector<call> calls;
    std::ifstream file(argument);
    for (std::string line; std::getline(file, line);) calls.emplace_back(line);
    for (;;) {
        f.step("all kinds");
        for (const auto &c : calls) {
            f.note(c.name.c_str());
            const auto value = draws.at(c.name)(f, c);
            FRNG_ASSERT(c.name != "u8" || value != "77", "77");
        }
    }
}

void test_draws(generator &f) {
    for (int i = 0; i < std::atoi(argument); i++) f.u8();
}

void test_bugs(generator &f) {
    const std::string how = argument;
    int previous = 255, high = 0;
    for (;;) {
        const int x = f.u8();
        if (how == "exits" && x < 64) std::exit(0);
        while (how == "hangs" && x == 200) pause();
        if (x == 0 && previous == 0) throw std::runtime_error("few");
        high += x >= 128;
        if (high == 4) throw std::runtime_error("many");
        previous = x;
    }
}

void test_stateful(generator &f) {
    static int runs;
    f.u8();
    FRNG_ASSERT(runs++ < 50, "too many runs");
}

void test_marks(generator &f) {
    for (unsigned count = 0;; count++) {
        f.measure("count", count);
        const auto x = f.u8();
        if (x % 2 == 1) f.label("odd");
        frng_say(f, "byte %u is %d, in a line that takes two records of a trace", count, x);
    }
}

void test_assumes(generator &f) {
    const auto x = f.u8();
    if (x % 2 == 1) f.label("odd");
    f.assume(x >= 160);
    f.u8();
}

void test_climbs(generator &f) {
    for (unsigned high = 0, count = 0; count < 20; count++) {
        high = f.u8() % 32 == (high + 1) * 11 % 32 ? high + 1 : 0;
        f.maximize("high", high);
        FRNG_ASSERT(high < 4, "too high");
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::map<std::string, int (*)()> targets = {
        {"answers", answer},
        {"calls", frngpp::run<test_calls>},
        {"draws", frngpp::run<test_draws>},
        {"bugs", frngpp::run<test_bugs>},
        {"stateful", frngpp::run<test_stateful>},
        {"marks", frngpp::run<test_marks>},
        {"climbs", frngpp::run<test_climbs>},
        {"assumes", frngpp::run<test_assumes>},
    };
    const std::string name = argc > 1 ? argv[1] : "";
    if (argc > 2) argument = argv[2];
    const auto found = targets.find(name);
    if (found != targets.end()) return found->second();
    std::cerr << "suite: no such sub-command: " << name << '\n';
    return 2;
}
