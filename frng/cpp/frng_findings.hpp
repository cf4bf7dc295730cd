/* frng_findings.hpp: replay the findings of frng-search in any test runner, beside frng.hpp:
 *
 *     TEST(Sort, FindingsPass) {
 *         EXPECT_EQ(frngpp::replay<test>("found"), std::vector<std::string>());
 *     }
 *
 * Each finding is a file <size>-<seed>.json. SPDX-License-Identifier: MIT */
#ifndef FRNG_FINDINGS_HPP
#define FRNG_FINDINGS_HPP

#include "frng.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace frngpp {

/* Return the name of a finding: its file, and the options that replay it if they are short. */
inline std::string name_of_finding(const std::filesystem::path &path, const frng__input &input) {
    static const char digits[] = "0123456789abcdef";
    std::string options = "--size " + std::to_string(input.size) + " --seed " + input.seed;
    if (input.seed[0] == '\0') {
        options = "--hex ";
        for (std::size_t i = 0; i < input.size; i++) {
            options += digits[input.bytes[i] >> 4];
            options += digits[input.bytes[i] & 15];
        }
    }
    const std::string name = path.stem().string();
    return input.bytes != nullptr && options.size() <= 140 ? name + ": " + options : name;
}

/* Make a run, whose exception ends its process: past the handlers of a test runner. */
template <test body> bool run_finding(::frng *f) {
    bool has_passed = false;
    terminate_before() = std::set_terminate(report_exception);
    [&]() noexcept { has_passed = run_once<body>(f); }();
    return has_passed;
}

/* Run a test on each finding of a folder, as --check does. Return those that fail or cannot be
 * judged, by name, after a report on stderr. A folder that does not exist has none. */
template <test body> std::vector<std::string> replay(const std::filesystem::path &folder) {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> failures;
    if (!std::filesystem::exists(std::filesystem::symlink_status(folder))) {
        std::fprintf(stderr, "skipped: no findings: %s: no such folder\n", folder.c_str());
        return failures;
    }
    for (const auto &file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".json") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    frng__check *const c = frng__check_create(run_finding<body>, nullptr);
    if (c == nullptr) throw std::bad_alloc();
    c->options.findings = folder.c_str();
    const bool can_run = frng__check_options(c) && frng__check_begin();
    if (can_run) frng__check_silence(c, true);
    for (auto file = files.begin(); can_run && c->error == 0 && file != files.end(); ++file) {
        frng__input input;
        if (frng__check_finding(c, file->c_str(), &input) != 0)
            failures.push_back(name_of_finding(*file, input));
        std::free(input.bytes);
    }
    if (can_run) frng__check_silence(c, false);
    const int error = c->error;
    frng__check_destroy(c);
    if (!can_run) throw std::runtime_error(frng__check_why());
    if (error != 0)
        throw std::runtime_error(std::string("frng: no run of findings: ") + std::strerror(error));
    return failures;
}

} // namespace frngpp

#endif
