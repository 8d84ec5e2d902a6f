#include "guides.h"

#include <string.h>

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

/* --- how near a mate is: potential.py ---------------------------------------------------------- */

enum { NO_QUEEN = 9 };

static int of_kings(const Weights *w, int black, int white) {
    int file = black & 7, rank = black >> 3;
    int side = smaller(file, 7 - file), end = smaller(rank, 7 - rank);
    return w->kings * DISTANCE[black][white] + w->edge * smaller(side, end) + w->corner * (side + end);
}

static int way_of_queens(const Weights *w, u64 queens, int king) {
    if (!queens) return w->no_queen + w->queen * NO_QUEEN;
    int nearest = NO_QUEEN;
    for (; queens; queens &= queens - 1) nearest = smaller(nearest, DISTANCE[first(queens)][king]);
    return w->queen * nearest;
}

static int road(const Weights *w, u64 own, u64 theirs, int king) {
    int cheapest = w->no_pawn;
    for (u64 todo = own; todo; todo &= todo - 1) {
        int square = first(todo);
        int cost = w->step * (7 - (square >> 3) + count(ABOVE[square] & own));
        for (u64 obstacles = ABOVE[square] & theirs; obstacles; obstacles &= obstacles - 1)
            cost += w->obstacle + w->walk * DISTANCE[king][first(obstacles)];
        cheapest = smaller(cheapest, cost);
    }
    return cheapest + w->pawnless + w->queen * NO_QUEEN;
}

static void rate_black(const Weights *w, const Position *position, const Move *moves, int n, u64 free, int *ratings) {
    const u64 *p = position->field;
    u64 white = p[WHITES], black = p[BLACKS], heavy = (p[QUEENS] | p[ROOKS]) & white;
    int king = last(p[KINGS] & black), white_king = last(p[KINGS] & white);
    for (int i = 0; i < n; i++) {
        Move move = moves[i];
        int target = target_of(move), kind = mover_of(move), at = kind == KINGS ? target : king;
        u64 origin = BIT(origin_of(move)), to = BIT(target);
        int rating = of_kings(w, at, white_king);
        if (heavy & ~to) {
            rating += way_of_queens(w, p[QUEENS] & white & ~to, at);
        } else {
            u64 theirs = p[PAWNS] & black & ~origin;
            if (kind == PAWNS && !promotion_of(move)) theirs |= to;
            rating = (rating >> 1) + road(w, p[PAWNS] & white & ~to, theirs, white_king);
        }
        ratings[i] = rating + w->flight * count(KING_STEPS[at] & ~((black ^ origin) | to) & free);
    }
}

static u64 attacked_but(const Position *position, int but, u64 through) {
    /* What White's pieces other than pawns attack, without one of them. */
    const u64 *p = position->field;
    u64 own = p[WHITES] & ~BIT(but), attacked = 0;
    if (p[KINGS] & own) attacked |= KING_STEPS[last(p[KINGS] & own)];
    for (u64 todo = p[KNIGHTS] & own; todo; todo &= todo - 1) attacked |= KNIGHT_STEPS[first(todo)];
    for (u64 todo = (p[BISHOPS] | p[QUEENS]) & own; todo; todo &= todo - 1) attacked |= diagonals(first(todo), through);
    for (u64 todo = (p[ROOKS] | p[QUEENS]) & own; todo; todo &= todo - 1) attacked |= lines(first(todo), through);
    return attacked;
}

