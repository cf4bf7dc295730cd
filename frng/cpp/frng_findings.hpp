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
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace frngpp {

/* Return the text of a field of a JSON object, a number or a string without escapes; "" if there is
 * none. */
inline std::string json_field(const std::string &json, const std::string &name) {
    int depth = 0;
    for (std::size_t i = 0; i < json.size(); i++) {
        depth += (json[i] == '{' || json[i] == '[') - (json[i] == '}' || json[i] == ']');
        if (json[i] != '"') continue;
        std::size_t end = i + 1;
        while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2u : 1u;
        const std::size_t value = json.find_first_not_of(": \n", end + 1);
        const bool is_name = depth == 1 && json.compare(i + 1, end - i - 1, name) == 0;
        if (is_name && value < json.size() && json.find(':', end) < value) {
            const std::size_t first = value + (json[value] == '"');
            return json.substr(first, json.find_first_of("\",}\n", first) - first);
        }
        i = end;
    }
    return "";
}

inline std::vector<std::uint8_t> bytes_of_hex(const std::string &hex) {
    std::vector<std::uint8_t> bytes;
    if (hex.size() % 2 != 0 || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        throw std::invalid_argument(hex + " is no hex");
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

/* Return the first `size` bytes of a seed: "17", or "17s" for a styled one. */
inline std::vector<std::uint8_t> expand(const std::string &seed, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::size_t end = 0;
    const std::uint64_t number = std::stoull(seed, &end);
    const std::string style = seed.substr(end);
    if (!style.empty() && style != "s") throw std::invalid_argument(seed + " is no seed");
    (style.empty() ? frng_expand : frng_expand_styled)(number, bytes.data(), size);
    return bytes;
}

/* Return the name of a finding: its file, and the options that replay it if they are short. */
inline std::string name_of_finding(const std::filesystem::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string hex = json_field(text.str(), "hex"), name = path.stem().string();
    const std::string options = hex.empty() ? "--size " + json_field(text.str(), "size") +
                                                  " --seed " + json_field(text.str(), "seed")
                                            : "--hex " + hex;
    return options.size() <= 140 ? name + ": " + options : name;
}

/* Return the bytes of the finding in a file. One that is none is a std::runtime_error. */
inline std::vector<std::uint8_t> bytes_of_finding(const std::filesystem::path &path) {
    std::ostringstream text;
    if (!std::filesystem::is_regular_file(path)) /* a pipe without a writer would have no end */
        throw std::runtime_error(path.string() + " is no finding");
    text << std::ifstream(path).rdbuf();
    const std::string hex = json_field(text.str(), "hex"), seed = json_field(text.str(), "seed");
    const std::string size = json_field(text.str(), "size");
    if (seed.empty() && hex.empty()) throw std::runtime_error(path.string() + " is no finding");
    return seed.empty() ? bytes_of_hex(hex) : expand(seed, std::stoull(size));
}

/* Make a run in a process of its own. A failure prints its message there. */
template <test body> bool passes(const std::vector<std::uint8_t> &entropy) {
    int status = 0;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("there is no process for a finding");
    if (child == 0) {
        ::frng f = frng_init(entropy.data(), entropy.size());
        terminate_before() = std::set_terminate(report_exception);
        [&]() noexcept { run_once<body>(&f); }(); /* past the handlers of a test runner */
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

/* Run a test on each finding of a folder. Return those that fail, by name. A folder that does not
 * exist has none. */
template <test body> std::vector<std::string> replay(const std::filesystem::path &folder) {
    std::vector<std::string> failures;
    if (!std::filesystem::exists(folder)) {
        std::fprintf(stderr, "skipped: no findings: %s: no such folder\n", folder.c_str());
        return failures;
    }
    for (const auto &file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".json" && !passes<body>(bytes_of_finding(file.path())))
            failures.push_back(name_of_finding(file.path()));
    std::sort(failures.begin(), failures.end());
    return failures;
}

} // namespace frngpp

#endif
