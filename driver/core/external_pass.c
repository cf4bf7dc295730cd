/* The passes of C-Reduce and C-Vise are known by name, with their commands and exit statuses. */
#include "external_pass.h"

/* creduce 2.10 goes from 1 token up. Here long stretches come first, since one that can go saves
 * the runs of many short ones. Omitted: rm-tok-pattern-8, 128 times the instances of rm-toks-1
 * (--slow of creduce); x-string, which overwrites the opening quote. */
static const char clex_commands[] =
    "rm-toks-16 rm-toks-15 rm-toks-14 rm-toks-13 rm-toks-12 rm-toks-11 rm-toks-10 rm-toks-9 "
    "rm-toks-8 rm-toks-7 rm-toks-6 rm-toks-5 rm-toks-4 rm-toks-3 rm-toks-2 rm-toks-1 "
    "rm-tok-pattern-4 define delete-string shorten-string rename-toks";

/* The transformations of creduce 2.10 in its order (@all_methods in /usr/bin/creduce: first, main
 * and last passes), without those that the clang_delta of cvise 2.7 lacks. */
static const char clang_delta_commands[] =
    "replace-function-def-with-decl remove-unused-function callexpr-to-value replace-callexpr "
    "simplify-callexpr remove-unused-enum-member remove-enum-member-value remove-unused-var "
    "remove-namespace aggregate-to-scalar param-to-global param-to-local "
    "remove-nested-function union-to-struct return-void simple-inliner reduce-pointer-level "
    "lift-assignment-expr copy-propagation simplify-if reduce-array-dim reduce-array-size "
    "simplify-comma-expr simplify-dependent-typedef replace-simple-typedef "
    "replace-dependent-typedef replace-one-level-typedef-type remove-unused-field "
    "instantiate-template-type-param-to-int instantiate-template-param template-arg-to-int "
    "template-non-type-arg-to-int reduce-class-template-param remove-trivial-base-template "
    "class-template-to-class remove-base-class replace-derived-class remove-unresolved-base "
    "remove-ctor-initializer replace-class-with-base-template-spec simplify-nested-class "
    "remove-unused-outer-class empty-struct-to-int remove-pointer reduce-pointer-pairs "
    "remove-array remove-addr-taken simplify-struct replace-undefined-function "
    "replace-array-index-var replace-array-access-with-index replace-dependent-name "
    "simplify-recursive-template-instantiation vector-to-array local-to-global rename-fun "
    "rename-param rename-var rename-class rename-cxx-method combine-global-var "
    "combine-local-var simplify-struct-union-decl move-global-var unify-function-decl";

const external_kind external_kinds[EXTERNAL_PASS_DIALECTS] = {
    [EXTERNAL_PASS_IN_PLACE] = {NULL, {"%f", "%c", "%n"}, 0, 1, -1, false, "all"},
    [EXTERNAL_PASS_CLEX] = {"clex", {"%c", "%n", "%f"}, 51, 71, -1, true, clex_commands},
    /* 255 is "No variables need to be renamed!" as well as "Unsupported file type!". */
    [EXTERNAL_PASS_CLANG_DELTA] = {"clang_delta",
                                   {"--transformation=%c", "--counter=%N", "%f"},
                                   0,
                                   1,
                                   255,
                                   true,
                                   clang_delta_commands},
};
