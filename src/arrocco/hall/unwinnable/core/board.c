#include "board.h"

#include <stdlib.h>

u64 KING_STEPS[64], KNIGHT_STEPS[64], PAWN_TAKES[2][64], FILES[64], ABOVE[64], BELOW[64];
int DISTANCE[64][64];
static u64 RAYS[8][64]; /* four that go up, then four that go down */
static const int GOES[8][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}};

static u64 square_at(int rank, int file) {
    return rank < 0 || rank > 7 || file < 0 || file > 7 ? 0 : BIT(8 * rank + file);
}

void make_tables(void) {
    for (int n = 0; n < 64; n++) {
        int rank = n >> 3, file = n & 7;
        KING_STEPS[n] = KNIGHT_STEPS[n] = 0;
        for (int way = 0; way < 8; way++) {
            int up = GOES[way][0], right = GOES[way][1];
            KING_STEPS[n] |= square_at(rank + up, file + right);
            RAYS[way][n] = 0;
            for (int far = 1; far < 8; far++) RAYS[way][n] |= square_at(rank + far * up, file + far * right);
        }
        for (int up = -2; up <= 2; up++)
            for (int right = -2; right <= 2; right++)
                if (abs(up * right) == 2) KNIGHT_STEPS[n] |= square_at(rank + up, file + right);
        PAWN_TAKES[1][n] = white_pawns_attack(BIT(n));
        PAWN_TAKES[0][n] = black_pawns_attack(BIT(n));
        ABOVE[n] = RAYS[1][n];
        BELOW[n] = RAYS[5][n];
        FILES[n] = ABOVE[n] | BELOW[n] | BIT(n);
        for (int m = 0; m < 64; m++) {
            int up = abs((m >> 3) - rank), right = abs((m & 7) - file);
            DISTANCE[n][m] = up > right ? up : right;
        }
    }
}

static u64 along(int way, int square, u64 occupied) {
    u64 ray = RAYS[way][square], stops = ray & occupied;
    if (!stops) return ray;
    return ray ^ RAYS[way][way < 4 ? first(stops) : last(stops)];
}

u64 diagonals(int square, u64 occupied) {
    return along(2, square, occupied) | along(3, square, occupied) | along(6, square, occupied) |
           along(7, square, occupied);
}

u64 lines(int square, u64 occupied) {
    return along(0, square, occupied) | along(1, square, occupied) | along(4, square, occupied) |
           along(5, square, occupied);
}

int is_attacked(const Position *position, int square, int by_white) {
    const u64 *p = position->field;
    u64 side = by_white ? p[WHITES] : p[BLACKS];
    if (KING_STEPS[square] & p[KINGS] & side || KNIGHT_STEPS[square] & p[KNIGHTS] & side ||
        PAWN_TAKES[!by_white][square] & p[PAWNS] & side)
        return 1;
    u64 occupied = p[WHITES] | p[BLACKS];
    u64 straight = (p[ROOKS] | p[QUEENS]) & side, slanted = (p[BISHOPS] | p[QUEENS]) & side;
    return (straight && lines(square, occupied) & straight) || (slanted && diagonals(square, occupied) & slanted);
}

int in_check(const Position *position) {
    const u64 *p = position->field;
    int turn = (int)p[TURN];
    return is_attacked(position, last(p[KINGS] & (turn ? p[WHITES] : p[BLACKS])), !turn);
}

u64 attacked_by(const Position *position, int white) {
    const u64 *p = position->field;
    u64 own = white ? p[WHITES] : p[BLACKS], foe = white ? p[BLACKS] : p[WHITES];
    u64 through = (own | foe) ^ (p[KINGS] & foe); /* lines go on behind the king they check */
    u64 pawns = p[PAWNS] & own, attacked = white ? white_pawns_attack(pawns) : black_pawns_attack(pawns);
    attacked |= KING_STEPS[last(p[KINGS] & own)];
    for (u64 todo = p[KNIGHTS] & own; todo; todo &= todo - 1) attacked |= KNIGHT_STEPS[first(todo)];
    for (u64 todo = (p[BISHOPS] | p[QUEENS]) & own; todo; todo &= todo - 1) attacked |= diagonals(first(todo), through);
    for (u64 todo = (p[ROOKS] | p[QUEENS]) & own; todo; todo &= todo - 1) attacked |= lines(first(todo), through);
    return attacked;
}

