/* Positions as bitboards and every legal move out of them: `position.py`, compiled.
 *
 * Bit 0 is a1, bit 63 is h8. Moves come in the order in which `position.moves` gives them, so that
 * a search finds the same line at the same moment whether it is compiled or not.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t Move;

enum { TURN, PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS, WHITES, BLACKS, CASTLING, PASSING, FIELDS };
enum { MOVER = 15, DOUBTFUL = 1 << 18, MAX_MOVES = 64 * 28 };

typedef struct {
    u64 field[FIELDS];
} Position;

extern u64 KING_STEPS[64], KNIGHT_STEPS[64], PAWN_TAKES[2][64], FILES[64], ABOVE[64], BELOW[64];
extern int DISTANCE[64][64];

#define BIT(square) (1ULL << (square))
#define RANK_1 0xFFULL
#define RANK_2 (RANK_1 << 8)
#define RANK_7 (RANK_1 << 48)
#define RANK_8 (RANK_1 << 56)
#define NOT_A 0xFEFEFEFEFEFEFEFEULL
#define NOT_H 0x7F7F7F7F7F7F7F7FULL

static inline int first(u64 bits) { return __builtin_ctzll(bits); }
static inline int last(u64 bits) { return 63 - __builtin_clzll(bits); }
static inline int count(u64 bits) { return __builtin_popcountll(bits); }
static inline int origin_of(Move move) { return move & 63; }
static inline int target_of(Move move) { return move >> 6 & 63; }
static inline int promotion_of(Move move) { return move >> 12 & 7; }
static inline int mover_of(Move move) { return move >> MOVER & 7; }
static inline u64 white_pawns_attack(u64 pawns) { return (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7; }
static inline u64 black_pawns_attack(u64 pawns) { return (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9; }

void make_tables(void);
u64 diagonals(int square, u64 occupied);
u64 lines(int square, u64 occupied);
int is_attacked(const Position *position, int square, int by_white);
int in_check(const Position *position);
u64 attacked_by(const Position *position, int white);
int find_moves(const Position *position, u64 attacked, Move *found);
void play(const Position *position, Move move, Position *after);
int exposes_king(const Position *after);
int cannot_mate(const Position *position);
int legal_moves(const Position *position, uint16_t *found);

#endif
