// suite.cpp: the targets and comparisons of each port, in C++; see tests/ports/c/suite.c.
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
using numbers = std::vector<std::uint64_t>;

// ---- Digests, as DIGESTS.md describes them ----

class digest {
  public:
    void byte(std::uint8_t x) { value_ = (value_ ^ x) * 0x100000001b3; }
    void fold(std::uint64_t x) {
        for (int i = 0; i < 8; i++) byte(static_cast<std::uint8_t>(x >> (8 * i)));
    }
    void print(const std::string &name) const {
        std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(value_));
    }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

std::vector<std::uint8_t> expanded(std::uint64_t seed, std::size_t size, bool is_styled = false) {
    std::vector<std::uint8_t> bytes(size);
    (is_styled ? frng_expand_styled : frng_expand)(seed, bytes.data(), size);
    return bytes;
}

template <typename T> numbers number(generator &f, std::uint64_t a, std::uint64_t b) {
    using whole = std::make_unsigned_t<T>;
    constexpr unsigned bits = 8 * sizeof(T);
    const std::uint64_t top = std::numeric_limits<whole>::max();
    const std::uint64_t spans[] = {a >> 8 & 15, a >> 8 & top, top,
                                   (std::uint64_t{1} << (a >> 8) % bits) - 1 + (a >> 16 & 1)};
    const std::uint64_t span = spans[a % 4], low = std::min(b & top, top - span);
    const std::uint64_t shift = std::is_signed_v<T> ? std::uint64_t{1} << (bits - 1) : 0;
    const T value = f.in(static_cast<T>(low - shift), static_cast<T>(low + span - shift));
    return {static_cast<std::uint64_t>(value)};
}

template <typename T> numbers any_number(generator &f, std::uint64_t, std::uint64_t) {
    return {static_cast<std::uint64_t>(f.any<T>())};
}

template <typename List> numbers widened(const List &list) {
    return numbers(list.begin(), list.end());
}

numbers draw_bytes(generator &f, std::uint64_t a, std::uint64_t) {
    return widened(f.bytes(a & 15));
}
numbers draw_bool(generator &f, std::uint64_t, std::uint64_t) { return {f.boolean()}; }
numbers draw_index(generator &f, std::uint64_t a, std::uint64_t b) {
    return {f.index(1 + (a >> (33 + b % 31)))};
}
numbers draw_weighted(generator &f, std::uint64_t a, std::uint64_t b) {
    std::vector<std::uint32_t> weights(1 + (a & 7));
    for (std::size_t j = 0; j < weights.size(); j++)
        weights[j] = static_cast<std::uint32_t>((b >> (8 * j) & 255) + (j == 0));
    return {f.weighted(weights)};
}
numbers draw_swarm_weights(generator &f, std::uint64_t a, std::uint64_t) {
    return widened(f.swarm_weights(1 + (a & 7)));
}
numbers draw_shuffle(generator &f, std::uint64_t a, std::uint64_t) {
    numbers list(a & 7);
    std::iota(list.begin(), list.end(), 0u);
    f.shuffle(list);
    return list;
}
numbers draw_f64(generator &f, std::uint64_t, std::uint64_t) {
    const double value = f.f64();
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return {bits};
}
numbers draw_chance(generator &f, std::uint64_t a, std::uint64_t b) {
    const auto denominator = static_cast<std::uint32_t>(1 + (a & 65535));
    return {
        f.chance(static_cast<std::uint32_t>(b % (denominator + std::uint64_t{1})), denominator)};
}

struct kind {
    const char *name;
    numbers (*draw)(generator &f, std::uint64_t a, std::uint64_t b);
};

const kind kinds[] = {
    {"bytes", draw_bytes},
    {"bool", draw_bool},
    {"u8", any_number<std::uint8_t>},
    {"u16", any_number<std::uint16_t>},
    {"u32", any_number<std::uint32_t>},
    {"u64", any_number<std::uint64_t>},
    {"i8", any_number<std::int8_t>},
    {"i16", any_number<std::int16_t>},
    {"i32", any_number<std::int32_t>},
    {"i64", any_number<std::int64_t>},
    {"u8_range", number<std::uint8_t>},
    {"u16_range", number<std::uint16_t>},
    {"u32_range", number<std::uint32_t>},
    {"u64_range", number<std::uint64_t>},
    {"i8_range", number<std::int8_t>},
    {"i16_range", number<std::int16_t>},
    {"i32_range", number<std::int32_t>},
    {"i64_range", number<std::int64_t>},
    {"index", draw_index},
    {"weighted", draw_weighted},
    {"swarm_weights", draw_swarm_weights},
    {"shuffle", draw_shuffle},
    {"f64", draw_f64},
    {"chance", draw_chance},
};

int print_digests() {
    std::uint64_t k = 0;
    for (const auto &one : kinds) {
        const auto entropy = expanded(100 + k, 400000), bounds = expanded(200 + k, 160000);
        ::frng f = frng_init(entropy.data(), entropy.size());
        generator g(&f);
        digest d;
        for (std::size_t i = 0; i < 160000; i += 16)
            for (const auto x :
                 one.draw(g, frng__load(&bounds[i], 8), frng__load(&bounds[i + 8], 8)))
                d.fold(x);
        d.fold(g.used());
        d.print(one.name);
        k++;
    }
    for (const bool is_styled : {false, true}) {
        digest d;
        for (std::uint64_t seed = 0; seed < 300; seed++)
            for (const auto byte : expanded(seed, 1003, is_styled)) d.byte(byte);
        d.print(is_styled ? "expand_styled" : "expand");
    }
    return 0;
}

// ---- Vectors ----

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

