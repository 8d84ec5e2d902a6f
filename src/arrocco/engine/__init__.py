"""The engine: one rating period over columns of integers, for every regulation.

`assemble` turns reports and a list into columns, `kernel` sums the games of each entry, `period`
takes the law's step for each player, `explain` shows one player's rows. Every number comes from the
article functions in `arrocco.laws`: where a column needs them, they are tabulated or applied to its
distinct values, so there is one implementation of each article.
"""
