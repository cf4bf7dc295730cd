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
#include "frng_regex.h"
#include "frng_thrown.hpp"
#include "frng_utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace frngpp {

struct rule_is_over : out_of_entropy {}; /* by assume, in repeat */

struct date {
    int year, month, day;
};

/* A function that tells if a check of a test runner has failed, which does not end the run itself
 * (frng_check.hpp). */
inline bool (*&has_failed())() {
    static bool (*function)() = [] { return false; };
    return function;
}

/* A rule or a check of repeat. */
struct action : std::function<void()> {
    action() = default;
    template <typename Call> action(Call call) : std::function<void()>(std::move(call)) {
        static_assert(std::is_void_v<std::invoke_result_t<Call &>>,
                      "nobody looks at what a rule or a check returns: fail by an assertion");
    }
};

/* ---- Values, for those who read of a failure ---- */

template <typename T, typename = void> struct has_output : std::false_type {};
template <typename T>
struct has_output<
    T, std::void_t<decltype(std::declval<std::ostream &>() << std::declval<const T &>())>>
    : std::true_type {};
template <typename T, typename = void> struct has_elements : std::false_type {};
template <typename T>
struct has_elements<
    T, std::void_t<typename T::value_type, decltype(std::declval<const T &>().begin())>>
    : std::true_type {};
template <typename T>
constexpr bool is_list_array = std::is_array_v<T> && !std::is_convertible_v<T, const char *>;
template <typename T, typename = void> struct is_tuple : std::false_type {};
template <typename T>
struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};

/* Put a value as << does, with quotes, and brackets around elements. False if it has no <<. */
template <typename T> bool put_value(std::ostream &out, const T &value) {
    if constexpr (std::is_same_v<T, std::string>) {
        static const char digits[] = "0123456789abcdef";
        out << '"';
        for (const char letter : value) {
            const auto byte = static_cast<unsigned char>(letter);
            if (byte >= 32 && byte != 127)
                out << letter;
            else
                out << "\\x" << digits[byte >> 4] << digits[byte & 15];
        }
        out << '"';
        return true;
    } else if constexpr (std::is_same_v<T, bool>) {
        out << (value ? "true" : "false");
        return true;
    } else if constexpr (std::is_integral_v<T>) {
        out << +value; /* a letter is a number, as its draw */
        return true;
    } else if constexpr (std::is_pointer_v<T> && !std::is_convertible_v<T, const char *>) {
        return false;
    } else if constexpr (has_output<T>::value && !is_list_array<T>) {
        out << value;
        return true;
    } else if constexpr (has_elements<T>::value || is_list_array<T>) {
        const char *before = "[";
        bool is_known = true;
        for (const auto &element : value) {
            out << before;
            is_known = is_known && put_value(out, element);
            before = ", ";
        }
        out << (*before == '[' ? "[]" : "]");
        return is_known;
    } else if constexpr (is_tuple<T>::value) {
        const char *before = "(";
        const auto put = [&](const auto &part) {
            out << before;
            before = ", ";
            return put_value(out, part);
        };
        const bool is_known =
            std::apply([&](const auto &...parts) { return (put(parts) && ...); }, value);
        out << ')';
        return is_known;
    } else if constexpr (std::is_enum_v<T>) {
        return put_value(out, static_cast<std::underlying_type_t<T>>(value));
    } else {
        return false;
    }
}

/* A value in progress, from the next draw on. It is told where a run that fails is (frng_check.h). */
class told_value {
  public:
#ifdef FRNG_LIBFUZZER
    static void begin() {}
    template <typename T> void is(const T &) {}
#else
    /* A run begins whose values are told. */
    static void begin() {
        if (auto *values = frng__check_values()) values->is_typed = true;
    }
    told_value() : values_(frng__check_values()) {
        if (values_ == nullptr) return;
        index_ = frng__told_begin(values_, frng__state()->report->traced);
    }
    told_value(const told_value &) = delete;
    told_value &operator=(const told_value &) = delete;
    ~told_value() { end(""); } /* also of one that is given up, as by assume */
    template <typename T> void is(const T &value) {
        if (values_ == nullptr) return;
        std::ostringstream out;
        end(put_value(out, value) ? out.str().c_str() : "");
        values_ = nullptr;
    }