static void rate_white(const Weights *w, const Position *position, const Move *moves, int n, int *ratings) {
    const u64 *p = position->field;
    u64 white = p[WHITES], black = p[BLACKS], black_king = p[KINGS] & black;
    u64 through = (white | black) ^ black_king; /* lines go on behind the king they check */
    u64 heavy = (p[QUEENS] | p[ROOKS]) & white, by_pawns = white_pawns_attack(p[PAWNS] & white), others = 0;
    int king = last(black_king), white_king = last(p[KINGS] & white), others_of = -1;
    for (int i = 0; i < n; i++) {
        Move move = moves[i];
        int square = origin_of(move), target = target_of(move), kind = mover_of(move);
        int now = promotion_of(move) ? promotion_of(move) : kind, at = white_king;
        u64 origin = BIT(square), to = BIT(target), own_pawns = p[PAWNS] & white, own_queens = p[QUEENS] & white;
        if (square != others_of) {
            others = attacked_but(position, square, through) | (kind == PAWNS ? 0 : by_pawns);
            others_of = square;
        }
        u64 attacked = others;
        if (kind == PAWNS) {
            own_pawns ^= origin;
            if (now == PAWNS) own_pawns |= to;
            attacked |= white_pawns_attack(own_pawns);
        } else if (kind == KINGS) {
            at = target;
            attacked |= KING_STEPS[target];
        }
        if (now == KNIGHTS) {
            attacked |= KNIGHT_STEPS[target];
        } else if (BISHOPS <= now && now <= QUEENS) {
            u64 occupied = (through ^ origin) | to;
            if (now != ROOKS) attacked |= diagonals(target, occupied);
            if (now != BISHOPS) attacked |= lines(target, occupied);
            if (now == QUEENS) own_queens = (own_queens & ~origin) | to;
        }
        int flights = count(KING_STEPS[king] & ~(black & ~to) & ~attacked);
        int rating = of_kings(w, king, at);
        if (heavy || now == QUEENS || now == ROOKS) rating += way_of_queens(w, own_queens, king);
        else rating = (rating >> 1) + road(w, own_pawns, p[PAWNS] & black & ~to, at);
        rating += w->flight * flights;
        if (attacked & black_king) rating -= w->check + (flights ? 0 : w->no_flight);
        ratings[i] = rating;
    }
}

static void rate_potential(
    const Guide *g, const Position *position, const Move *moves, int n, u64 attacked, int less, int *ratings
) {
    if (position->field[TURN]) rate_white(&g->weights, position, moves, n, ratings);
    else rate_black(&g->weights, position, moves, n, ~attacked, ratings);
    for (int i = 0; i < n; i++) ratings[i] -= less;
}

/* --- walks to a goal: walks.py ------------------------------------------------------------------ */

enum { FAR = 99 };

static int shortest_walk(const Post *post, u64 pieces, u64 pawns) {
    int shortest = FAR;
    for (; pieces; pieces &= pieces - 1) shortest = smaller(shortest, post->lengths[first(pieces)]);
    if (post->from_pawn && shortest)
        for (; pawns; pawns &= pawns - 1) shortest = smaller(shortest, post->as_pawn[first(pawns)]);
    return shortest;
}

static int all_walks(const int *lengths, int n) {
    int sum = 0, checking = lengths[2];
    for (int i = 0; i < n; i++) sum += lengths[i];
    int others = sum - checking + 2 * lengths[0];
    return others ? 4 * (others + larger(checking, 1)) : 4 * checking;
}

static void rate_walk(const Guide *g, const Position *position, const Move *moves, int n, int *ratings) {
    const u64 *p = position->field;
    int turn = (int)p[TURN], now[MAX_POSTS] = {0}, after[MAX_POSTS];
    u64 own = turn ? p[WHITES] : p[BLACKS], foes = turn ? p[BLACKS] : p[WHITES];
    for (int k = 0; k < g->posts; k++) {
        u64 side = g->post[k].white == turn ? own : foes;
        now[k] = shortest_walk(&g->post[k], p[g->post[k].kind] & side, p[PAWNS] & side);
    }
    int still = all_walks(now, g->posts);
    for (int i = 0; i < n; i++) {
        Move move = moves[i];
        u64 origin = BIT(origin_of(move)), to = BIT(target_of(move));
        int kind = mover_of(move), becomes = promotion_of(move) ? promotion_of(move) : kind, changed = 0;
        memcpy(after, now, sizeof now);
        for (int k = 0; k < g->posts; k++) {
            const Post *post = &g->post[k];
            u64 pieces, pawns;
            if (post->white == turn) {
                if (post->kind != kind && post->kind != becomes && !(post->from_pawn && kind == PAWNS)) continue;
                pieces = p[post->kind] & own & ~origin;
                pawns = p[PAWNS] & own & ~origin;
                if (becomes == post->kind) pieces |= to;
                if (becomes == PAWNS) pawns |= to;
            } else if (to & foes) {
                pieces = p[post->kind] & foes & ~to;
                pawns = p[PAWNS] & foes & ~to;
            } else {
                continue;
            }
            after[k] = shortest_walk(post, pieces, pawns);
            changed = 1;
        }
        ratings[i] = changed ? all_walks(after, g->posts) : still;
    }
}