static int find_castling(const Position *position, int king, Move *found, int n) {
    const u64 *p = position->field;
    int turn = (int)p[TURN];
    u64 occupied = p[WHITES] | p[BLACKS];
    for (u64 todo = p[CASTLING] & (turn ? p[WHITES] : p[BLACKS]); todo; todo &= todo - 1) {
        int rook = first(todo), step = rook > king ? 1 : -1;
        u64 between = along(step > 0 ? 0 : 4, king, BIT(rook)) & ~BIT(rook);
        if (between & occupied || is_attacked(position, king + step, !turn) ||
            is_attacked(position, king + 2 * step, !turn))
            continue;
        found[n++] = king | (king + 2 * step) << 6 | KINGS << MOVER;
    }
    return n;
}

/* Every legal move, and some marked doubtful that may expose their own king. */
int find_moves(const Position *position, u64 attacked, Move *found) {
    static const int PROMOTIONS[4] = {QUEENS, KNIGHTS, ROOKS, BISHOPS};
    const u64 *p = position->field;
    int turn = (int)p[TURN], n = 0;
    u64 own = turn ? p[WHITES] : p[BLACKS], foe = turn ? p[BLACKS] : p[WHITES];
    u64 occupied = own | foe, castling = p[CASTLING], careful = 0, enter = ~own & ~p[KINGS];
    int king = last(p[KINGS] & own);
    if (attacked >> king & 1) {
        careful = own;
        castling = 0;
    } else if ((p[BISHOPS] | p[ROOKS] | p[QUEENS]) & foe) {
        /* Unless in check, only what the king sees along a line can expose it. */
        careful = diagonals(king, occupied) | lines(king, occupied);
    }
    for (u64 targets = KING_STEPS[king] & enter & ~attacked; targets;) {
        int target = last(targets);
        targets ^= BIT(target);
        found[n++] = king | KINGS << MOVER | target << 6;
    }
    for (u64 todo = own & ~p[PAWNS] & ~p[KINGS]; todo; todo &= todo - 1) {
        int square = first(todo), kind;
        u64 origin = BIT(square), targets;
        if (origin & p[KNIGHTS]) kind = KNIGHTS, targets = KNIGHT_STEPS[square];
        else if (origin & p[BISHOPS]) kind = BISHOPS, targets = diagonals(square, occupied);
        else if (origin & p[ROOKS]) kind = ROOKS, targets = lines(square, occupied);
        else kind = QUEENS, targets = diagonals(square, occupied) | lines(square, occupied);
        Move move = square | kind << MOVER | (origin & careful ? DOUBTFUL : 0);
        for (targets &= enter; targets;) {
            int target = last(targets);
            targets ^= BIT(target);
            found[n++] = move | target << 6;
        }
    }
    u64 prey = (foe & enter) | p[PASSING];
    for (u64 todo = own & p[PAWNS]; todo; todo &= todo - 1) {
        int square = first(todo);
        u64 origin = BIT(square), targets = PAWN_TAKES[turn][square] & prey;
        Move move = square | PAWNS << MOVER | (origin & careful || targets & p[PASSING] ? DOUBTFUL : 0);
        u64 step = (turn ? origin << 8 : origin >> 8) & ~occupied;
        targets |= step;
        if (step && origin & (turn ? RANK_2 : RANK_7)) targets |= (turn ? step << 8 : step >> 8) & ~occupied;
        for (; targets; targets &= targets - 1) {
            int target = first(targets);
            Move there = move | target << 6;
            if (BIT(target) & (RANK_1 | RANK_8))
                for (int which = 0; which < 4; which++) found[n++] = there | PROMOTIONS[which] << 12;
            else
                found[n++] = there;
        }
    }
    return castling ? find_castling(position, king, found, n) : n;
}

