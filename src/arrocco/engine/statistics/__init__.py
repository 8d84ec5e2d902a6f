"""Figures to watch a rating system by (FIDE 2010, 10.3 and 11.2): does a rating keep its meaning?

Everything is counted in whole numbers over columns of lists and of stored calculations. A mean is
given in hundredths, a half away from zero; a quantile is a value that somebody has.
"""

from arrocco.engine.statistics.calculations import (
    GAME_GROUPS,
    CalculationStatistics,
    Coefficients,
    calculation_statistics,
    grouped_games,
)
from arrocco.engine.statistics.comparison import Affected, ListComparison, compare_lists
from arrocco.engine.statistics.distribution import (
    QUANTILES,
    RANKS,
    Distribution,
    distribution,
    distribution_of_counts,
    mean_hundredths,
)
from arrocco.engine.statistics.flow import Flow, Group, flow
from arrocco.engine.statistics.lists import ListFigures, ListStatistics, list_statistics
from arrocco.engine.statistics.scores import BAND, Band, Scores

__all__ = [
    "BAND",
    "GAME_GROUPS",
    "QUANTILES",
    "RANKS",
    "Affected",
    "Band",
    "CalculationStatistics",
    "Coefficients",
    "Distribution",
    "Flow",
    "Group",
    "ListComparison",
    "ListFigures",
    "ListStatistics",
    "Scores",
    "calculation_statistics",
    "compare_lists",
    "distribution",
    "distribution_of_counts",
    "flow",
    "grouped_games",
    "list_statistics",
    "mean_hundredths",
]