/* --- races: race.py ----------------------------------------------------------------------------- */

enum { A_MOVE = 10, TOO_SLOW = 300, NEVER = 60, RACE_LATER = 800 };

static u64 ahead_of(int square, int white) { return white ? ABOVE[square] : BELOW[square]; }
static int met_first(u64 squares, int white) { return white ? first(squares) : last(squares); }

static int race(const Guide *g, u64 own, u64 runners, int king) {
    int gaps[64], total = 0, best = A_MOVE * NEVER, locked = g->side;
    for (u64 todo = own; todo; todo &= todo - 1) {
        int square = first(todo);
        u64 ahead = ahead_of(square, locked), stops = ahead & (own | runners);
        int far = stops ? met_first(stops, locked) - square : 0;
        gaps[square] = stops ? (far < 0 ? -far : far) / 8 - 1 : count(ahead);
        total += gaps[square];
    }
    for (u64 todo = runners; todo; todo &= todo - 1) {
        int square = first(todo);
        u64 ahead = ahead_of(square, !locked), obstacles = ahead & own;
        if (ahead & (runners | g->still)) continue;
        int way = count(ahead) - (square >> 3 == (locked ? 6 : 1));
        if (!obstacles) {
            int need = way + (int)(ahead >> king & 1);
            best = smaller(best, A_MOVE * need + (need > total + 1 ? TOO_SLOW : 0));
            continue;
        }
        int pawn = met_first(obstacles, !locked), more = 2 * (count(obstacles) - 1), step = locked ? 8 : -8;
        for (int made = 0; made <= gaps[pawn]; made++) {
            int need = larger(DISTANCE[king][pawn + step * made], made) + 1 + way + more;
            int rating = A_MOVE * need - made;
            if (need > total - gaps[pawn] + made + 1) rating += TOO_SLOW;
            best = smaller(best, rating);
        }
    }
    return best;
}

static int gift(u64 own, u64 runners, u64 pieces) {
    int shortest = NEVER, way = 8, any = 0;
    for (u64 todo = own; todo; todo &= todo - 1) {
        u64 ahead = ABOVE[first(todo)];
        shortest = smaller(shortest, count(ahead) + (ahead & (runners | own) ? 20 : 0));
    }
    u64 takes = white_pawns_attack(own);
    for (; pieces; pieces &= pieces - 1)
        for (u64 todo = takes; todo; todo &= todo - 1) {
            int far = DISTANCE[first(pieces)][first(todo)];
            way = any ? smaller(way, far) : far;
            any = 1;
        }
    return A_MOVE * shortest / 2 + 6 * way;
}