/* The position after a move; whether it has exposed its own king is asked of `exposes_king`. */
void play(const Position *position, Move move, Position *after) {
    *after = *position;
    u64 *a = after->field;
    const u64 *p = position->field;
    int turn = (int)p[TURN], mine = turn ? WHITES : BLACKS, theirs = turn ? BLACKS : WHITES;
    int kind = mover_of(move), square = origin_of(move), target = target_of(move), promoted = promotion_of(move);
    u64 to = BIT(target), both = BIT(square) | to;
    a[TURN] = !turn;
    a[PASSING] = 0;
    if (to & p[theirs]) {
        a[theirs] ^= to;
        for (int taken = PAWNS; taken <= QUEENS; taken++) a[taken] &= ~to;
    } else if (kind == PAWNS) {
        if (to == p[PASSING]) {
            u64 beaten = turn ? to >> 8 : to << 8;
            a[theirs] ^= beaten;
            a[PAWNS] ^= beaten;
        } else if (((target - square) & 15) == 0) { /* two squares */
            u64 beside = (to & NOT_H) << 1 | (to & NOT_A) >> 1;
            if (beside & p[PAWNS] & p[theirs]) a[PASSING] = BIT((square + target) >> 1);
        }
    }
    a[kind] ^= both;
    a[mine] ^= both;
    if (promoted) {
        a[PAWNS] ^= to;
        a[promoted] |= to;
    }
    if (p[CASTLING]) {
        a[CASTLING] &= ~both;
        if (kind == KINGS) {
            a[CASTLING] &= ~(turn ? RANK_1 : RANK_8);
            if (abs(target - square) == 2) {
                u64 rook = BIT((square + target) >> 1) | BIT(target > square ? square + 3 : square - 4);
                a[ROOKS] ^= rook;
                a[mine] ^= rook;
            }
        }
    }
}

int exposes_king(const Position *after) {
    const u64 *a = after->field;
    int turn = (int)a[TURN];
    return is_attacked(after, last(a[KINGS] & (turn ? a[BLACKS] : a[WHITES])), turn);
}

/* Whether White's material can never mate, against what Black has and could become. */
int cannot_mate(const Position *position) {
    static const u64 DARK = 0xAA55AA55AA55AA55ULL;
    const u64 *p = position->field;
    u64 white = p[WHITES], black = p[BLACKS], knights = p[KNIGHTS] & white, bishops = p[BISHOPS] & white;
    if ((p[PAWNS] | p[ROOKS] | p[QUEENS]) & white) return 0;
    if (!knights) {
        if (!bishops) return 1;
        if (bishops & DARK && bishops & ~DARK) return 0;
        u64 shade = bishops & DARK ? DARK : ~DARK;
        return !((p[PAWNS] | p[KNIGHTS] | (p[BISHOPS] & ~shade)) & black);
    }
    return !bishops && !(knights & (knights - 1)) && !((p[PAWNS] | p[KNIGHTS] | p[BISHOPS] | p[ROOKS]) & black);
}

/* Every legal move: origin, target and promotion in fifteen bits. For `hall/game`, not the search. */
int legal_moves(const Position *position, uint16_t *found) {
    Move moves[MAX_MOVES];
    if (!DISTANCE[0][63]) make_tables();
    int n = find_moves(position, attacked_by(position, !position->field[TURN]), moves), legal = 0;
    for (int which = 0; which < n; which++) {
        if (moves[which] & DOUBTFUL) {
            Position after;
            play(position, moves[which], &after);
            if (exposes_king(&after)) continue;
        }
        found[legal++] = moves[which] & 0x7FFF;
    }
    return legal;
}
