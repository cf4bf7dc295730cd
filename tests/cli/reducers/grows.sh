#!/bin/sh
# A reducer whose candidates are twice as long as the file, for every number.
cat -- "$1" "$1" > grown && echo grown >> grown && mv grown "$1"