  private:
    void end(const char *text) {
        if (values_ != nullptr)
            frng__told_end(values_, index_, frng__state()->report->traced, text);
    }

    frng__told_values *values_;
    std::uint32_t index_ = 0;
#endif
};

/* A draw is made in the function that calls it (FRNG_DRAW), whose place the driver hears. */
#define FRNGPP_HERE __attribute__((always_inline))
#define FRNGPP_DRAW(type, declaration, draw, check)                                                \
    FRNGPP_HERE type declaration {                                                                 \
        type x;                                                                                    \
        check;                                                                                     \
        took(draw);                                                                                \
        return x;                                                                                  \
    }

/* Draws from the entropy of one run. It is borrowed by the test, and cannot be copied. */
class generator {
  public:
    explicit generator(::frng *f) : f_(f) {
        end_in_progress() = {};
        told_value::begin();
    }
    generator(const generator &) = delete;
    generator &operator=(const generator &) = delete;
    operator ::frng *() { return f_; }

    /* f.u8(): any value; f.u8(min, max): both included. And so on, up to i64. */
#define FRNGPP_NUMBER(name, type)                                                                  \
    FRNGPP_HERE type name() { return any<type>(); }                                                \
    FRNGPP_HERE type name(type min, type max) { return number(min, max); }
    FRNGPP_NUMBER(u8, std::uint8_t)
    FRNGPP_NUMBER(u16, std::uint16_t)
    FRNGPP_NUMBER(u32, std::uint32_t)
    FRNGPP_NUMBER(u64, std::uint64_t)
    FRNGPP_NUMBER(i8, std::int8_t)
    FRNGPP_NUMBER(i16, std::int16_t)
    FRNGPP_NUMBER(i32, std::int32_t)
    FRNGPP_NUMBER(i64, std::int64_t)
#undef FRNGPP_NUMBER

    /* min..max of any integral type, both included, in as few bytes as the range has; or of an enum:
     * all numbers between them. */
    template <typename T> FRNGPP_HERE T in(T min, T max) {
        if constexpr (std::is_enum_v<T>) {
            using number = std::underlying_type_t<T>;
            return static_cast<T>(in(static_cast<number>(min), static_cast<number>(max)));
        } else {
            std::uint64_t most = wide(max);
            if (std::is_signed_v<T>) most = 2 * std::max(folded(min), folded(max));
            return number(min, max, most >> 32 ? 8 : most >> 16 ? 4 : most >> 8 ? 2 : 1);
        }
    }

    /* The same in so many bytes. */
    template <typename T> FRNGPP_HERE T number(T min, T max, std::size_t width = sizeof(T)) {
        static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
        std::uint64_t value;
        require(min <= max, "min is above max");
        took(frng__of(f_, std::is_signed_v<T> ? FRNG_INT : FRNG_UINT, width, wide(min), wide(max),
                      nullptr, &value));
        return static_cast<T>(value);
    }

