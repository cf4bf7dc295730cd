/* operands.h: the words of a command line that are no options: the target, and what users write
 * beside it without an option. */
#pragma once

#include "options.h"

#include <stdbool.h>

/* Settle what was parsed: take an input that can be meant in one way alone, as by its option. False
 * after a message that says what to write, as whole command lines. */
bool operands_settle(tool_options *o);

/* Print how to give the word `from`, and all behind it, to the program. False if there is none yet,
 * or one that speaks the protocol. */
bool operands_offer_arguments(tool_options *o, char **from, const char *why);