static void rate_race(const Guide *g, const Position *position, const Move *moves, int n, u64 attacked, int *ratings) {
    const u64 *p = position->field;
    int locked = g->side, turn = (int)p[TURN];
    u64 locked_side = locked ? p[WHITES] : p[BLACKS], free_side = locked ? p[BLACKS] : p[WHITES];
    u64 own = locked_side & p[PAWNS], runners = free_side & p[PAWNS], others = free_side & ~p[PAWNS];
    if (locked && (p[QUEENS] | p[ROOKS]) & p[WHITES]) {
        rate_potential(g, position, moves, n, attacked, 2 * RACE_LATER, ratings);
        return;
    }
    int promoted = count(others) > count(g->pieces), king = last(p[KINGS] & others);
    if (promoted && !locked) {
        rate_potential(g, position, moves, n, attacked, RACE_LATER, ratings);
        return;
    }
    for (int i = 0; i < n; i++) {
        Move move = moves[i];
        int target = target_of(move), kind = mover_of(move), becomes = promotion_of(move), at = king;
        u64 origin = BIT(origin_of(move)), to = BIT(target), ours = own, theirs = runners, pieces = others;
        if (turn == locked) {
            theirs &= ~to;
            pieces &= ~to;
            if (kind == PAWNS) ours ^= origin | (becomes ? 0 : to);
        } else {
            ours &= ~to;
            if (kind == PAWNS) {
                theirs ^= origin | (becomes ? 0 : to);
                if (becomes) pieces |= to;
            } else {
                pieces ^= origin | to;
                if (kind == KINGS) at = target;
            }
        }
        if (becomes) ratings[i] = -RACE_LATER;
        else if (promoted) ratings[i] = gift(ours, theirs, pieces & ~BIT(at)) - RACE_LATER;
        else ratings[i] = race(g, ours, theirs, at);
    }
}

/* --- closed positions: opening.py --------------------------------------------------------------- */

enum { OF_WALK = 2, OF_PIECE = 10, OF_STEP = 1, OF_PROMOTION = 60, OPENING_LATER = 400, TOO_FAR = 20 };

static u64 king_steps(u64 kings) {
    u64 beside = kings | (kings & NOT_H) << 1 | (kings & NOT_A) >> 1;
    return beside | beside << 8 | beside >> 8;
}

static void walks_to(u64 prey, u64 region, int *lengths) {
    u64 seen = prey;
    int length = 0;
    for (int n = 0; n < 64; n++) lengths[n] = TOO_FAR;
    for (u64 new = prey; new; length++) {
        for (u64 todo = new; todo; todo &= todo - 1) lengths[first(todo)] = length;
        new = king_steps(new) & region & ~seen;
        seen |= new;
    }
}

static void rate_opening(const Guide *g, const Position *position, const Move *moves, int n, u64 attacked, int *ratings) {
    const u64 *p = position->field;
    if ((p[QUEENS] | p[ROOKS]) & p[WHITES]) {
        rate_potential(g, position, moves, n, attacked, OPENING_LATER, ratings);
        return;
    }
    int turn = (int)p[TURN], lengths[64];
    u64 foes = turn ? p[BLACKS] : p[WHITES];
    u64 own = g->side ? p[WHITES] : p[BLACKS], prey = g->side ? p[BLACKS] : p[WHITES];
    walks_to(prey & ~p[KINGS], g->region, lengths);
    int still = lengths[last(p[KINGS] & own)], base = OF_PIECE * count(p[WHITES] | p[BLACKS]);
    for (int i = 0; i < n; i++) {
        int kind = mover_of(moves[i]), target = target_of(moves[i]);
        int rating = base + OF_WALK * (kind == KINGS && turn == g->side ? lengths[target] : still);
        if (BIT(target) & foes) rating -= OF_PIECE;
        if (promotion_of(moves[i])) rating -= turn ? OF_PROMOTION : OF_PROMOTION / 2;
        else if (kind == PAWNS) rating -= OF_STEP;
        ratings[i] = rating;
    }
}

void rate(const Guide *g, const Position *position, const Move *moves, int n, u64 attacked, int *ratings) {
    switch (g->kind) {
    case POTENTIAL: rate_potential(g, position, moves, n, attacked, 0, ratings); break;
    case WALK: rate_walk(g, position, moves, n, ratings); break;
    case RACE: rate_race(g, position, moves, n, attacked, ratings); break;
    case OPENING: rate_opening(g, position, moves, n, attacked, ratings); break;
    }
}
