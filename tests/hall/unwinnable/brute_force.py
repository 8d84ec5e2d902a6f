"""The question answered without any cleverness: every legal move of every position, breadth first.

Shares nothing with the analyser but the chess library, whose own moves and ends it uses.
"""

from __future__ import annotations

from collections import deque

import chess


def can_mate(board: chess.Board, side: chess.Color, most: int) -> bool | None:
    """Whether a side can mate; `None` where more than `most` positions would have to be seen."""
    start = board.copy(stack=False)
    seen = {start.epd()}
    queue = deque([start])
    while queue:
        position = queue.popleft()
        if position.is_checkmate():
            if position.turn != side:
                return True
            continue
        for move in position.legal_moves:
            after = position.copy(stack=False)
            after.push(move)
            key = after.epd()
            if key not in seen:
                if len(seen) == most:
                    return None
                seen.add(key)
                queue.append(after)
    return False
