/* frng.hpp: frng for C++17. A test draws from a generator; out of entropy ends it by an exception:
 *
 *     #include <frng.hpp>
 *
 *     static void test(frngpp::generator &f) {
 *         const auto count = f.u32(0, 10);
 *         const auto &name = f.pick(names);
 *         FRNG_ASSERT(count != 7, "%u of %s", count, name.c_str());
 *     }
 *     FRNG_MAIN_CPP(test)
 *
 * The draws are those of frng.h and frng_more.h. A test that returns or runs out of entropy has
 * passed, and its destructors run. An exception of its own ends the program as any uncaught one
 * does, and fails at the line of its throw; a wrong argument is a std::invalid_argument. The
 * generator converts to a frng *, so that all C functions take it: frng_say(f, "x is %d", x). An
 * exception costs 2 us: a test that makes millions of runs a second draws by frng.h. Include it in
 * one file of the program. SPDX-License-Identifier: MIT */
#ifndef FRNG_HPP
#define FRNG_HPP

#include "frng_main.h"
#include "frng_thrown.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace frngpp {

/* Thrown by a draw when entropy is out. It is no std::exception, so that a test which catches its
 * own errors does not catch it. */
struct out_of_entropy {};

struct date {
    int year, month, day;
};

/* A function that tells if a check of a test runner has failed, which does not end the run itself
 * (frng_check.hpp); or a null pointer. */
inline bool (*&has_failed())() {
    static bool (*function)() = nullptr;
    return function;
}

/* Draws from the entropy of one run. It is borrowed by the test, and cannot be copied. */
class generator {
  public:
    explicit generator(::frng *f) : f_(f) {}
    generator(const generator &) = delete;
    generator &operator=(const generator &) = delete;
    operator ::frng *() { return f_; }

    /* f.u8(): any value; f.u8(min, max): both included. And so on, up to i64. */
#define FRNGPP_NUMBER(name, type)                                                                  \
    type name() { return any<type>(); }                                                            \
    type name(type min, type max) { return in(min, max); }
    FRNGPP_NUMBER(u8, std::uint8_t)
    FRNGPP_NUMBER(u16, std::uint16_t)
    FRNGPP_NUMBER(u32, std::uint32_t)
    FRNGPP_NUMBER(u64, std::uint64_t)
    FRNGPP_NUMBER(i8, std::int8_t)
    FRNGPP_NUMBER(i16, std::int16_t)
    FRNGPP_NUMBER(i32, std::int32_t)
    FRNGPP_NUMBER(i64, std::int64_t)
#undef FRNGPP_NUMBER

    /* min..max of any integral type, both included, or of an enum: all numbers between them. */
    template <typename T> T in(T min, T max) {
        if constexpr (std::is_enum_v<T>) {
            using number = std::underlying_type_t<T>;
            return static_cast<T>(in(static_cast<number>(min), static_cast<number>(max)));
        } else {
            static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
            std::uint64_t value;
            require(min <= max, "min is above max");
            took(frng__of(f_, std::is_signed_v<T> ? FRNG_INT : FRNG_UINT, sizeof(T), wide(min),
                          wide(max), nullptr, &value));
            return static_cast<T>(value);
        }
    }