    /* Any value of an integral type. */
    template <typename T> FRNGPP_HERE T any() {
        return number(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }

    /* min..max of every magnitude: small numbers are common, large ones occur. */
    template <typename T> FRNGPP_HERE T mixed(T min, T max) {
        std::uint64_t value;
        require(min <= max, "min is above max");
        took(frng__mixed(f_, std::is_signed_v<T> ? FRNG_MIXED_INT : FRNG_MIXED_UINT, sizeof(T),
                         wide(min), wide(max), &value));
        return static_cast<T>(value);
    }

    FRNGPP_DRAW(double, f64(), frng_f64(f_, &x), )
    FRNGPP_DRAW(double, f64_any(), frng_f64_any(f_, &x), )
    FRNGPP_DRAW(double, f64_range(double min, double max), frng_f64_range(f_, min, max, &x),
                require(std::isfinite(min) && std::isfinite(max) && min <= max,
                        "no range of doubles"))

    FRNGPP_DRAW(bool, boolean(), frng_bool(f_, &x), ) /* a coin */
    FRNGPP_DRAW(bool, chance(std::uint32_t numerator, std::uint32_t denominator),
                frng_chance(f_, numerator, denominator, &x),
                require(numerator <= denominator && denominator > 0, "no chance of 0 to 1"))

    /* An index below `count`, from 8 bytes. */
    FRNGPP_DRAW(std::size_t, index(std::size_t count), frng_index(f_, count, &x),
                require(count > 0, "there is nothing to choose from"))

    /* An index, in proportion to its weight: f.weighted({3, 1}). 8 bytes, or as few as do. */
    FRNGPP_DRAW(std::size_t, weighted(std::initializer_list<std::uint32_t> w),
                frng_weighted(f_, std::data(w), w.size(), &x), require_weights(w))
    FRNGPP_DRAW(std::size_t, weighted(const std::vector<std::uint32_t> &w),
                frng_weighted(f_, w.data(), w.size(), &x), require_weights(w))
    FRNGPP_DRAW(std::size_t, pick_weighted(const std::vector<std::uint32_t> &w),
                frng_pick_weighted(f_, w.data(), w.size(), &x), require_weights(w))

    /* Weights for `count` variants, different in each run: swarm testing. */
    FRNGPP_HERE std::vector<std::uint32_t> swarm_weights(std::size_t count) {
        std::vector<std::uint32_t> weights(count);
        told_value value;
        took(frng_swarm_weights(f_, weights.data(), count));
        value.is(weights);
        return weights;
    }

    /* Small weights, of which some are 0, but not all. */
    FRNGPP_HERE std::vector<std::uint32_t> swarm(std::size_t count) {
        std::vector<std::uint32_t> weights(count);
        told_value value;
        took(frng_swarm(f_, weights.data(), count));
        value.is(weights);
        return weights;
    }

    /* Take rules, each a name and a function, until the entropy ends, and with it the run. Each run
     * favours some and leaves others out. `check` is called at first and after each rule:
     * f.repeat({{"push", [&] { q.push(f.u8()); }}, {"pop", [&] { q.pop(); }}}, [&] { check(q); }) */
    using rule = std::pair<const char *, action>;
    [[noreturn]] void repeat(const std::vector<rule> &rules, const action &check = {}) {
        require(!rules.empty(), "there are no rules");
        note("swarm");
        const auto weights = swarm(rules.size());
        const auto end_if_failed = [] {
            if ((end_in_progress().has_failed = has_failed()())) throw leaving<out_of_entropy>();
        };
        for (;;) {
            if (check) check();
            end_if_failed();
            const auto &next = rules[pick_weighted(weights)];
            step(next.first);
            in_rule_ = true;
            try {
                next.second();
            } catch (const rule_is_over &) {
            }
            in_rule_ = false;
            end_if_failed();
        }
    }

    /* A reference to an element of a container or an array that is not empty. */
    template <typename Container> FRNGPP_HERE auto &pick(Container &list) {
        told_value value;
        auto &element =
            *std::next(std::begin(list), static_cast<std::ptrdiff_t>(pick(std::size(list))));
        value.is(element);
        return element;
    }
    template <typename T> FRNGPP_HERE T pick(std::initializer_list<T> list) {
        return pick<const std::initializer_list<T>>(list);
    }

    /* Shuffle a container with random access. Out of entropy leaves a permutation. */
    template <typename Container> FRNGPP_HERE void shuffle(Container &list) {
        const std::size_t count = std::size(list);
        told_value value;
        for (std::size_t i = 0; i + 1 < count; i++) {
            const std::size_t j = i + index(count - i);
            if (j > i) std::swap(list[i], list[j]);
        }
        value.is(list);
    }

    FRNGPP_HERE std::vector<std::size_t> permutation(std::size_t count) {
        std::vector<std::size_t> order(count);
        told_value value;
        took(frng_permutation(f_, count, order.data()));
        value.is(order);
        return order;
    }

    /* Bit i of the mask: thing i of `count` is chosen. */
    FRNGPP_DRAW(std::uint64_t, subset(std::size_t count), frng_subset(f_, count, &x),
                require(count > 0 && count <= 64, "a subset is one of 1 to 64 things"))

    /* Is there one more element, after `count` of them? */
    FRNGPP_DRAW(bool, more(std::size_t count, std::size_t min, std::size_t max),
                frng_more(f_, count, min, max, &x), require(min <= max, "min is above max"))

    /* Does a tree go a level deeper, with so many levels left? */
    FRNGPP_DRAW(bool, depth(std::size_t left), frng_depth(f_, left, &x), )

    /* A list of min..max elements, each made by a call of `element`. */
    template <typename Element>
    FRNGPP_HERE auto list(std::size_t min, std::size_t max, Element &&element) {
        std::vector<std::decay_t<decltype(element())>> all;
        told_value value;
        while (more(all.size(), min, max)) all.push_back(element());
        value.is(all);
        return all;
    }

    /* What a function makes of draws, which is told as one value: f.draw([&] { return tree(f, 4); }) */
    template <typename Make> FRNGPP_HERE auto draw(Make &&make) {
        told_value value;
        auto made = make();
        value.is(made);
        return made;
    }

    FRNGPP_HERE std::string string(const std::string &alphabet, std::size_t min, std::size_t max) {
        require(min <= max && !alphabet.empty() && alphabet.size() <= 32768, "no such string");
        std::string text(max + 1, '\0');
        std::size_t length;
        took(frng_string_of(f_, alphabet.data(), alphabet.size(), min, max, &text[0], &length));
        text.resize(length);
        return text;
    }

    /* A text of min..max code points, of those that print in ASCII and of those that break programs. */
    FRNGPP_HERE std::string utf8(std::size_t min, std::size_t max) {
        require(min <= max, "min is above max");
        std::string text(4 * max + 1, '\0');
        std::size_t size;
        took(frng_utf8(f_, min, max, &text[0], &size));
        text.resize(size);
        return text;
    }

    /* A text that matches all of a pattern of frng_regex.h: f.regex("[a-z]+(-[0-9]{2})?") */
    FRNGPP_HERE std::string regex(const std::string &pattern) {
        std::string text(longest(pattern.c_str()) + 1, '\0');
        told_value value;
        took(frng_regex_of(f_, pattern.c_str(), text.size(), &text[0]));
        text.resize(std::strlen(text.c_str()));
        value.is(text);
        return text;
    }

    /* A thing that the test has made, counted back from the newest, the last of the list. */
    template <typename Container> FRNGPP_HERE auto &thing(Container &list) {
        told_value value;
        auto &thing = *newest(list, pick(std::size(list)));
        value.is(thing);
        return thing;
    }

    /* The same, and take it out of the list. */
    template <typename Container> FRNGPP_HERE auto take_thing(Container &list) {
        told_value value;
        const auto at = newest(list, pick(std::size(list)));
        value.is(*at);
        auto taken = std::move(*at);
        list.erase(at);
        return taken;
    }

    /* A day of the years 1 to 9999, of which 2000-01-01 is the simplest, or of a range, of which the
     * first is. */
    FRNGPP_DRAW(date, day(), frng_date(f_, &x.year, &x.month, &x.day), )
    FRNGPP_HERE date day(date first, date last) {
        date d;
        const auto is_sorted = [](date a, date b) {
            return std::tie(a.year, a.month, a.day) <= std::tie(b.year, b.month, b.day);
        };
        require(is_sorted(first, last), "the first day is after the last");
        took(frng_date_range(f_, frng_day(first.year, first.month, first.day),
                             frng_day(last.year, last.month, last.day), &d.year, &d.month, &d.day));
        return d;
    }

    FRNGPP_HERE std::vector<std::uint8_t> bytes(std::size_t count) {
        const std::uint8_t *first;
        took(frng_bytes(f_, count, &first));
        return std::vector<std::uint8_t>(first, first + count);
    }

    /* End the run unless the condition holds: it is discarded, and has neither passed nor failed. In
     * a rule of repeat, end the rule alone. */
    FRNGPP_HERE void assume(bool condition) {
        if (!condition && in_rule_ && !f_->exhausted) throw leaving<rule_is_over>();
        took(frng_assume(f_, condition));
    }

    generator &note(const char *name) { /* f.note("key").u8() */
        frng_note(f_, name);
        return *this;
    }
    void step(const char *name) { frng_step(f_, name); }
    void label(const char *name) { frng_label(f_, name); }
    void measure(const char *name, std::uint64_t value) { frng_measure(f_, name, value); }
    void maximize(const char *name, std::uint64_t value) { frng_maximize(f_, name, value); }
    std::size_t used() const { return frng_used(f_); }
    std::size_t left() const { return frng_left(f_); }

  private:
    [[noreturn]] static void end() { throw leaving<out_of_entropy>(); }

    /* Who goes on drawing without entropy would do so forever. */
    static void took(bool ok) {
        if (ok) return;
        end_of_run &run = end_in_progress();
        if (++run.draws > 100) []() noexcept { end(); }();
        if (run.draws == 1) run.has_failed = has_failed()();
        throw leaving<out_of_entropy>(); /* not by a call, which takes as long again to unwind */
    }

    template <typename T> static std::uint64_t wide(T number) {
        return static_cast<std::uint64_t>(number);
    }

    template <typename T> static std::uint64_t folded(T number) {
        return number < 0 ? ~wide(number) : wide(number);
    }

    template <typename List> static void require_weights(const List &list) {
        require(std::any_of(list.begin(), list.end(), [](auto w) { return w > 0; }), "no weights");
    }

    template <typename Container> static auto newest(Container &list, std::size_t before) {
        return std::prev(std::end(list), 1 + static_cast<std::ptrdiff_t>(before));
    }

    static void refuse(const char *, ...) { require(false, "no pattern of frng_regex.h"); }

    /* Return the bytes of the longest text of a pattern. A wrong one throws. */
    static std::size_t longest(const char *pattern) {
        frng_host host{};
        ::frng none = frng_init(nullptr, 0);
        frng__regex r{&none, pattern, pattern[0] == '^' ? 1u : 0u, nullptr};
        std::size_t size;
        host.misuse = refuse;
        none.host = &host;
        (void)frng__re_choice(&r, false, &size);
        require(frng__re_is(&r, '$') || pattern[r.at] == '\0', "a ) without (");
        return size;
    }

    FRNGPP_DRAW(std::size_t, pick(std::size_t count), frng_pick(f_, count, &x),
                require(count > 0, "there is nothing to choose from"))

    ::frng *f_;
    bool in_rule_ = false; /* of repeat */
};

#undef FRNGPP_DRAW
#undef FRNGPP_HERE

using test = void (*)(generator &f);

/* Make a run. It has passed if its test returns, or runs out of entropy. */
template <test body> bool run_once(::frng *f) {
    generator g(f);
    try {
        body(g);
        return true;
    } catch (const leaving<out_of_entropy> &) { /* faster to find than a base */
        end_in_progress().is_caught = true;
        return false;
    } catch (const out_of_entropy &) {
        end_in_progress().is_caught = true;
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
