/* Best-first search for a helpmate; tests/judge/unwinnable/search.py does the same.
 *
 * Both look at the same positions in the same order and count the same work. A position is kept packed in 34 bytes and compared
 * whole: no two positions are ever taken for one.
 */
#include <stdlib.h>
#include <string.h>

#include "guides.h"
#include "tempo.h"

enum { A_STRUCTURE = 80, WORDS = 14, EMPTY = -1 };

typedef struct {
    u64 white, low, middle, high; /* the kinds of pieces as numbers of three bits, one in each board */
    uint32_t parent;
    Move move;
    uint16_t rest; /* the turn, the castling rooks, the square of a pawn that can be taken in passing */
} Node;

typedef struct {
    int32_t rating, order;
    uint32_t node;
} Waiting;

typedef struct {
    Guide guide;
    int64_t work;
    int32_t positions, is_out_of_memory, locked[2];
    Node *nodes;
    int32_t seen, room;
    int32_t *table;
    u64 table_mask;
    Waiting *queue;
    int32_t waiting, queue_room, order;
    int64_t *stages;
    int32_t *stage_words;
    u64 *words;
    int32_t stage_count, stage_mask, stage_room;
    Structure *structures;
    int32_t structure_count, structure_room, *structure_table, structure_mask;
} Search;

/* --- memory ------------------------------------------------------------------------------------- */

static void *grown(Search *s, void *old, size_t size) {
    void *new = s->is_out_of_memory ? NULL : realloc(old, size);
    if (!new) s->is_out_of_memory = 1;
    return new ? new : old;
}

static int32_t *empty_table(Search *s, int32_t *old, u64 size) {
    int32_t *table = grown(s, old, size * sizeof *table);
    if (!s->is_out_of_memory) memset(table, 0xFF, size * sizeof *table);
    return table;
}