    /* Any value of an integral type. */
    template <typename T> T any() {
        return in(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }

    /* min..max of every magnitude: small numbers are common, large ones occur. */
    template <typename T> T mixed(T min, T max) {
        std::uint64_t value;
        require(min <= max, "min is above max");
        took(frng__mixed(f_, std::is_signed_v<T> ? FRNG_MIXED_INT : FRNG_MIXED_UINT, sizeof(T),
                         wide(min), wide(max), &value));
        return static_cast<T>(value);
    }

    double f64() { return out<double>(frng_f64); }
    double f64_any() { return out<double>(frng_f64_any); }
    double f64_range(double min, double max) {
        require(std::isfinite(min) && std::isfinite(max) && min <= max, "no range of doubles");
        return out<double>(frng_f64_range, min, max);
    }

    bool boolean() { return out<bool>(frng_bool); } /* a coin */
    bool chance(std::uint32_t numerator, std::uint32_t denominator) {
        require(numerator <= denominator && denominator > 0, "no chance of 0 to 1");
        return out<bool>(frng_chance, numerator, denominator);
    }

    /* An index below `count`, from 8 bytes. */
    std::size_t index(std::size_t count) { return one_of(frng_index, count); }

    /* An index, in proportion to its weight: f.weighted({3, 1}). 8 bytes, or as few as do. */
    std::size_t weighted(std::initializer_list<std::uint32_t> weights) {
        return by_weight(frng_weighted, weights);
    }
    std::size_t weighted(const std::vector<std::uint32_t> &weights) {
        return by_weight(frng_weighted, weights);
    }
    std::size_t pick_weighted(const std::vector<std::uint32_t> &w) {
        return by_weight(frng_pick_weighted, w);
    }

    /* Weights for `count` variants, different in each run: swarm testing. */
    std::vector<std::uint32_t> swarm_weights(std::size_t count) {
        std::vector<std::uint32_t> weights(count);
        took(frng_swarm_weights(f_, weights.data(), count));
        return weights;
    }

    /* Small weights, of which some are 0, but not all. */
    std::vector<std::uint32_t> swarm(std::size_t count) {
        std::vector<std::uint32_t> weights(count);
        took(frng_swarm(f_, weights.data(), count));
        return weights;
    }

    /* Take rules, each a name and a function, until the entropy ends, and with it the run. Each run
     * favours some and leaves others out. `check` is called at first and after each rule:
     * f.repeat({{"push", [&] { q.push(f.u8()); }}, {"pop", [&] { q.pop(); }}}, [&] { check(q); }) */
    using rule = std::pair<const char *, std::function<void()>>;
    [[noreturn]] void repeat(const std::vector<rule> &rules,
                             const std::function<void()> &check = {}) {
        require(!rules.empty(), "there are no rules");
        note("swarm");
        const auto weights = swarm(rules.size());
        const auto end_if_failed = [] {
            if (has_failed() != nullptr && has_failed()()) throw out_of_entropy();
        };
        for (;;) {
            if (check) check();
            end_if_failed();
            const auto &next = rules[pick_weighted(weights)];
            step(next.first);
            next.second();
            end_if_failed();
        }
    }

    /* A reference to an element of a container or an array that is not empty. */
    template <typename Container> auto &pick(Container &list) {
        return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(pick(std::size(list))));
    }
    template <typename T> T pick(std::initializer_list<T> list) {
        return list.begin()[pick(list.size())];
    }

    /* Shuffle a container with random access. Out of entropy leaves a permutation. */
    template <typename Container> void shuffle(Container &list) {
        const std::size_t count = std::size(list);
        for (std::size_t i = 0; i + 1 < count; i++) {
            const std::size_t j = i + index(count - i);
            if (j > i) std::swap(list[i], list[j]);
        }
    }

    std::vector<std::size_t> permutation(std::size_t count) {
        std::vector<std::size_t> order(count);
        took(frng_permutation(f_, count, order.data()));
        return order;
    }

    /* Bit i of the mask: thing i of `count` is chosen. */
    std::uint64_t subset(std::size_t count) {
        require(count > 0 && count <= 64, "a subset is one of 1 to 64 things");
        return out<std::uint64_t>(frng_subset, count);
    }

    /* Is there one more element, after `count` of them? */
    bool more(std::size_t count, std::size_t min, std::size_t max) {
        require(min <= max, "min is above max");
        return out<bool>(frng_more, count, min, max);
    }

    /* A list of min..max elements, each made by a call of `element`. */
    template <typename Element> auto list(std::size_t min, std::size_t max, Element &&element) {
        std::vector<std::decay_t<decltype(element())>> all;
        while (more(all.size(), min, max)) all.push_back(element());
        return all;
    }

