/* frng_thrown.hpp: the exceptions that end a run, for frng.hpp.
 *
 * A draw without entropy throws. No `catch (...)` keeps that: its destructor, which the end of the
 * handler calls, throws it again.
 *
 * Any other exception that nobody catches is a failure, at the place where it was thrown. It does
 * not unwind the stack, so that the frames up to the throw are there when std::terminate is called.
 * addr2line, which is part of binutils, knows their lines. SPDX-License-Identifier: MIT */
#ifndef FRNG_THROWN_HPP
#define FRNG_THROWN_HPP

#include "frng_main.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <typeinfo>
#include <unistd.h>
#include <unwind.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#include <link.h>
#endif

namespace frngpp {

struct one_byte {
    char byte = 0;
};

/* Thrown by a draw when entropy is out. It is no std::exception, so that a test which catches its
 * own errors does not catch it. Its byte gives it an address of its own within `leaving`. */
struct out_of_entropy {
    one_byte is_not_empty;
};

/* How the run in progress ends. */
struct end_of_run {
    bool is_caught;     /* by run_once */
    bool is_hidden;     /* by an exception of a handler that had caught everything */
    bool has_failed;    /* a check of the runner, before the draw that ended the run */
    int draws;          /* that found no entropy */
    const void *thrown; /* last, by a draw, and not yet destroyed */
};

inline end_of_run &end_in_progress() {
    static end_of_run end;
    return end;
}

/* True if `catch (...)` has caught the exception at `thrown`. The word before the head of an
 * exception is, by the ABI, the address of what a handler caught: of all, or of the Reason in it. */
inline bool is_caught_whole(const void *thrown) {
#ifdef __LP64__
    const auto head = reinterpret_cast<std::uintptr_t>(thrown) - sizeof(_Unwind_Exception);
    return reinterpret_cast<const void *const *>(head)[-1] == thrown;
#else
    return thrown == nullptr;
#endif
}

/* Leaves every `catch (...)`, as that of EXPECT_THROW. A handler of Reason may keep it. */
template <typename Reason> struct leaving : one_byte, Reason {
    const int others = std::uncaught_exceptions(); /* that left when this was thrown */

    leaving() { end_in_progress().thrown = this; }
    leaving(const leaving &) = delete;
    leaving &operator=(const leaving &) = delete;

    ~leaving() noexcept(false) {
        end_of_run &end = end_in_progress();
        if (end.thrown != this) return; /* of an earlier run */
        end.thrown = nullptr;
        if (end.is_caught || !is_caught_whole(this)) return;
        end.is_hidden = std::uncaught_exceptions() > others;
        if (std::uncaught_exceptions() > 0) return;
        abi::__cxa_free_exception(this); /* who called this will not return to that */
        throw leaving<Reason>();
    }
};

/* A wrong argument of a draw is a bug of the test. */
inline void require(bool ok, const char *otherwise) {
    if (!ok) throw std::invalid_argument(otherwise);
}

/* Lines of throws. To find one takes as long as many runs, so the processes of a server share those
 * that they have found. */
struct thrown_line {
    std::uint64_t stack; /* a hash of its addresses */
    char text[112];      /* "file:line", or "" */
};

constexpr std::size_t thrown_count = 64;

/* Return the table, or a null pointer without memory. The first call makes it. */
inline thrown_line *thrown_lines() {
    static void *const table = mmap(nullptr, thrown_count * sizeof(thrown_line),
                                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return table == MAP_FAILED ? nullptr : static_cast<thrown_line *>(table);
}

#if __has_include(<execinfo.h>)

/* Return "file:line" of a line of addr2line's, or "" if it is of a library or of these headers. */
inline std::string own_line(const std::string &text) {
    const std::size_t slash = text.rfind('/'), colon = text.rfind(':');
    if (text[0] == '?' || text.compare(0, 5, "/usr/") == 0 || colon == std::string::npos) return "";
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t end = text.find_first_not_of("0123456789", colon + 1);
    const std::string found = text.substr(name, end - name);
    const bool is_ours = found.compare(0, 9, "frng.hpp:") == 0 ||
                         found.compare(0, 12, "frng_thrown.") == 0 ||
                         found.compare(0, 11, "frng_check.") == 0;
    return is_ours || end == colon + 1 ? "" : found;
}

/* Return the first line that is the program's own. The test ends where frng_main.h begins. */
inline std::string first_own_line(std::FILE *lines) {
    char line[512];
    std::string found;
    bool has_ended = false;
    while (std::fgets(line, sizeof line, lines) != nullptr) { /* all, or addr2line gets SIGPIPE */
        has_ended = has_ended || std::string(line).find("frng_main.h:") != std::string::npos;
        if (found.empty() && !has_ended) found = own_line(line);
    }
    return found;
}

/* Return "file:line" of the innermost frame of the program among `count` addresses, or "". */
inline std::string line_of_stack(void *const *stack, int count) {
    std::uintptr_t base = 0; /* the first object is the program */
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *to) {
            *static_cast<std::uintptr_t *>(to) = info->dlpi_addr;
            return 1;
        },
        &base);
    std::string command = "addr2line -i -e /proc/" + std::to_string(getpid()) + "/exe";
    for (int i = 0; i < count; i++) {
        char text[32];
        std::snprintf(text, sizeof text, " 0x%zx",
                      reinterpret_cast<std::uintptr_t>(stack[i]) - base - 1);
        command += text;
    }
    std::FILE *lines = popen((command + " 2>/dev/null").c_str(), "r");
    if (lines == nullptr) return "";
    const std::string found = first_own_line(lines);
    pclose(lines);
    return found;
}