std::string pick_of(generator &f, const words &with) {
    std::vector<std::size_t> list(to_number(with[0]));
    std::iota(list.begin(), list.end(), 0u);
    return std::to_string(f.pick(list));
}

std::string shuffle_of(generator &f, const words &with) {
    std::vector<std::size_t> list(to_number(with[0]));
    std::iota(list.begin(), list.end(), 0u);
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

class vectors {
  public:
    // Compare a line of test_ports.py. False: it differs.
    bool is_right(const std::string &line) {
        const words all = split(line);
        if (all[0] == "expand") return is_expansion_right(all);
        if (all[0] != "entropy") return is_draw_right(all);
        count_ += is_counted_;
        is_counted_ = true;
        entropy_ = bytes_of(all.size() > 1 ? all[1] : "");
        f_ = frng_init(entropy_.data(), entropy_.size());
        return true;
    }

    std::size_t count() const { return count_ + is_counted_; }

  private:
    static std::vector<std::uint8_t> bytes_of(const std::string &hex) {
        std::vector<std::uint8_t> bytes;
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
            bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
        return bytes;
    }

    // The bytes of "17", or of "17s".
    static std::vector<std::uint8_t> expanded_text(const std::string &seed, std::size_t size) {
        return expanded(to_number(seed), size, seed.back() == 's');
    }

    bool is_expansion_right(const words &all) {
        count_++;
        return expanded_text(all[1], to_number(all[2])) == bytes_of(all.size() > 3 ? all[3] : "");
    }

    bool is_draw_right(const words &all) {
        const auto found = draws_.find(all[0]);
        const std::size_t end = all.size();
        if (found == draws_.end()) { // this port lacks it, so that its vector does not count
            is_counted_ = false;
            return true;
        }
        generator g(&f_);
        bool is_out = false;
        std::string value;
        try {
            value = found->second(g, words(all.begin() + 1, all.end() - 4));
        } catch (const frngpp::out_of_entropy &) {
            is_out = true;
        }
        if (all[end - 1] != std::to_string(is_out) || f_.exhausted != is_out) return false;
        return to_number(all[end - 2]) == g.used() && (is_out || all[end - 3] == value);
    }

    const std::map<std::string, drawer> draws_ = all_draws();
    std::vector<std::uint8_t> entropy_;
    ::frng f_ = frng_init(nullptr, 0);
    std::size_t count_ = 0;
    bool is_counted_ = false;
};

int compare_vectors(const char *name) {
    std::ifstream file(name);
    vectors all;
    for (std::string line; std::getline(file, line);) {
        if (all.is_right(line)) continue;
        std::printf("vector %zu differs: %s\n", all.count(), line.c_str());
        return 1;
    }
    std::printf("%zu vectors\n", all.count());
    return 0;
}

// ---- Targets ----

int draws_wanted; // by the target `draws`

void test_empty(generator &) {}

void test_draws(generator &f) {
    for (int i = 0; i < draws_wanted; i++) f.u8();
}

void test_fails(generator &f) {
    f.boolean();
    FRNG_ASSERT(false, "always");
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

void test_kinds(generator &f) {
    const std::vector<int> primes = {2, 3, 5, 7};
    for (;;) {
        std::vector<int> list = {0, 1, 2};
        f.step("all kinds");
        f.note("bytes"), f.bytes(3);
        f.note("bool"), f.boolean();
        f.note("u8");
        const int u8 = f.u8();
        FRNG_ASSERT(u8 != 77, "77");
        f.note("u16"), f.u16();
        f.note("u32"), f.u32();
        f.note("u64"), f.u64();
        f.note("i8"), f.i8();
        f.note("i16"), f.i16();
        f.note("i32"), f.i32();
        f.note("i64"), f.i64();
        f.note("u8_range"), f.u8(3, 12);
        f.note("u16_range"), f.u16(3, 1002);
        f.note("u32_range"), f.u32(3, 100002);
        f.note("u64_range"), f.u64(3, 10000000002);
        f.note("i8_range"), f.i8(-5, 5);
        f.note("i16_range"), f.i16(-500, 500);
        f.note("i32_range"), f.i32(-50000, 50000);
        f.note("i64_range"), f.i64(-5000000000, 5000000000);
        f.note("index"), f.index(10);
        f.note("weighted"), f.weighted({3, 0, 1});
        f.note("swarm_weights"), f.swarm_weights(2);
        f.note("shuffle"), f.shuffle(list);
        f.note("f64"), f.f64();
        f.note("chance"), f.chance(1, 8);
        f.note("pick"), f.pick(primes);
        f.note("more"), f.more(1, 0, 3);
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::map<std::string, int (*)()> targets = {
        {"digests", print_digests},
        {"empty", frngpp::run<test_empty>},
        {"draws", frngpp::run<test_draws>},
        {"fails", frngpp::run<test_fails>},
        {"two-bugs", frngpp::run<test_two_bugs>},
        {"throws", frngpp::run<test_throws>},
        {"liar", frngpp::run<test_liar>},
        {"stateful", frngpp::run<test_stateful>},
        {"exits", frngpp::run<test_exits>},
        {"hangs", frngpp::run<test_hangs>},
        {"kinds", frngpp::run<test_kinds>},
    };
    const std::string name = argc > 1 ? argv[1] : "";
    if (name == "vectors" && argc > 2) return compare_vectors(argv[2]);
    draws_wanted = argc > 2 ? std::atoi(argv[2]) : 0;
    const auto found = targets.find(name);
    if (found != targets.end()) return found->second();
    std::cerr << "suite: no such sub-command: " << name << '\n';
    return 2;
}