static u64 mixed(u64 hash, u64 word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

/* --- positions seen ----------------------------------------------------------------------------- */

static Node packed(const Position *position) {
    const u64 *p = position->field;
    Node node = {
        .white = p[WHITES],
        .low = p[PAWNS] | p[BISHOPS] | p[QUEENS],
        .middle = p[KNIGHTS] | p[BISHOPS] | p[KINGS],
        .high = p[ROOKS] | p[QUEENS] | p[KINGS],
    };
    u64 rooks = p[CASTLING];
    int passing = p[PASSING] ? first(p[PASSING]) + 1 : 0;
    node.rest = (uint16_t)(p[TURN] | (rooks & 1) << 1 | (rooks >> 7 & 1) << 2 | (rooks >> 56 & 1) << 3 |
                           (rooks >> 63) << 4 | (u64)passing << 5);
    return node;
}

static void unpack(const Node *node, Position *position) {
    u64 *p = position->field, low = node->low, middle = node->middle, high = node->high;
    unsigned rest = node->rest;
    p[TURN] = rest & 1;
    p[PAWNS] = low & ~middle & ~high;
    p[KNIGHTS] = ~low & middle & ~high;
    p[BISHOPS] = low & middle & ~high;
    p[ROOKS] = ~low & ~middle & high;
    p[QUEENS] = low & ~middle & high;
    p[KINGS] = ~low & middle & high;
    p[WHITES] = node->white;
    p[BLACKS] = (low | middle | high) & ~node->white;
    p[CASTLING] = (u64)(rest >> 1 & 1) | (u64)(rest >> 2 & 1) << 7 | (u64)(rest >> 3 & 1) << 56 |
                  (u64)(rest >> 4 & 1) << 63;
    p[PASSING] = rest >> 5 ? BIT((rest >> 5) - 1) : 0;
}

static u64 hash_of(const Node *node) {
    return mixed(mixed(mixed(mixed(mixed(0, node->white), node->low), node->middle), node->high), node->rest);
}

static int is_same(const Node *a, const Node *b) {
    return a->white == b->white && a->low == b->low && a->middle == b->middle && a->high == b->high &&
           a->rest == b->rest;
}

static void enter(Search *s, int32_t number) {
    u64 at = hash_of(&s->nodes[number]) & s->table_mask;
    while (s->table[at] != EMPTY) at = (at + 1) & s->table_mask;
    s->table[at] = number;
}

/* Notes a position; whether it was not seen before. */
static int is_new(Search *s, const Node *node) {
    u64 at = hash_of(node) & s->table_mask;
    for (; s->table[at] != EMPTY; at = (at + 1) & s->table_mask)
        if (is_same(&s->nodes[s->table[at]], node)) return 0;
    if (s->seen == s->room) {
        s->nodes = grown(s, s->nodes, 2 * (size_t)s->room * sizeof *s->nodes);
        if (s->is_out_of_memory) return 0;
        s->room *= 2;
    }
    s->nodes[s->seen] = *node;
    s->table[at] = s->seen++;
    if (2 * (u64)s->seen > s->table_mask) {
        s->table_mask = 2 * s->table_mask + 1;
        s->table = empty_table(s, s->table, s->table_mask + 1);
        if (!s->is_out_of_memory)
            for (int32_t number = 0; number < s->seen; number++) enter(s, number);
    }
    return !s->is_out_of_memory;
}

/* --- what is nearest to a mate ------------------------------------------------------------------ */

static int comes_before(const Waiting *a, const Waiting *b) {
    return a->rating != b->rating ? a->rating < b->rating : a->order < b->order;
}

static void push(Search *s, Waiting one) {
    if (s->waiting == s->queue_room) {
        s->queue = grown(s, s->queue, 2 * (size_t)s->queue_room * sizeof *s->queue);
        if (s->is_out_of_memory) return;
        s->queue_room *= 2;
    }
    int32_t at = s->waiting++;
    for (; at && comes_before(&one, &s->queue[(at - 1) / 2]); at = (at - 1) / 2) s->queue[at] = s->queue[(at - 1) / 2];
    s->queue[at] = one;
}

static Waiting pop(Search *s) {
    Waiting top = s->queue[0], one = s->queue[--s->waiting];
    int32_t at = 0;
    for (;;) {
        int32_t below = 2 * at + 1;
        if (below >= s->waiting) break;
        if (below + 1 < s->waiting && comes_before(&s->queue[below + 1], &s->queue[below])) below++;
        if (!comes_before(&s->queue[below], &one)) break;
        s->queue[at] = s->queue[below];
        at = below;
    }
    s->queue[at] = one;
    return top;
}

/* --- novelty ------------------------------------------------------------------------------------ */

static int32_t *place_of_stage(Search *s, int64_t stage) {
    int32_t at = (int32_t)(mixed(0, (u64)stage) >> 20) & s->stage_mask;
    while (s->stage_words[at] != EMPTY && s->stages[s->stage_words[at]] != stage) at = (at + 1) & s->stage_mask;
    return &s->stage_words[at];
}

static u64 *known_at(Search *s, int64_t stage) {
    int32_t *place = place_of_stage(s, stage);
    if (*place != EMPTY) return s->words + (size_t)*place * WORDS;
    if (s->stage_count == s->stage_room) {
        int32_t room = 2 * s->stage_room;
        s->stages = grown(s, s->stages, (size_t)room * sizeof *s->stages);
        s->words = grown(s, s->words, (size_t)room * WORDS * sizeof *s->words);
        s->stage_words = empty_table(s, s->stage_words, 4 * (u64)room);
        if (s->is_out_of_memory) return s->words;
        s->stage_room = room;
        s->stage_mask = 4 * room - 1;
        for (int32_t n = 0; n < s->stage_count; n++) *place_of_stage(s, s->stages[n]) = n;
        place = place_of_stage(s, stage);
    }
    *place = s->stage_count;
    s->stages[s->stage_count] = stage;
    u64 *words = s->words + (size_t)s->stage_count++ * WORDS;
    memset(words, 0, WORDS * sizeof *words);
    return words;
}

/* Whether some piece stands where none like it stood before, at the same distance from a mate. */
static int is_novel(Search *s, int64_t stage, const Position *position) {
    const u64 *p = position->field;
    u64 *known = known_at(s, stage), new = 0;
    for (int kind = PAWNS; kind <= KINGS; kind++) {
        u64 white = p[kind] & p[WHITES], black = p[kind] & p[BLACKS];
        new |= (white & ~known[2 * kind - 2]) | (black & ~known[2 * kind - 1]);
        known[2 * kind - 2] |= white;
        known[2 * kind - 1] |= black;
    }
    u64 rest = p[TURN] | (u64)(p[PASSING] ? first(p[PASSING]) + 1 : 0) << 1;
    new |= (rest & ~known[12]) | (p[CASTLING] & ~known[13]);
    known[12] |= rest;
    known[13] |= p[CASTLING];
    return new != 0;
}

/* --- sides that run out of moves: tempo.py ------------------------------------------------------ */

static const Structure *structure_of(Search *s, const Position *position, int locked, u64 king) {
    const u64 *p = position->field;
    u64 key[8] = {(u64)locked, p[PAWNS], p[KNIGHTS], p[BISHOPS], p[ROOKS], p[QUEENS], p[WHITES] & ~king, p[BLACKS] & ~king};
    u64 hash = 0;
    for (int n = 0; n < 8; n++) hash = mixed(hash, key[n]);
    int32_t at = (int32_t)(hash >> 20) & s->structure_mask;
    for (; s->structure_table[at] != EMPTY; at = (at + 1) & s->structure_mask)
        if (!memcmp(s->structures[s->structure_table[at]].structure, key, sizeof key))
            return &s->structures[s->structure_table[at]];
    if (s->structure_count == s->structure_room) {
        int32_t room = 2 * s->structure_room;
        s->structures = grown(s, s->structures, (size_t)room * sizeof *s->structures);
        s->structure_table = empty_table(s, s->structure_table, 4 * (u64)room);
        if (s->is_out_of_memory) return NULL;
        s->structure_room = room;
        s->structure_mask = 4 * room - 1;
        for (int32_t n = 0; n < s->structure_count; n++) {
            u64 other = 0;
            for (int k = 0; k < 8; k++) other = mixed(other, s->structures[n].structure[k]);
            int32_t place = (int32_t)(other >> 20) & s->structure_mask;
            while (s->structure_table[place] != EMPTY) place = (place + 1) & s->structure_mask;
            s->structure_table[place] = n;
        }
        at = (int32_t)(hash >> 20) & s->structure_mask;
        while (s->structure_table[at] != EMPTY) at = (at + 1) & s->structure_mask;
    }
    Structure *made = &s->structures[s->structure_count];
    memcpy(made->structure, key, sizeof key);
    count_chances(position, locked, king, made);
    if (made->chances >= 0) s->locked[locked] = 1;
    s->work -= A_STRUCTURE;
    s->structure_table[at] = s->structure_count++;
    return made;
}

static int is_too_slow(Search *s, const Position *position, int locked, int more) {
    const u64 *p = position->field;
    if (p[PASSING] || p[CASTLING]) return 0;
    u64 king = p[KINGS] & (locked ? p[BLACKS] : p[WHITES]);
    const Structure *structure = structure_of(s, position, locked, king);
    if (!structure || structure->chances < 0) return 0;
    return !lets_king_come(structure, last(king), more);
}

static int is_hopeless(Search *s, const Position *position, Move first_move) {
    int turn = (int)position->field[TURN];
    /* King and pieces come first: a pawn at the head means that only pawns can move. */
    if (mover_of(first_move) == PAWNS) return !in_check(position) && is_too_slow(s, position, turn, 0);
    return s->locked[!turn] && is_too_slow(s, position, !turn, 1);
}

/* --- the search --------------------------------------------------------------------------------- */

static int can_move(const Position *position, const Move *moves, int n) {
    if (n && !(moves[0] & DOUBTFUL)) return 1;
    for (int i = 0; i < n; i++) {
        Position after;
        play(position, moves[i], &after);
        if (!(moves[i] & DOUBTFUL) || !exposes_king(&after)) return 1;
    }
    return 0;
}

static int floor_tenth(int rating) { return rating >= 0 ? rating / 10 : -((9 - rating) / 10); }

static void look_at(Search *s, uint32_t number, const Position *position, const Move *moves, int n, u64 attacked) {
    static _Thread_local Move fresh[MAX_MOVES];
    static _Thread_local int ratings[MAX_MOVES];
    static _Thread_local Position after[MAX_MOVES];
    uint32_t first_new = (uint32_t)s->seen;
    const u64 *p = position->field;
    int turn = (int)p[TURN], found = 0, king = last(p[KINGS] & p[BLACKS]);
    for (int i = 0; i < n; i++) {
        play(position, moves[i], &after[found]);
        Node node = packed(&after[found]);
        node.parent = number;
        node.move = moves[i];
        if (is_new(s, &node)) fresh[found++] = moves[i];
    }
    s->work -= 5 + n + 2 * found;
    rate(&s->guide, position, fresh, found, attacked, ratings);
    for (int i = 0; i < found; i++) {
        int to = !turn && mover_of(fresh[i]) == KINGS ? target_of(fresh[i]) : king, rating = ratings[i];
        int64_t stage = (int64_t)floor_tenth(rating) * 128 + 2 * to + turn;
        if (!is_novel(s, stage, &after[i])) rating += s->guide.patience;
        push(s, (Waiting){rating, --s->order, first_new + (uint32_t)i});
    }
}

void close_search(Search *s) {
    if (!s) return;
    free(s->nodes), free(s->table), free(s->queue), free(s->stages), free(s->stage_words), free(s->words);
    free(s->structures), free(s->structure_table), free(s);
}

Search *open_search(const u64 *root, const Guide *guide) {
    enum { NODES = 4096, STAGES = 256, STRUCTURES = 16 };
    if (!DISTANCE[0][63]) make_tables();
    Search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->guide = *guide;
    s->room = s->queue_room = NODES;
    s->nodes = grown(s, NULL, NODES * sizeof *s->nodes);
    s->queue = grown(s, NULL, NODES * sizeof *s->queue);
    s->table_mask = 4 * NODES - 1;
    s->table = empty_table(s, NULL, 4 * NODES);
    s->stage_room = STAGES;
    s->stage_mask = 4 * STAGES - 1;
    s->stages = grown(s, NULL, STAGES * sizeof *s->stages);
    s->words = grown(s, NULL, (size_t)STAGES * WORDS * sizeof *s->words);
    s->stage_words = empty_table(s, NULL, 4 * STAGES);
    s->structure_room = STRUCTURES;
    s->structure_mask = 4 * STRUCTURES - 1;
    s->structures = grown(s, NULL, STRUCTURES * sizeof *s->structures);
    s->structure_table = empty_table(s, NULL, 4 * STRUCTURES);
    if (s->is_out_of_memory) {
        close_search(s);
        return NULL;
    }
    Position position;
    memcpy(position.field, root, sizeof position.field);
    Node node = packed(&position);
    is_new(s, &node);
    push(s, (Waiting){0, 0, 0});
    return s;
}

/* Goes on until the work is done: the node of a mate, -1 while there is none, -2 without memory. */
int32_t go_on(Search *s, int64_t *work, int32_t *locked) {
    int32_t mate = -1;
    Move moves[MAX_MOVES];
    s->work = *work;
    for (int side = 0; side < 2; side++) s->locked[side] |= locked[side];
    while (s->waiting && s->work > 0 && mate < 0 && !s->is_out_of_memory) {
        uint32_t number = pop(s).node;
        Node node = s->nodes[number];
        Position position;
        unpack(&node, &position);
        const u64 *p = position.field;
        if (number) {
            s->work -= 2;
            if (node.move & DOUBTFUL && exposes_king(&position)) continue;
            const Node *before = &s->nodes[node.parent];
            int pieces = count(p[WHITES] | p[BLACKS]), were = count(before->low | before->middle | before->high);
            if ((pieces != were || promotion_of(node.move)) && cannot_mate(&position)) continue;
        }
        int turn = (int)p[TURN];
        s->positions++;
        u64 attacked = attacked_by(&position, !turn);
        int n = find_moves(&position, attacked, moves);
        if (!can_move(&position, moves, n)) {
            if (!turn && attacked & p[KINGS] & p[BLACKS]) mate = (int32_t)number;
        } else if (!is_hopeless(s, &position, moves[0])) {
            look_at(s, number, &position, moves, n, attacked);
        }
    }
    *work = s->work;
    for (int side = 0; side < 2; side++) locked[side] = s->locked[side];
    return s->is_out_of_memory ? -2 : mate;
}

int32_t positions_of(const Search *s) { return s->positions; }
int32_t seen_of(const Search *s) { return s->seen; }
int32_t is_exhausted(const Search *s) { return !s->waiting; }
uint32_t parent_of(const Search *s, uint32_t node) { return s->nodes[node].parent; }
uint32_t move_of(const Search *s, uint32_t node) { return s->nodes[node].move; }
uint64_t size_of_guide(void) { return sizeof(Guide); }
