/* frng_check.hpp: search in any test runner of C++, beside frng.hpp:
 *
 *     TEST(Queue, KeepsOrder) {                              // GoogleTest; TEST_CASE of Catch2, doctest
 *         frngpp::check([](frngpp::generator &f) {
 *             std::vector<int> list = f.list(0, 20, [&] { return f.in(-9, 9); });
 *             EXPECT_EQ(sorted(mine(list)), sorted(list));
 *         });
 *     }
 *
 * It throws frngpp::check_failed, after a report on stderr, as frng_check.h describes it, which also
 * names the environment. Where nothing was judged, that is frngpp::check_refused, whose what() is the
 * line that says why; a test of GoogleTest fails with that line. Runs are made in processes of their
 * own, so that a crash is a failure, too, and a check of the runner that fails there fails the run.
 * Include it after GoogleTest, Catch2, doctest or Boost.Test: then the name of the test is that of its
 * findings, and frng-reduce gets this test of the program. SPDX-License-Identifier: MIT */
#ifndef FRNG_CHECK_HPP
#define FRNG_CHECK_HPP

#include "frng.hpp"

#include <csignal>
#include <functional>
#include <iostream>
#include <stdexcept>

#ifdef BOOST_TEST_UNIT_TEST_SUITE_HPP_071894GER
#include <boost/test/framework.hpp>
#include <boost/test/results_collector.hpp>
#endif

namespace frngpp {

/* Thrown when a run has failed, as an exception that the runner knows. So it is none by itself: a
 * catch of std::exception must find that once. */
struct check_failed {
    virtual const char *what() const noexcept = 0;

  protected:
    ~check_failed() = default;
};

template <typename Exception> struct failed_as : Exception, check_failed {
    using Exception::Exception;
    const char *what() const noexcept override { return Exception::what(); }
};

/* Thrown when nothing was judged: a program that nobody runs ends with this status. */
struct check_refused : failed_as<std::runtime_error> {
    int status;
    check_refused(const std::string &why, int ended)
        : failed_as<std::runtime_error>(why), status(ended) {}
};

inline std::terminate_handler &before_refusal() {
    static std::terminate_handler handler = nullptr;
    return handler;
}

inline void end_refused() {
    try {
        if (std::current_exception() != nullptr) throw;
    } catch (const check_refused &refusal) {
        std::fflush(nullptr);
        _exit(refusal.status); /* its line is on stderr */
    } catch (...) {
    }
    before_refusal()();
    std::abort();
}

struct check_options {
    std::string name;                   /* of its findings */
    std::uint64_t runs = 0;             /* 0: 1000 */
    std::size_t size_max = 0;           /* 0: 4096 bytes */
    std::string findings;               /* "": findings/NAME */
    std::vector<std::string> arguments; /* with which the program makes this test alone */
    std::function<void()> begin;        /* before each run */
    /* Where a check of the runner has failed that does not throw, as "file:line"; "" if none has. */
    std::function<std::string()> failure;
    /* Ends the test, which has failed at this place; without it check_failed is thrown. */
    std::function<void(const std::string &site, const std::string &why)> fail;
};

#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
/* Fail the test, and print nothing: the run that is reported has printed what failed. */
[[noreturn]] inline void fail_gtest(const std::string &site, const std::string &why) {
    auto &listeners = ::testing::UnitTest::GetInstance()->listeners();
    static auto *const printer = listeners.default_result_printer();
    const std::size_t colon = site.rfind(':');
    const char *file = colon == std::string::npos ? nullptr : site.c_str();
    const int line = file == nullptr ? -1 : std::atoi(file + colon + 1);
    const std::string name = site.substr(0, colon);
    if (printer != nullptr) listeners.Release(printer);
    ADD_FAILURE_AT(file == nullptr ? file : name.c_str(), line) << why;
    if (printer != nullptr) listeners.Append(printer);
    const auto kind = ::testing::TestPartResult::kFatalFailure;
    throw failed_as<::testing::AssertionException>(
        ::testing::TestPartResult(kind, name.c_str(), line, why.c_str()));
}
#endif

/* Return the name of a test with a backslash before some letters, and before each backslash. */
inline std::string escaped(const std::string &name, const std::string &letters) {
    std::string text;
    for (const char next : name) {
        if (next == '\\' || letters.find(next) != std::string::npos) text += '\\';
        text += next;
    }
    return text;
}

#ifdef DOCTEST_LIBRARY_INCLUDED
/* Hears of a CHECK that fails, of which doctest tells nobody else. */
struct doctest_listener : doctest::IReporter {
    static std::string &site() {
        static std::string first;
        return first;
    }
    explicit doctest_listener(const doctest::ContextOptions &) {}
    void hear(int type, const char *file, int line) {
        const std::string path = file;
        if ((type & doctest::assertType::is_warn) == 0 && site().empty())
            site() = path.substr(path.rfind('/') + 1) + ":" + std::to_string(line);
    }
    void log_assert(const doctest::AssertData &a) override {
        if (a.m_failed) hear(a.m_at, a.m_file, a.m_line);
    }
    void log_message(const doctest::MessageData &m) override {
        hear(m.m_severity, m.m_file, m.m_line);
    }
    void report_query(const doctest::QueryData &) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats &) override {}
    void test_case_start(const doctest::TestCaseData &) override {}
    void test_case_reenter(const doctest::TestCaseData &) override {}
    void test_case_end(const doctest::CurrentTestCaseStats &) override {}
    void test_case_exception(const doctest::TestCaseException &) override {}
    void subcase_start(const doctest::SubcaseSignature &) override {}
    void subcase_end() override {}
    void test_case_skipped(const doctest::TestCaseData &) override {}
};