    std::string string(const std::string &alphabet, std::size_t min, std::size_t max) {
        require(min <= max && !alphabet.empty() && alphabet.size() <= 32768, "no such string");
        std::string text(max + 1, '\0');
        std::size_t length;
        took(frng_string_of(f_, alphabet.data(), alphabet.size(), min, max, &text[0], &length));
        text.resize(length);
        return text;
    }

    /* A day of the years 1 to 9999, of which 2000-01-01 is the simplest, or of a range, of which the
     * first is. */
    date day() { return out_date(frng_date); }
    date day(date first, date last) {
        const auto is_sorted = [](date a, date b) {
            return std::tie(a.year, a.month, a.day) <= std::tie(b.year, b.month, b.day);
        };
        require(is_sorted(first, last), "the first day is after the last");
        return out_date(frng_date_range, frng_day(first.year, first.month, first.day),
                        frng_day(last.year, last.month, last.day));
    }

    std::vector<std::uint8_t> bytes(std::size_t count) {
        const std::uint8_t *first;
        took(frng_bytes(f_, count, &first));
        return std::vector<std::uint8_t>(first, first + count);
    }

    void note(const char *name) { frng_note(f_, name); }
    void step(const char *name) { frng_step(f_, name); }
    void label(const char *name) { frng_label(f_, name); }
    void measure(const char *name, std::uint64_t value) { frng_measure(f_, name, value); }
    std::size_t used() const { return frng_used(f_); }
    std::size_t left() const { return frng_left(f_); }

  private:
    static void took(bool ok) {
        if (!ok) throw out_of_entropy();
    }

    template <typename T> static std::uint64_t wide(T number) {
        return static_cast<std::uint64_t>(number);
    }

    /* The result of a draw of C, whose last argument points to it. */
    template <typename T, typename Draw, typename... Given> T out(Draw draw, Given... given) {
        T value;
        took(draw(f_, given..., &value));
        return value;
    }

    template <typename Draw, typename... Given> date out_date(Draw draw, Given... given) {
        date d;
        took(draw(f_, given..., &d.year, &d.month, &d.day));
        return d;
    }

    std::size_t pick(std::size_t count) { return one_of(frng_pick, count); }

    template <typename Draw> std::size_t one_of(Draw draw, std::size_t count) {
        require(count > 0, "there is nothing to choose from");
        return out<std::size_t>(draw, count);
    }

    template <typename Draw, typename List> std::size_t by_weight(Draw draw, const List &list) {
        require(std::any_of(list.begin(), list.end(), [](auto w) { return w > 0; }), "no weights");
        return out<std::size_t>(draw, std::data(list), list.size());
    }

    ::frng *f_;
};

using test = void (*)(generator &f);

/* Make a run. It has passed if its test returns, or runs out of entropy. */
template <test body> bool run_once(::frng *f) {
    generator g(f);
    try {
        body(g);
        return true;
    } catch (const out_of_entropy &) {
        return false;
    }
}

inline void begin_reports() {
    terminate_before() = std::set_terminate(report_exception);
    thrown_lines();
}

/* Return the exit status of the program, as frng_run does: for a main with arguments of its own. */
template <test body> int run() {
    begin_reports();
    return frng_run(run_once<body>);
}

/* The same for a main that gives its arguments, as that of FRNG_MAIN_CPP: --check searches. */
template <test body> int run(int argc, char **argv) {
    begin_reports();
    return frng__main(run_once<body>, argc, argv);
}

} // namespace frngpp

#ifdef FRNG_LIBFUZZER
#define FRNG_MAIN_CPP(test) FRNG_MAIN(frngpp::run_once<test>)
#else
#define FRNG_MAIN_CPP(test)                                                                        \
    int main(int argc, char **argv) { return frngpp::run<test>(argc, argv); }
#endif

#endif
