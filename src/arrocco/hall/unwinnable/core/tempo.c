#include "tempo.h"

#include <stdlib.h>

typedef struct {
    int square, steps, promotes;
    u64 squares;
} Span;

static u64 steps(int kind, u64 here) {
    u64 row = (here & NOT_H) << 1 | (here & NOT_A) >> 1, found = 0;
    switch (kind) {
    case KNIGHTS:
        for (; here; here &= here - 1) found |= KNIGHT_STEPS[first(here)];
        return found;
    case BISHOPS: return row << 8 | row >> 8;
    case ROOKS: return row | here << 8 | here >> 8;
    default: row |= here; return row | row << 8 | row >> 8;
    }
}

/* What pieces that stay where they are attack whatever stands between. */
static u64 attacked_for_ever(const u64 *p, u64 pieces) {
    u64 attacked = white_pawns_attack(p[PAWNS] & pieces & p[WHITES]) | black_pawns_attack(p[PAWNS] & pieces & p[BLACKS]);
    for (int kind = KNIGHTS; kind <= KINGS; kind++) attacked |= steps(kind, p[kind] & pieces);
    return attacked;
}

/* Pieces that cannot move before something is taken, whatever the wandering king does. */
static u64 find_still(const u64 *p, u64 wanderer) {
    u64 white = p[WHITES] & ~wanderer, black = p[BLACKS] & ~wanderer, still = white | black;
    for (;;) {
        u64 moving = 0;
        for (int kind = PAWNS; kind <= KINGS; kind++)
            for (u64 todo = p[kind] & still; todo; todo &= todo - 1) {
                u64 bit = todo & -todo, open;
                int is_white = !!(bit & white);
                if (kind == PAWNS) {
                    open = (is_white ? bit << 8 : bit >> 8) & ~still;
                } else {
                    open = steps(kind, bit) & ~(still & (is_white ? white : black));
                    if (kind == KINGS) open &= ~attacked_for_ever(p, (is_white ? black : white) & still);
                }
                if (open) moving |= bit;
            }
        if (!moving) return still;
        still ^= moving;
    }
}

/* How far each pawn of a side could go, up to the first closed square. */
static int find_spans(u64 pawns, u64 closed, int white, Span *spans) {
    int n = 0;
    for (; pawns; pawns &= pawns - 1) {
        int square = first(pawns);
        u64 ahead = white ? ABOVE[square] : BELOW[square], stops = ahead & closed;
        if (stops) ahead &= white ? BIT(first(stops)) - 1 : ~(BIT(last(stops)) | (BIT(last(stops)) - 1));
        spans[n++] = (Span){square, count(ahead), !stops, BIT(square) | ahead};
    }
    return n;
}

static u64 together(const Span *spans, int n) {
    u64 squares = 0;
    for (int i = 0; i < n; i++) squares |= spans[i].squares;
    return squares;
}

static int place(u64 bit, const u64 *blockers, int n, u64 *stands_on, u64 *tried) {
    for (int i = 0; i < n; i++)
        if (blockers[i] & bit && !(*tried >> i & 1)) {
            *tried |= BIT(i);
            if (!stands_on[i] || place(stands_on[i], blockers, n, stands_on, tried)) {
                stands_on[i] = bit;
                return 1;
            }
        }
    return 0;
}

/* Whether different black pieces could stand on all these squares: a matching. */
static int can_block(u64 squares, const u64 *blockers, int n) {
    u64 stands_on[64] = {0};
    if (count(squares) > n) return 0;
    for (; squares; squares &= squares - 1) {
        u64 tried = 0;
        if (!place(squares & -squares, blockers, n, stands_on, &tried)) return 0;
    }
    return 1;
}