inline const int doctest_listens = doctest::registerReporter<doctest_listener>("frng", 1, false);
#endif

#ifdef CATCH_VERSION_MAJOR
/* Where the first CHECK of a run has failed: Catch2 tells that only until the next one. */
inline std::string &catch_failure() {
    static std::string site;
    return site;
}

inline void hear_catch(const std::string &site) {
    if (Catch::getResultCapture().lastAssertionPassed() || is_exhausted()) return;
    if (catch_failure().empty()) catch_failure() = site.substr(site.rfind('/') + 1);
}
#undef INTERNAL_CATCH_REACT /* of each of its macros */
#define INTERNAL_CATCH_REACT(handler)                                                              \
    handler.complete();                                                                            \
    frngpp::hear_catch(FRNG__SITE);
#endif

/* True if the run has called GTEST_SKIP, which discards it. */
inline bool has_skipped() {
    bool is_last = false;
#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
    static int known = 0;
    const auto *info = ::testing::UnitTest::GetInstance()->current_test_info();
    const int before = known;
    known = info != nullptr ? info->result()->total_part_count() : 0;
    is_last = known > before && info->result()->GetTestPartResult(known - 1).skipped();
#endif
    return is_last;
}

/* Return the options for the test in progress of a runner that is included. */
inline check_options options_of_runner() {
    check_options options;
#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
    const auto *info = ::testing::UnitTest::GetInstance()->current_test_info();
    if (info == nullptr) return options;
    options.name = std::string(info->test_suite_name()) + "." + info->name();
    options.arguments = {"--gtest_filter=" + options.name};
    if (options.name.find("DISABLED_") != std::string::npos)
        options.arguments.emplace_back("--gtest_also_run_disabled_tests");
    options.failure = [] {
        const auto *result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
        for (int i = 0; i < result->total_part_count(); i++) {
            const auto &part = result->GetTestPartResult(i);
            const std::string file = part.file_name() != nullptr ? part.file_name() : "?";
            if (part.failed())
                return file.substr(file.rfind('/') + 1) + ":" + std::to_string(part.line_number());
        }
        return std::string();
    };
    options.fail = fail_gtest;
#elif defined(CATCH_VERSION_MAJOR)
    options.name = Catch::getResultCapture().getCurrentTestName();
    const bool is_odd = options.name[0] == '-' || options.name[0] == '~'; /* it says something */
    options.arguments = {(is_odd ? "\\" : "") + escaped(options.name, ",[]\"")};
    options.begin = [] {
        Catch::getResultCapture().assertionPassed();
        catch_failure().clear();
    };
    options.failure = [] {
        hear_catch("CHECK"); /* of a file without this one */
        return catch_failure();
    };
#elif defined(DOCTEST_LIBRARY_INCLUDED)
    const auto *running = doctest::getContextOptions();
    if (running == nullptr || running->currentTest == nullptr) return options;
    options.name = running->currentTest->m_name;
    options.arguments = {"-tc=" + escaped(options.name, ",")};
    options.begin = [] { doctest_listener::site().clear(); };
    options.failure = [] { return doctest_listener::site(); };
#elif defined(BOOST_TEST_UNIT_TEST_SUITE_HPP_071894GER)
    namespace boosts = ::boost::unit_test;
    if (boosts::framework::current_test_case_id() == boosts::INV_TEST_UNIT_ID) return options;
    options.name = boosts::framework::current_test_case().full_name();
    options.arguments = {"--run_test=" + options.name};
    /* Its handlers would go on with the next test in the process of a run that has aborted. */
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        std::signal(number, SIG_DFL);
    options.failure = [] {
        const auto id = boosts::framework::current_test_case_id();
        const bool has = boosts::results_collector.results(id).p_assertions_failed.get() > 0;
        return std::string(has ? "CHECK" : "");
    };
#endif
    return options;
}

