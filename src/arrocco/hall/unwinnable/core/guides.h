/* The guides of a search: how far from a mate the position after each move looks.
 *
 * `potential.py`, `walks.py`, `race.py` and `opening.py`, compiled; what is meant by each number is
 * said there.
 */
#ifndef GUIDES_H
#define GUIDES_H

#include "board.h"

enum { POTENTIAL, WALK, RACE, OPENING };
enum { MAX_POSTS = 40 };

typedef struct {
    int32_t flight, edge, corner, kings, queen, no_queen, check, no_flight, pawnless, step, obstacle, walk, no_pawn;
} Weights;

typedef struct {
    int32_t white, kind, from_pawn;
    int32_t lengths[64], as_pawn[64];
} Post;

typedef struct {
    int32_t kind, patience;
    Weights weights;
    int32_t posts;
    Post post[MAX_POSTS];
    int32_t side; /* of a race: the locked side; of an opening: whose king walks */
    u64 pieces, still, region;
} Guide;

void rate(const Guide *guide, const Position *position, const Move *moves, int n, u64 attacked, int *ratings);

#endif
