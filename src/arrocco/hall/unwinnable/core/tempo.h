/* Positions that run out of moves before anything can happen: `tempo.py`, compiled. */
#ifndef TEMPO_H
#define TEMPO_H

#include "board.h"

enum { MAX_CHANCES = 128, NOWHERE = 64 };

typedef struct {
    u64 structure[8];
    int32_t chances; /* fewer than none: no king is needed there */
    int8_t square[MAX_CHANCES], time[MAX_CHANCES];
} Structure;

void count_chances(const Position *position, int locked, u64 wanderer, Structure *structure);
int lets_king_come(const Structure *structure, int king, int more);

#endif