/* Return "file:line" of the throw of the exception that is not caught, or "" if it is not known. */
inline std::string line_of_throw() {
    void *stack[32];
    const int count = backtrace(stack, 32);
    std::uint64_t hash = 1;
    for (int i = 0; i < count; i++)
        hash = (hash ^ reinterpret_cast<std::uintptr_t>(stack[i])) * 0x9e3779b97f4a7c15u;
    thrown_line *const table = thrown_lines();
    thrown_line *const known = table != nullptr ? &table[hash >> 58] : nullptr;
    if (known != nullptr && known->stack == hash) return known->text;
    const std::string found = line_of_stack(stack, count);
    if (known == nullptr || found.size() >= sizeof known->text) return found;
    known->stack = 0; /* while it is written */
    found.copy(known->text, found.size());
    known->text[found.size()] = '\0';
    known->stack = hash;
    return found;
}

#else

inline std::string line_of_throw() { return ""; }

#endif

inline std::terminate_handler &terminate_before() {
    static std::terminate_handler handler;
    return handler;
}

/* True if the run in progress is out of entropy. */
inline bool is_exhausted() {
    const auto *report = frng__state()->report;
    if (report == nullptr) return false;
    return reinterpret_cast<const ::frng *>(report->generator)->exhausted;
}

/* True if the end of the entropy has come to where no exception may pass, or one that took its
 * place in a `catch (...)`; on machines of 32 bits, in any handler. One that is thrown while another
 * leaves is none. gcc ends without a catch where it has inlined the throw. */
inline bool is_end_of_entropy() {
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type != nullptr && *type == typeid(leaving<out_of_entropy>)) return true;
    const end_of_run &end = end_in_progress();
    const bool is_hidden = end.is_hidden || (end.thrown != nullptr && is_caught_whole(end.thrown));
    return is_exhausted() && (type == nullptr || is_hidden || sizeof(void *) < 8) &&
           std::uncaught_exceptions() == (type == nullptr ? 1 : 0);
}

/* End the process, whose run has passed. */
[[noreturn]] inline void end_passed() {
    const auto *report = frng__state()->report;
    if (report != nullptr)
        frng__passed(reinterpret_cast<const ::frng *>(report->generator), report->run);
    _exit(FRNG_EXIT_PASS);
}

/* Report where an uncaught exception was thrown as the site of the failure, or its type. The end of
 * the entropy ends the run, which has passed. */
[[noreturn]] inline void report_exception() {
    if (frng__stay_has_left()) std::abort(); /* by an assertion where no exception may pass */
    if (is_end_of_entropy()) end_passed();
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type != nullptr) {
        const char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr);
        if (name == nullptr) name = type->name();
        const std::string line = line_of_throw();
        if (!line.empty()) std::fprintf(stderr, "%s: %s\n", line.c_str(), name);
        frng_on_assert(line.empty() ? name : line.c_str());
    }
    terminate_before()();
    std::abort();
}

} // namespace frngpp

#endif
