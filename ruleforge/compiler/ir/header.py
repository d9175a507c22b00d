"""The head of every row: the same words at the same places in every game, so that any program can be run."""

from __future__ import annotations

# The same words at the same places in every game, so that the engine can drive any program.

RNG_A = 0  # two words of the random generator (xoroshiro64**), signed
RNG_B = 1
OUTCOME = 2  # 0 while playing, else 1 + number of the ending
WINNERS = 3  # bit p-1 for each winning player p
SITE = 4  # the decision that is waited for: number of its Site, 0 for none
WHO = 5  # who decides: a player 1..n, or 0 for chance
SP = 6  # address of the top frame's first word, 0 for an empty stack
RET = 7  # result of the last finished pausing function
ANSWER = 8  # the code chosen at SITE; -1: there was nothing to choose
CHAIN_LENGTH = 9  # links of the chain of effects under way; a choice begins a new one
LEAVE = 10  # the phase (its number, from 1) that ends when the effect under way is over, 0 for none, or SETTING_UP
ACTIVE = 11  # whose turn it is: the innermost `me` of the flow
HOLD = 12  # above 0 while steps count as one, or while waiting rules are being resolved
QUEUE = 13  # number of triggered rules that wait to be resolved
DRAINING = 14  # 1 while a waiting rule is being resolved: the next one has to wait
WORK_DONE = 15  # work done since the last choice
HEADER = 16

SETTING_UP = -1  # in LEAVE: during set-up, when endings are not tested

# A frame: [function number, resume point, caller's frame address, parameters and saved locals ...]
FRAME_FUNCTION = 0
FRAME_PC = 1
FRAME_CALLER = 2
FRAME_LOCALS = 3