/* The test in progress, for a function without arguments of its own. */
struct checked_test {
    std::function<void(generator &)> body;
    check_options options;
};

inline checked_test &checked() {
    static checked_test in_progress;
    return in_progress;
}

inline std::string checked_failure() {
    return checked().options.failure ? checked().options.failure() : "";
}

inline void checked_end() {
    std::cout.flush(); /* what the runner says of the failure */
    std::cerr.flush();
    const bool has_passed = !frng__stay_has_left() && is_end_of_entropy();
    const bool counts = has_passed && end_in_progress().has_failed; /* before that end */
    const std::string failure = counts ? checked_failure() : "";
    if (failure.empty()) report_exception();
    frng_on_assert(failure.c_str());
    _exit(FRNG_EXIT_FAIL);
}

/* Make a run. An exception ends the process, so that its place is known. */
inline void call_checked(generator &g) {
    try {
        checked().body(g);
    } catch (const out_of_entropy &) {
        end_in_progress().is_caught = true;
#if FRNG__CAN_STAY
    } catch (const frng__left_run &) {
#endif
    }
}

inline bool run_checked(::frng *f) {
    generator g(f);
    std::set_terminate(checked_end);
    if (checked().options.begin) checked().options.begin();
    [&]() noexcept { call_checked(g); }(); /* past the handlers of the runner */
    std::cout.flush();
    const std::string failure = checked_failure();
    if (failure.empty() && has_skipped()) return frng_assume(f, false);
    if (failure.empty()) return true;
    frng_on_assert(failure.c_str());
    std::exit(FRNG_EXIT_FAIL);
}

/* Return the options of a check. What is not given is the runner's. */
inline check_options options_of(const check_options &given) {
    check_options all = options_of_runner();
    const auto take = [&](auto member) {
        if (given.*member) all.*member = given.*member;
    };
    const auto take_text = [&](auto member) {
        if (!(given.*member).empty()) all.*member = given.*member;
    };
    take(&check_options::runs);
    take(&check_options::size_max);
    take(&check_options::begin);
    take(&check_options::failure);
    take(&check_options::fail);
    take_text(&check_options::name);
    take_text(&check_options::findings);
    take_text(&check_options::arguments);
    return all;
}

/* True for the first check with these arguments: a driver cannot know of others. With --gtest_repeat
 * each round has a first one. */
inline bool is_first(std::vector<std::string> arguments) {
    static std::vector<std::vector<std::string>> all;
    if (arguments.empty()) return false;
#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
    const auto *info = ::testing::UnitTest::GetInstance()->current_test_info();
    if (info != nullptr) arguments.push_back(std::to_string(info->result()->start_timestamp()));
#endif
    const bool is_new = std::find(all.begin(), all.end(), arguments) == all.end();
    if (is_new) all.push_back(std::move(arguments));
    return is_new;
}

/* Search a test: a function of a generator &. Throws if a run fails. */
template <typename Body> void check(Body &&body, const check_options &given = {}) {
    static_assert(std::is_void_v<std::invoke_result_t<Body &, generator &>>,
                  "nobody looks at what a test returns: fail by an assertion");
    const check_options options = options_of(given);
    std::vector<const char *> arguments;
    for (const auto &argument : options.arguments) arguments.push_back(argument.c_str());
    arguments.push_back(nullptr);
    const bool is_target = is_first(options.arguments);
    const char *findings = options.findings.empty() ? nullptr : options.findings.c_str();
    const frng_check_options all = {options.name.empty() ? nullptr : options.name.c_str(),
                                    options.runs, options.size_max, findings,
                                    is_target ? arguments.data() : nullptr};
    checked().body = body;
    checked().options = options;
    if (options.begin) options.begin();
    has_failed() = [] { return !checked_failure().empty(); };
    if (has_failed()()) throw failed_as<std::runtime_error>("frng: a check has failed before");
    terminate_before() = std::get_terminate();
    thrown_lines();
    if (is_target && frng__has_driver()) std::exit(frng_run(run_checked));
    const int status = frng_check(run_checked, &all);
    if (status > 1 && options.fail) options.fail("", frng__check_why()); /* its line is on stderr */
    if (status > 1) {
        const auto before = std::set_terminate(end_refused);
        if (before != end_refused) before_refusal() = before;
        throw check_refused(frng__check_why(), status);
    }
    if (status == 0) return;
    const std::string why = "frng: " + options.name + " fails; the report is on stderr";
    if (options.fail) options.fail(frng__check_why(), why);
    throw failed_as<std::runtime_error>(why);
}

} // namespace frngpp

#endif