/* Whether White's pawns could mate the wandering king somewhere. */
static int pawns_may_mate(const u64 *p, u64 takes, u64 guarded, u64 still, u64 theirs, const Span *spans, int n) {
    u64 attacked = takes | guarded, blockers[64], white = p[WHITES];
    for (u64 todo = p[KNIGHTS] & white; todo; todo &= todo - 1) attacked |= KNIGHT_STEPS[first(todo)];
    for (u64 todo = (p[BISHOPS] | p[QUEENS]) & white; todo; todo &= todo - 1) attacked |= diagonals(first(todo), 0);
    for (u64 todo = (p[ROOKS] | p[QUEENS]) & white; todo; todo &= todo - 1) attacked |= lines(first(todo), 0);
    for (int i = 0; i < n; i++) blockers[i] = spans[i].squares;
    for (u64 todo = theirs & ~p[PAWNS]; todo; todo &= todo - 1) blockers[n++] = todo & -todo;
    for (u64 todo = takes & ~guarded & ~(white & still); todo; todo &= todo - 1)
        if (can_block(KING_STEPS[first(todo)] & ~attacked, blockers, n)) return 1;
    return 0;
}

static void add(Structure *s, int square, int time) {
    if (s->chances == MAX_CHANCES) return; /* more than boards have */
    s->square[s->chances] = (int8_t)square;
    s->time[s->chances++] = (int8_t)time;
}

/* Where a pawn in the way of a runner could be taken, and how many moves the king has for that. */
static void add_times(Structure *s, const Span *pawn, const Span *runner, int way, int time, u64 guarded) {
    int others = time - pawn->steps;
    for (u64 todo = pawn->squares & ~guarded; todo; todo &= todo - 1) {
        int square = first(todo), before = (abs(square - runner->square) >> 3) - 1;
        if (way - before <= others + 1) add(s, square, others + (abs(square - pawn->square) >> 3) - way);
    }
}

/* What the other king may take to set something free, with the moves it has to come there. */
void count_chances(const Position *position, int locked, u64 wanderer, Structure *s) {
    const u64 *p = position->field;
    u64 own = locked ? p[WHITES] : p[BLACKS], theirs = (locked ? p[BLACKS] : p[WHITES]) & ~wanderer;
    u64 still = find_still(p, wanderer);
    Span own_spans[64], spans[64];
    s->chances = -1;
    if ((own | theirs) & ~p[PAWNS] & ~still) return;
    int own_count = find_spans(p[PAWNS] & own, (p[PAWNS] & theirs) | still, locked, own_spans);
    int their_count = find_spans(p[PAWNS] & theirs, still, !locked, spans), time = 0;
    for (int i = 0; i < own_count; i++) {
        if (own_spans[i].promotes) return;
        time += own_spans[i].steps;
    }
    u64 own_squares = together(own_spans, own_count), squares = together(spans, their_count);
    u64 own_takes = locked ? white_pawns_attack(own_squares) : black_pawns_attack(own_squares);
    u64 their_takes = locked ? black_pawns_attack(squares) : white_pawns_attack(squares);
    if (own_takes & (squares | theirs) || their_takes & (own_squares | own)) return;
    u64 guarded = attacked_for_ever(p, own & still);
    if (locked && pawns_may_mate(p, own_takes, guarded, still, theirs, spans, their_count)) return;
    s->chances = 0;
    for (u64 todo = own & still & ~p[KINGS] & ~guarded; todo; todo &= todo - 1) add(s, first(todo), time);
    for (int i = 0; i < their_count; i++) {
        const Span *runner = &spans[i], *obstacle = NULL;
        if (!runner->promotes) continue;
        u64 ahead = runner->squares & ~BIT(runner->square);
        for (int k = own_count - 1; k >= 0; k--)
            if (ahead >> own_spans[k].square & 1) obstacle = &own_spans[k];
        /* The first move of a pawn may be of two squares. */
        int way = runner->steps - (runner->square >> 3 == (locked ? 6 : 1));
        if (obstacle) add_times(s, obstacle, runner, way, time, guarded);
        else add(s, NOWHERE, time - way);
    }
}

/* Whether a king on a square comes in time for something. */
int lets_king_come(const Structure *s, int king, int more) {
    for (int n = 0; n < s->chances; n++) {
        int way = s->square[n] == NOWHERE ? 0 : DISTANCE[king][s->square[n]];
        if (way <= s->time[n] + more) return 1;
    }
    return 0;
}
